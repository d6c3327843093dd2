import type { FileRow, Manifest } from './manifest';
import { mergeTrees, parseTree, type Tree, withPins } from './template';
import type { Package } from './types';

/** A file of the stack, and the rows of the manifest that it consists of. */
export interface PartedFile extends Pick<FileRow, 'path' | 'mode' | 'format'> {
  readonly rows: readonly FileRow[];
}

/** Groups rows of one path, in the manifest's order, into one file with the first row's mode and format. */
export function partsByPath(files: readonly FileRow[]): PartedFile[] {
  const byPath = new Map<string, FileRow[]>();
  for (const row of files) byPath.set(row.path, [...(byPath.get(row.path) ?? []), row]);
  return [...byPath.values()].flatMap((rows) =>
    rows.slice(0, 1).map(({ path, mode, format }) => ({ path, mode, format, rows })),
  );
}

/** Returns the merged templates with the images and versions of the release. */
export const mergedTree = (pack: Package, rows: readonly FileRow[]): Tree =>
  withPins(mergeTrees(rows.map(({ template }) => parseTree(textOf(pack, template)))), pack.pins);

/** Returns the text of a template. Throws RangeError if neither the package nor its base has it. */
export function textOf({ manifest, templates }: Package, template: string): string {
  const text = templates.get(template);
  if (text === undefined) throw new RangeError(`${manifest.name} has no ${template}`);
  return text;
}

/** Returns every script of a package once. */
export const scriptsOf = ({ prepare, first_steps, router_steps, redirects }: Manifest): string[] => [
  ...new Set([
    ...[...prepare, ...first_steps, ...router_steps].map(({ script }) => script),
    ...(redirects?.publish === undefined ? [] : [redirects.publish]),
  ]),
];

/** Returns the name of a script without its package, as used on the server. */
export const scriptName = (script: string): string => script.slice(script.indexOf('/') + 1);

/** Returns the path of a package's script, relative to the deployment's folder. */
export const scriptPath = (script: string): string => `.moorage/${scriptName(script)}`;
