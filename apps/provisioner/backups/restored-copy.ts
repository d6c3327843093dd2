import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { CopyStoreError, type CopyToTest } from './copy-store';

/** Folder of database dumps in a snapshot, as laid out by infra/host/copy-start.sh. */
const DUMPS = join('copy', 'dumps');
/**
 * Magic bytes of each kind of dump. PostgreSQL dumps are created with `pg_dump --format=custom`, and SQLite files are
 * described in https://www.sqlite.org/fileformat.html#magic_header_string.
 */
const BEGINS: Readonly<Record<string, string>> = { sqlite: 'SQLite format 3\0', postgres: 'PGDMP' };
/** One dump per line as `kind name bytes sha256`. The last line is `end`. */
const LINE = /^([a-z]+) ([\w.-]+) (\d+) ([0-9a-f]{64})$/;
const LIST_BYTES_MAX = 64 * 1024;

/** Runs `act` with an empty folder and removes the folder afterwards. */
export async function withinFolder<T>(folder: string, act: (folder: string) => Promise<T>): Promise<T> {
  await removeAll(folder); // Leftover of an interrupted run.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    return await act(folder);
  } finally {
    await removeAll(folder);
  }
}

/** Makes restored folders accessible before removing them, because their permissions may exclude even their owner. */
async function removeAll(folder: string): Promise<void> {
  const openUp = async (path: string): Promise<void> => {
    await chmod(path, 0o700);
    for (const entry of await readdir(path, { withFileTypes: true }))
      if (entry.isDirectory()) await openUp(join(path, entry.name));
  };
  await openUp(folder).catch(ignoreMissing);
  await rm(folder, { recursive: true, force: true });
}

const ignoreMissing = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'ENOENT') throw error;
};

/**
 * Compares the dumps in a restored copy with the list beside them and with the sizes reported by the server. Throws
 * `damaged`.
 */
export async function checkDumps(folder: string, expected: CopyToTest['dumps']): Promise<void> {
  const listed = await listIn(folder);
  for (const { name, bytes } of expected) {
    const found = listed.find((dump) => dump.name === name);
    if (found?.bytes !== bytes) throw damaged(`the dump ${name} is not listed with ${bytes} bytes`);
  }
  for (const { kind, name, bytes, sha256 } of listed) {
    const path = await plainFile(folder, name);
    const { head, ...content } = await contentOf(path);
    if (content.bytes !== bytes) throw damaged(`the dump ${name} has ${content.bytes} of ${bytes} bytes`);
    if (content.sha256 !== sha256) throw damaged(`the dump ${name} has another checksum than when it was written`);
    const begin = BEGINS[kind];
    if (begin !== undefined && !head.startsWith(begin)) throw damaged(`the dump ${name} is not ${kind}`);
  }
}

interface ListedDump {
  readonly kind: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

async function listIn(folder: string): Promise<ListedDump[]> {
  const path = await plainFile(folder, 'list');
  if ((await lstat(path)).size > LIST_BYTES_MAX) throw damaged('the list of dumps is too long');
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  if (lines.pop() !== 'end') throw damaged('the list of dumps is incomplete');
  return lines.map((line) => {
    const [, kind, name, bytes, sha256] = LINE.exec(line) ?? [];
    if (kind === undefined || name === undefined || sha256 === undefined)
      throw damaged('the list of dumps is malformed');
    return { kind, name, bytes: Number(bytes), sha256 };
  });
}

/**
 * Returns the path of a dump. A compromised server controls the content of a copy, so links that leave the folder are
 * rejected.
 */
async function plainFile(folder: string, name: string): Promise<string> {
  const path = join(folder, DUMPS, name);
  const real = await realpath(path).catch(() => null);
  const inside = join(await realpath(folder), DUMPS) + sep;
  if (real === null || !real.startsWith(inside) || !(await lstat(real)).isFile()) throw damaged(`${name} is missing`);
  return real;
}

async function contentOf(path: string): Promise<{ bytes: number; sha256: string; head: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  let head = '';
  for await (const part of createReadStream(path) as AsyncIterable<Buffer>) {
    if (bytes === 0) head = part.subarray(0, 32).toString('latin1');
    bytes += part.length;
    hash.update(part);
  }
  return { bytes, sha256: hash.digest('hex'), head };
}

const damaged = (detail: string): CopyStoreError => new CopyStoreError('damaged', detail);
