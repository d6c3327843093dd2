import type { FileRow, Manifest } from './manifest';
import { mergeTrees, parseTree, type Tree } from './template';
import type { Package } from './types';

/** A file of the stack, and the rows of the manifest that it is put together of. */
export interface PartedFile extends Pick<FileRow, 'path' | 'mode' | 'format'> {
  readonly rows: readonly FileRow[];
}

/** Rows of one path, in the manifest's order, as one file with the first row's mode and format. */
export function partsByPath(files: readonly FileRow[]): PartedFile[] {
  const byPath = new Map<string, FileRow[]>();
  for (const row of files) byPath.set(row.path, [...(byPath.get(row.path) ?? []), row]);
  return [...byPath.values()].flatMap((rows) =>
    rows.slice(0, 1).map(({ path, mode, format }) => ({ path, mode, format, rows })),
  );
}

export const mergedTree = (pack: Package, rows: readonly FileRow[]): Tree =>
  mergeTrees(rows.map(({ template }) => parseTree(textOf(pack, template))));

/** RangeError for a template that neither the package nor its base has. */
export function textOf({ manifest, templates }: Package, template: string): string {
  const text = templates.get(template);
  if (text === undefined) throw new RangeError(`${manifest.name} has no ${template}`);
  return text;
}

/** Every script of a package, once. */
export const scriptsOf = ({ prepare, first_steps, router_steps }: Manifest): string[] => [
  ...new Set([...prepare, ...first_steps, ...router_steps].map(({ script }) => script)),
];

/** A script's own name, whichever package it is of: so the server knows it. */
export const scriptName = (script: string): string => script.slice(script.indexOf('/') + 1);

/** Where a package's script is put, from the deployment's folder. */
export const scriptPath = (script: string): string => `.moorage/${scriptName(script)}`;
