import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A sub-folder that is described by a YAML file with a fixed name. */
export interface YamlFolder {
  readonly name: string;
  /** Parsed content of the YAML file, not yet validated. */
  readonly document: unknown;
  /** All other files directly in the sub-folder, by name. */
  readonly files: ReadonlyMap<string, string>;
}

const FOLDERS_MAX = 200;
const FILE_BYTES_MAX = 256 * 1024;

/**
 * Reads the sub-folders of `root`, sorted by name.
 *
 * @throws Error that names a sub-folder without the YAML file, or with an invalid file.
 */
export async function readYamlFolders(root: string, describing: string): Promise<YamlFolder[]> {
  const entries = await readdir(root, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  if (names.length > FOLDERS_MAX) throw new Error(`${root} has more than ${FOLDERS_MAX} folders`);
  return Promise.all(names.map((name) => readOne(root, name, describing)));
}

async function readOne(root: string, name: string, describing: string): Promise<YamlFolder> {
  const folder = join(root, name);
  const files = new Map<string, string>();
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = await readFile(join(folder, entry.name), 'utf8');
    if (text.length > FILE_BYTES_MAX) throw new Error(`${join(folder, entry.name)} is too large for a template`);
    files.set(entry.name, text);
  }
  const text = files.get(describing);
  if (text === undefined) throw new Error(`${folder} has no ${describing}`);
  files.delete(describing);
  return { name, document: parseFile(join(folder, describing), text), files };
}

function parseFile(path: string, text: string): unknown {
  try {
    return parse(text, { strict: true, uniqueKeys: true, maxAliasCount: 0 });
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : 'not YAML'}`, { cause: error });
  }
}
