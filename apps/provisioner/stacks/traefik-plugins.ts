import { isList, isMap, type Tree } from './template';

type TreeMap = { readonly [key: string]: Tree };

/**
 * Removes every router plugin from a stack's configuration, including the `experimental` section, the middlewares based
 * on a plugin, and their names in the routers and entry points. Intended for labs with servers that cannot fetch plugins
 * (TRAEFIK_PLUGINS=off), because Traefik does not start if it cannot load a plugin.
 */
export function withoutPlugins(trees: readonly Tree[]): Tree[] {
  const gone = new Set(trees.flatMap(pluginMiddlewares));
  return trees.map((tree) => strip(tree, gone));
}

function pluginMiddlewares(tree: Tree): string[] {
  if (!isMap(tree) || !isMap(tree.http) || !isMap(tree.http.middlewares)) return [];
  return Object.entries(tree.http.middlewares)
    .filter(([, middleware]) => isMap(middleware) && 'plugin' in middleware)
    .map(([name]) => name);
}

function strip(tree: Tree, gone: ReadonlySet<string>): Tree {
  if (!isMap(tree)) return tree;
  const { experimental: _, entryPoints, http, ...rest } = tree;
  return {
    ...rest,
    ...(isMap(entryPoints) ? { entryPoints: mapValues(entryPoints, (point) => entryPoint(point, gone)) } : {}),
    ...(isMap(http) ? filled('http', rules(http, gone)) : {}),
  };
}

function rules({ middlewares, routers, ...http }: TreeMap, gone: ReadonlySet<string>): TreeMap {
  return {
    ...(isMap(middlewares) ? filled('middlewares', without(middlewares, gone)) : {}),
    ...(isMap(routers) ? { routers: mapValues(routers, (router) => unused(router, gone)) } : {}),
    ...http,
  };
}

/** Removes middlewares from an entry point, which refers to those of the rule files with the suffix `@file`. */
function entryPoint(point: Tree, gone: ReadonlySet<string>): Tree {
  if (!isMap(point) || !isMap(point.http)) return point;
  return { ...point, http: unused(point.http, new Set([...gone].map((name) => `${name}@file`))) };
}

function unused(router: Tree, gone: ReadonlySet<string>): Tree {
  if (!isMap(router)) return router;
  const { middlewares, ...rest } = router;
  if (middlewares === undefined || !isList(middlewares)) return router;
  const left = middlewares.filter((name) => typeof name !== 'string' || !gone.has(name));
  return left.length === 0 ? rest : { ...rest, middlewares: left };
}

/** Omits empty sections, for which Traefik would reject all its rules. */
const filled = (name: string, map: TreeMap): TreeMap => (Object.keys(map).length === 0 ? {} : { [name]: map });

function without(map: TreeMap, gone: ReadonlySet<string>): TreeMap {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !gone.has(name)));
}

function mapValues(map: TreeMap, change: (tree: Tree) => Tree): Tree {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
