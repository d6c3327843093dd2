import { join } from 'node:path';

const DOMAIN = /[\\/]libs[\\/]domain[\\/]/;
/** Message tables that no rule in the browser uses. A rule and its messages must be in one file. */
const OTHER_MESSAGES =
  /[\\/]libs[\\/]domain[\\/]messages[\\/](?!account|access|order|rate-limit|brand|message|changes|further-domains|owner-records|moves|resize|server-check)/;
const REACT = /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/;

/**
 * Assigns modules to files of the build, so that a public page consists of a few files instead of one per shared icon:
 * React, the domain library, modules that public pages share with each other or with the console, and the page itself.
 * All others, such as the texts of other languages, stay in separate files that are loaded on demand.
 */
export function chunksOf(consoleFolder) {
  let shared;
  return {
    groups: [
      {
        debugName: 'pages',
        // The domain's index exports every message table. The modules that need one include it.
        includeDependenciesRecursively: false,
        name(id, context) {
          if (REACT.test(id)) return 'react';
          if (OTHER_MESSAGES.test(id)) return null;
          if (DOMAIN.test(id)) return 'domain';
          // rolldown creates a new context for every module, but all return the same information.
          shared ??= sharedByPages(consoleFolder, (each) => context.getModuleInfo(each));
          return shared.has(id) ? 'pages' : null;
        },
      },
    ],
  };
}

/** Returns the initial modules and those used by several public pages, or by a public page and the console. */
function sharedByPages(folder, infoOf) {
  const staticOf = (id) => infoOf(id)?.importedIds ?? [];
  const laterOf = (id) => infoOf(id)?.dynamicallyImportedIds ?? [];
  const entry = join(folder, 'entry.tsx');
  const atStart = reach([entry], staticOf);
  const console = laterOf(join(folder, 'app', 'screens.ts')).filter(
    (id) => !id.startsWith(join(folder, 'pages', 'public')),
  );
  const inConsole = reach([join(folder, 'app', 'console.tsx'), ...console], (id) => [
    ...staticOf(id),
    ...(id === join(folder, 'app', 'screens.ts') ? [] : laterOf(id)),
  ]);
  const publicPages = laterOf(join(folder, 'app', 'screens.ts')).filter((id) =>
    id.startsWith(join(folder, 'pages', 'public')),
  );
  const pages = [...publicPages, ...laterOf(join(folder, 'parts', 'support', 'support.tsx'))].map((page) =>
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
