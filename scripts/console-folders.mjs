import { relative, resolve, dirname, sep } from 'node:path';

/**
 * Folders of the console from the ground up, and the folders that each may import (docs/adr/0045). Every folder within
 * `resources` and `pages` is a folder of its own, so neither imports its neighbour.
 */
const MAY_IMPORT = {
  texts: [],
  data: ['texts'],
  // Widgets show errors, pages of a list and links, but send no requests.
  ui: ['texts', 'data/errors', 'data/problem-message', 'data/paging', 'data/brand', 'data/navigation'],
  parts: ['texts', 'data', 'ui'],
  resources: ['texts', 'data', 'ui', 'parts'],
  pages: ['texts', 'data', 'ui', 'parts'],
  app: ['texts', 'data', 'ui', 'parts', 'resources', 'pages'],
  'entry.tsx': ['texts', 'data', 'ui', 'app'],
};
const CONSOLE = resolve(import.meta.dirname, '..', 'apps', 'console');

/** ESLint rule for imports between the folders of the console. */
export const consoleFolders = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { folder: '{{from}} may not import {{to}}. Code that two folders need belongs in parts or ui.' },
  },
  create(context) {
    const own = relative(CONSOLE, context.filename);
    const check = ({ source }) => {
      if (source?.value === undefined || !/^\.\.?\//.test(source.value)) return;
      const target = relative(CONSOLE, resolve(dirname(context.filename), source.value));
      const [from, to] = [folderOf(own), folderOf(target)];
      const allowed = MAY_IMPORT[own.split(sep)[0]] ?? [];
      if (from === to || allowed.some((each) => target === each || target.startsWith(`${each}${sep}`))) return;
      context.report({ node: source, messageId: 'folder', data: { from, to: target } });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

function folderOf(file) {
  const [folder, name] = file.split(sep);
  return folder === 'resources' || folder === 'pages' ? `${folder}/${name}` : folder;
}
