import { isList, isMap, type Tree } from './template';

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
  const { experimental: _, ...rest } = tree;
  const { entryPoints, http } = rest;
  return {
    ...rest,
    ...(isMap(entryPoints) ? { entryPoints: mapValues(entryPoints, (point) => entryPoint(point, gone)) } : {}),
    ...(isMap(http) ? { http: rules(http, gone) } : {}),
  };
}

function rules({ middlewares, routers, ...http }: { readonly [key: string]: Tree }, gone: ReadonlySet<string>): Tree {
  return {
    ...(isMap(middlewares) ? { middlewares: without(middlewares, gone) } : {}),
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

function without(map: { readonly [key: string]: Tree }, gone: ReadonlySet<string>): Tree {
  return Object.fromEntries(Object.entries(map).filter(([name]) => !gone.has(name)));
}

function mapValues(map: { readonly [key: string]: Tree }, change: (tree: Tree) => Tree): Tree {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
