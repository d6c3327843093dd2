import { hasUnprintable } from '@moorage/domain';
import { parse, stringify } from 'yaml';

/** A parsed template or a tree derived from it, as plain data. */
export type Tree = string | number | boolean | null | readonly Tree[] | { readonly [key: string]: Tree };

const PLACEHOLDER = /\{\{([A-Z][A-Z0-9_]*)\}\}/g;
/** Pattern for values that are only part of a string, which must not be able to end that part. A host name cannot. */
const HOST_LIKE = /^[A-Za-z0-9.-]+$/;
/** A path computed by us. */
const FOLDER_NAME = 'FOLDER';

export function parseTree(text: string): Tree {
  return parse(text, { strict: true, uniqueKeys: true, maxAliasCount: 0 }) as Tree;
}

/** Merges trees. Maps are merged, lists are appended, and of other values the last wins. */
export function mergeTrees([first = null, ...others]: readonly Tree[]): Tree {
  return others.reduce(mergeTwo, first);
}

function mergeTwo(one: Tree, other: Tree): Tree {
  if (isList(one) && isList(other)) return [...one, ...other];
  if (!isMap(one) || !isMap(other)) return other;
  const merged = new Map(Object.entries(one));
  for (const [key, value] of Object.entries(other)) {
    const before = merged.get(key);
    merged.set(key, before === undefined ? value : mergeTwo(before, value));
  }
  return Object.fromEntries(merged);
}

/** Returns the names used in a template. */
export function placeholdersOf(tree: Tree): Set<string> {
  const names = new Set<string>();
  mapTexts(tree, (text) => {
    for (const [, name = ''] of text.matchAll(PLACEHOLDER)) names.add(name);
    return text;
  });
  return names;
}

/** Inserts the values into all strings, but not into keys. `write` escapes each value for its file. */
export function fill(tree: Tree, values: ReadonlyMap<string, string>, write: (value: string) => string): Tree {
  return mapTexts(tree, (text) => {
    const [whole] = text.matchAll(PLACEHOLDER);
    if (whole?.[0] === text) return write(valueOf(values, whole[1] ?? ''));
    return text.replace(PLACEHOLDER, (_, name: string) => {
      const value = valueOf(values, name);
      if (name !== FOLDER_NAME && !HOST_LIKE.test(value)) throw new RangeError(`${name} may not be inserted into text`);
      return value;
    });
  });
}

/** Inserts images and versions, which are always a whole string. Other placeholders stay. */
export function withPins(tree: Tree, pins: ReadonlyMap<string, string>): Tree {
  return mapTexts(tree, (text) => {
    const [whole] = text.matchAll(PLACEHOLDER);
    return whole?.[0] === text ? (pins.get(whole[1] ?? '') ?? text) : text;
  });
}

function valueOf(values: ReadonlyMap<string, string>, name: string): string {
  const value = values.get(name);
  if (value === undefined) throw new RangeError(`no value for ${name}`);
  if (hasUnprintable(value)) throw new RangeError(`${name} contains characters that are not allowed in files`);
  return value;
}

function mapTexts(tree: Tree, change: (text: string) => string): Tree {
  if (typeof tree === 'string') return change(tree);
  if (typeof tree !== 'object' || tree === null) return tree;
  if (isList(tree)) return tree.map((item) => mapTexts(item, change));
  return Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, mapTexts(value, change)]));
}

export function isList(tree: Tree | undefined): tree is readonly Tree[] {
  return Array.isArray(tree);
}

export function isMap(tree: Tree | undefined): tree is { readonly [key: string]: Tree } {
  return typeof tree === 'object' && tree !== null && !Array.isArray(tree);
}

/** Writes every string in double quotes, so that YAML 1.1 readers do not parse it as a number, date or boolean. */
export function writeYaml(tree: Tree): string {
  return stringify(tree, {
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
}

export function writeJson(tree: Tree): string {
  return `${JSON.stringify(tree, null, 2)}\n`;
}

/** Escapes a value for Compose's YAML, in which `$` would begin a variable. */
export const escapeForCompose = (value: string): string => value.replaceAll('$', '$$$$');

/**
 * Writes a `.env` file that Compose and a shell parse identically. It uses single quotes if the value has neither
 * quotes nor backslashes (which the two parse differently), otherwise double quotes with `\`, `"` and `$` escaped.
 * Throws for values that they cannot both parse.
 */
export function writeEnv(entries: readonly (readonly [name: string, value: string])[]): string {
  return entries.map(([name, value]) => `${name}=${quote(name, value)}\n`).join('');
}

function quote(name: string, value: string): string {
  if (!/^[A-Z][A-Z0-9_]*$/.test(name)) throw new RangeError(`not a name for .env: ${name}`);
  if (hasUnprintable(value)) throw new RangeError(`${name} contains characters that are not allowed in .env files`);
  if (!/['\\]/.test(value)) return `'${value}'`;
  if (value.includes('`')) throw new RangeError(`${name} has no form that Compose and a shell read the same way`);
  return `"${value.replace(/[\\"$]/g, '\\$&')}"`;
}
