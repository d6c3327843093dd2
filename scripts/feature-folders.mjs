import { dirname, relative, resolve, sep } from 'node:path';

/** Folders of the api that every feature may import. */
const API = ['settings.ts', 'http', 'history', 'users-store', 'top-up-switch', 'backup-policy', 'mail', 'catalogue'];

/** Folders of the provisioner that all may import, those above `runs`, and those from `servers` up. */
const OPTIONS = ['provisioner-options.ts'];
const RUNS = [...OPTIONS, 'ssh', 'clouds', 'server-store', 'runs'];
const PARTS = [...RUNS, 'stacks', 'incidents', 'callbacks', 'dns', 'certificates'];

/**
 * Folders of each app from the ground up, and what they may import (docs/adr/0045, docs/adr/0057). Folders of one row
 * may not import each other. A name is a folder or a file, and `resources/*` stands for every folder in `resources`.
 */
const ROWS = {
  'apps/console': [
    [['texts'], []],
    [['data'], ['texts']],
    // Widgets show errors, pages of a list and links, but send no requests.
    [['ui'], ['texts', 'data/errors', 'data/problem-message', 'data/paging', 'data/brand', 'data/navigation']],
    [['parts'], ['texts', 'data', 'ui']],
    [
      ['resources/*', 'pages/*'],
      ['texts', 'data', 'ui', 'parts'],
    ],
    [['app'], ['texts', 'data', 'ui', 'parts', 'resources', 'pages']],
    [['entry.tsx'], ['texts', 'data', 'ui', 'app']],
  ],
  'apps/api': [
    // The type of the limits that tests set.
    [['settings.ts'], ['http/limits']],
    [['http', 'history', 'users-store', 'top-up-switch', 'backup-policy'], ['settings.ts']],
    [
      ['mail', 'catalogue'],
      ['settings.ts', 'http', 'users-store'],
    ],
    // The platform as a whole.
    [['alerts', 'cloud-callbacks', 'console', 'health', 'images', 'leaks', 'providers'], API],
    // Money.
    [['wallet', 'billing-documents'], API],
    [
      ['credits', 'payments'],
      [...API, 'wallet'],
    ],
    [['referrals'], [...API, 'credits']],
    // Callers.
    [['auth'], [...API, 'credits']],
    [
      ['live', 'queues'],
      [...API, 'auth'],
    ],
    // Deployments.
    [['servers'], API],
    [['deployments'], [...API, 'servers']],
    [['overview'], [...API, 'alerts', 'deployments']],
    [
      ['account-mails', 'backups', 'further-domains', 'logs', 'owner-records', 'ssh-keys', 'watch'],
      [...API, 'deployments'],
    ],
    [
      ['backup-bucket', 'backup-downloads', 'moves', 'updates'],
      [...API, 'images', 'deployments', 'backups'],
    ],
    [['support'], [...API, 'live', 'deployments']],
    // Accounts.
    [['users'], [...API, 'wallet', 'credits', 'payments', 'auth', 'deployments']],
    [['account'], [...API, 'auth', 'users']],
  ],
  'apps/provisioner': [
    [['provisioner-options.ts'], []],
    // Protocols and rows.
    [['ssh', 'platform-dns', 'moves'], OPTIONS],
    [['clouds'], [...OPTIONS, 'ssh']],
    [['server-store'], [...OPTIONS, 'clouds']],
    [['runs'], [...OPTIONS, 'ssh', 'clouds', 'platform-dns', 'server-store']],
    // Parts of a running deployment.
    [['stacks', 'incidents', 'callbacks'], RUNS],
    [
      ['dns', 'certificates'],
      [...RUNS, 'stacks'],
    ],
    // Servers, and what is done on them.
    [['servers'], PARTS],
    [
      ['access', 'backups', 'leaks', 'logs', 'domains', 'watch'],
      [...PARTS, 'servers'],
    ],
    // Runs of plans.
    [['steps'], [...PARTS, 'platform-dns', 'servers', 'access', 'backups']],
    [['lifecycle'], [...OPTIONS, 'server-store', 'runs', 'moves', 'backups', 'steps']],
  ],
  'apps/billing': [
    // The type of an option.
    [['billing-options.ts'], ['proof/seal-files']],
    [['settling', 'watch', 'moves'], ['billing-options.ts']],
    [
      ['charging', 'forecast'],
      ['billing-options.ts', 'settling'],
    ],
    [['proof'], ['billing-options.ts', 'watch']],
    [['audit'], ['billing-options.ts', 'watch', 'proof']],
  ],
};

// A row that names a folder of a later row could close a cycle.
for (const rows of Object.values(ROWS)) {
  const below = new Set();
  for (const [names, may] of rows) {
    const later = may.find((name) => !name.includes('/') && !below.has(name));
    if (later !== undefined) throw new Error(`${names.join(', ')}: ${later} has no row before this one`);
    for (const name of names) below.add(name.replace('/*', ''));
  }
}

/** Apps whose folders have rows. */
export const APPS_WITH_ROWS = Object.keys(ROWS);
const ROOT = resolve(import.meta.dirname, '..');

/** ESLint rule for imports between the folders of an app. Files next to the folders compose them and are free. */
export const featureFolders = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      folder: '{{from}} may not import {{to}}. Code that both need belongs in a folder that both may import.',
      row: '{{from}} has no row in scripts/feature-folders.mjs.',
    },
  },
  create(context) {
    const app = APPS_WITH_ROWS.find((each) => isWithin(relative(ROOT, context.filename), each));
    if (app === undefined) return {};
    const inApp = (path) => relative(resolve(ROOT, app), path);
    const file = inApp(context.filename);
    const own = ROWS[app]
      .flatMap(([names, may]) => names.map((name) => ({ folder: folderOf(file, name), may })))
      .find(({ folder }) => folder !== undefined);
    if (own === undefined) {
      if (!file.includes(sep)) return {};
      return { Program: (node) => context.report({ node, messageId: 'row', data: { from: dirname(file) } }) };
    }
    const check = ({ source }) => {
      if (source?.value === undefined || !/^\.\.?\//.test(source.value)) return;
      const target = inApp(resolve(dirname(context.filename), source.value));
      if ([own.folder, ...own.may].some((each) => isWithin(target, each))) return;
      context.report({ node: source, messageId: 'folder', data: { from: own.folder, to: target } });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

/** Returns the folder or file that `name` stands for if it contains the file, or undefined. */
function folderOf(file, name) {
  if (!name.endsWith('/*')) return isWithin(file, name) ? name : undefined;
  const [folder, inner] = file.split(sep);
  return folder === name.slice(0, -2) ? `${folder}/${inner}` : undefined;
}

/** Returns true if a path is the folder or file, or below the folder. Imports leave out the extension. */
function isWithin(path, name) {
  return path === name || path === name.replace(/\.tsx?$/, '') || path.startsWith(`${name}${sep}`);
}
