import { join } from 'node:path';

const DOMAIN = /[\\/]libs[\\/]domain[\\/]/;
/** German, and tables of messages that no rule says in a browser. */
const TRANSLATED = /[\\/]libs[\\/]domain[\\/](german|messages[\\/](?!account|access|order|rate-limit|brand|message))/;
const REACT = /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/;

/**
 * Which file of the build a module goes into, so that a public page is a handful of files instead of one per shared
 * icon: React, the domain library, what public pages share among themselves or with the console, and the page itself.
 * Everything else, like the German texts, stays in files of its own that are loaded when somebody needs them.
 */
export function chunksOf(consoleFolder) {
  let shared;
  return {
    groups: [
      {
        debugName: 'pages',
        // the domain's index names every table of sentences; who needs one brings it along
        includeDependenciesRecursively: false,
        name(id, context) {
          if (REACT.test(id)) return 'react';
          if (TRANSLATED.test(id)) return null;
          if (DOMAIN.test(id)) return 'domain';
          // rolldown makes the context anew for every module; what it says of the others is the same
          shared ??= sharedByPages(consoleFolder, (each) => context.getModuleInfo(each));
          return shared.has(id) ? 'pages' : null;
        },
      },
    ],
  };
}

/** The modules that are there from the start, and those that more than one public page needs, or one and the console. */
function sharedByPages(folder, infoOf) {
  const staticOf = (id) => infoOf(id)?.importedIds ?? [];
  const laterOf = (id) => infoOf(id)?.dynamicallyImportedIds ?? [];
  const entry = join(folder, 'entry.tsx');
  const atStart = reach([entry], staticOf);
  const console = laterOf(join(folder, 'screens.ts')).filter((id) => !id.startsWith(join(folder, 'public')));
  const inConsole = reach([join(folder, 'shell', 'console.tsx'), ...console], (id) => [
    ...staticOf(id),
    ...(id === join(folder, 'screens.ts') ? [] : laterOf(id)),
  ]);
  const publicPages = laterOf(join(folder, 'screens.ts')).filter((id) => id.startsWith(join(folder, 'public')));
  const pages = [...publicPages, ...laterOf(join(folder, 'ui', 'support', 'support.tsx'))].map((page) =>
    reach([page], staticOf),
  );
  const shared = new Set(atStart);
  for (const page of pages)
    for (const id of page) if (inConsole.has(id) || pages.filter((other) => other.has(id)).length > 1) shared.add(id);
  shared.delete(entry);
  return shared;
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
