import { hasUnprintable } from '@moorage/domain';
import { parse, stringify } from 'yaml';

/** A parsed template or what is made from it: plain data only. */
export type Tree = string | number | boolean | null | readonly Tree[] | { readonly [key: string]: Tree };

const PLACEHOLDER = /\{\{([A-Z][A-Z0-9_]*)\}\}/g;
/** A value that is only a part of a text must not be able to end that part: a host name cannot. */
const HOST_LIKE = /^[A-Za-z0-9.-]+$/;
/** Ours, and a path. */
const FOLDER_NAME = 'FOLDER';

export function parseTree(text: string): Tree {
  return parse(text, { strict: true, uniqueKeys: true, maxAliasCount: 0 }) as Tree;
}

/** One tree of several: maps merge, lists append, and of anything else the later one stands. */
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

/** The names a template asks for. */
export function placeholdersOf(tree: Tree): Set<string> {
  const names = new Set<string>();
  mapTexts(tree, (text) => {
    for (const [, name = ''] of text.matchAll(PLACEHOLDER)) names.add(name);
    return text;
  });
  return names;
}

/** Puts the values in, text by text; keys stay as the template has them. `write` adapts each value to its file. */
export function fill(tree: Tree, values: ReadonlyMap<string, string>, write: (value: string) => string): Tree {
  return mapTexts(tree, (text) => {
    const [whole] = text.matchAll(PLACEHOLDER);
    if (whole?.[0] === text) return write(valueOf(values, whole[1] ?? ''));
    return text.replace(PLACEHOLDER, (_, name: string) => {
      const value = valueOf(values, name);
      if (name !== FOLDER_NAME && !HOST_LIKE.test(value)) throw new RangeError(`${name} cannot stand inside a text`);
      return value;
    });
  });
}

function valueOf(values: ReadonlyMap<string, string>, name: string): string {
  const value = values.get(name);
  if (value === undefined) throw new RangeError(`no value for ${name}`);
  if (hasUnprintable(value)) throw new RangeError(`${name} holds characters that no file can carry`);
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

/** Every text in double quotes: what YAML 1.1 readers take for a number, a date or a yes stays a text. */
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

/** A value as Compose's YAML wants it: a `$` would be taken for a variable. */
export const escapeForCompose = (value: string): string => value.replaceAll('$', '$$$$');

/**
 * One `.env` file that Compose and a shell read alike. Single quotes where the value has neither quote nor backslash in
 * it (the two disagree there), else double quotes with `\`, `"` and `$` escaped. What both cannot read is refused.
 */
export function writeEnv(entries: readonly (readonly [name: string, value: string])[]): string {
  return entries.map(([name, value]) => `${name}=${quote(name, value)}\n`).join('');
}

function quote(name: string, value: string): string {
  if (!/^[A-Z][A-Z0-9_]*$/.test(name)) throw new RangeError(`not a name for .env: ${name}`);
  if (hasUnprintable(value)) throw new RangeError(`${name} holds characters that no .env file can carry`);
  if (!/['\\]/.test(value)) return `'${value}'`;
  if (value.includes('`')) throw new RangeError(`${name} cannot be written so that Compose and a shell read the same`);
  return `"${value.replace(/[\\"$]/g, '\\$&')}"`;
}
