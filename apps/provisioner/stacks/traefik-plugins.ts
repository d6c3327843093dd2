import { isList, isMap, type Tree } from './template';

type TreeMap = { readonly [key: string]: Tree };

/**
 * Takes every router plugin out of a stack's configuration: the `experimental` section, the middlewares made of a plugin,
 * and their names in the routers and entry points. For labs whose servers cannot fetch plugins (TRAEFIK_PLUGINS=off); Traefik refuses to
 * start with a plugin it cannot load.
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

/** An entry point names a middleware of the rule files with `@file` behind it. */
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

/** Traefik refuses the whole of its rules for an empty section. */
const filled = (name: string, map: TreeMap): TreeMap => (Object.keys(map).length === 0 ? {} : { [name]: map });

function without(map: TreeMap, gone: ReadonlySet<string>): TreeMap {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !gone.has(name)));
}

function mapValues(map: TreeMap, change: (tree: Tree) => Tree): Tree {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
