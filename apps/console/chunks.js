import { join } from 'node:path';

const REACT = /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]|vite[\\/]preload-helper/;
/** Modules that an index exports, each of which is used by itself. */
const LIBRARY = /[\\/](libs[\\/](domain|texts)|node_modules[\\/]lucide-react)[\\/]/;
const INDEX = /[\\/]libs[\\/]\w+[\\/]index\.ts$|[\\/]node_modules[\\/].*[\\/](index\.m?js|lucide-react\.mjs)$/;
/** Texts of the logged-in side, by language, without the modules that collect them. */
const CONSOLE_TEXTS =
  /[\\/]libs[\\/]texts[\\/](\w+)[\\/](console[\\/](?!index|messages|react-admin)|messages[\\/](?!index|public|console))/;
/** Size in bytes before compression below which files of libraries are joined, which saves the dashboard 16 requests. */
const LIBRARY_SIZE_MIN = 2_000;
/** Size of a file of texts, in bytes before compression. */
const TEXTS_SIZE_MAX = 90_000;

/**
 * Assigns modules to files of the build. A page loads few files and none of its code in vain: React, what every page
 * starts with, what every console page starts with, and the modules that several pages share, in a file for each set of
 * pages that use them. Modules of a single page are in its own file.
 */
export function chunksOf(consoleFolder) {
  let found;
  const sides = (context) => (found ??= sidesOf(consoleFolder, (id) => context.getModuleInfo(id)));
  const shared = { entriesAware: true, minShareCount: 2 };
  return {
    groups: [
      { name: 'react', test: REACT },
      // The entry and its page keep their files, whose names the manifest lists.
      { name: 'start', tags: ['$initial'], test: (id) => !/[\\/](entry\.tsx|index\.html)$/.test(id) },
      {
        debugName: 'texts',
        name: (id) => CONSOLE_TEXTS.exec(id)?.[1] ?? null,
        maxSize: TEXTS_SIZE_MAX,
        includeDependenciesRecursively: false,
      },
      { name: 'library', test: LIBRARY, ...shared, entriesAwareMergeThreshold: LIBRARY_SIZE_MIN },
      {
        debugName: 'pages',
        name: (id, context) => (sides(context).public.has(id) ? 'pages' : null),
        ...shared,
      },
      {
        debugName: 'console',
        name: (id, context) => (sides(context).console.has(id) ? 'console' : null),
      },
      { name: 'shared', ...shared },
    ].map((group, index, { length }) => ({ ...group, priority: length - index })),
  };
}

/**
 * Returns the modules that public pages import, and those that every console page starts with. Imports from the index
 * of a library are not followed.
 */
function sidesOf(folder, infoOf) {
  const staticOf = (id) => (INDEX.test(id) ? [] : (infoOf(id)?.importedIds ?? []));
  const laterOf = (...path) => infoOf(join(folder, ...path))?.dynamicallyImportedIds ?? [];
  const publicPages = [
    ...laterOf('app', 'public-screens.ts'),
    ...laterOf('app', 'public-side.tsx'),
    ...laterOf('parts', 'support', 'support.tsx'),
  ];
  const entry = join(folder, 'app', 'console.tsx');
  const console = reach([entry], staticOf);
  console.delete(entry);
  return { public: reach(publicPages, staticOf), console };
}

function reach(start, next) {
  const seen = new Set();
  const open = [...start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...next(id));
  }
  return seen;
}
