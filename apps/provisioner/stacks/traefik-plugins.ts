import { isList, isMap, type Tree } from './template';

/**
 * Takes every router plugin out of a stack's configuration: the `experimental` section, the middlewares made of a plugin,
 * and their names in the routers. For labs whose servers cannot fetch plugins (TRAEFIK_PLUGINS=off); Traefik refuses to
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
  if (!isMap(rest.http)) return rest;
  const { middlewares, routers, ...http } = rest.http;
  return {
    ...rest,
    http: {
      ...(isMap(middlewares) ? { middlewares: without(middlewares, gone) } : {}),
      ...(isMap(routers) ? { routers: mapValues(routers, (router) => unused(router, gone)) } : {}),
      ...http,
    },
  };
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
