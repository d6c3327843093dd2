import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Seal } from './seals';

/** Where seals are kept outside the database: who can rewrite the tables cannot rewrite these. */
export interface SealFiles {
  /** Before its row is committed: a process may end, or another one look, before the seal is kept. */
  prepare(seal: Seal): Promise<void>;
  /** The hash of a seal that was prepared; null: there is none, or a later one was kept. */
  prepared(throughId: number): Promise<string | null>;
  keep(seal: Seal): Promise<void>;
  /** The hashes that were kept, by the id up to which they seal. */
  kept(): Promise<ReadonlyMap<number, string>>;
}

/** Older ones are covered by the chain of the newer ones. */
const FILES_MAX = 1_000;
const NAME = /^(\d+)\.json$/;
/** What is of no use once a later seal is kept: prepared ones, and what was being written when its process ended. */
const PASSING = /^(\d+)\.(?:prepared|.*\..*)$/;

export function createSealFiles(folder: string): SealFiles {
  /** The newest first. */
  const found = async (pattern: RegExp): Promise<{ name: string; throughId: number }[]> => {
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    return names
      .flatMap((name) => {
        const throughId = pattern.exec(name)?.[1];
        return throughId === undefined ? [] : [{ name, throughId: Number(throughId) }];
      })
      .sort((a, b) => b.throughId - a.throughId);
  };
  async function write(name: string, seal: Seal): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, name);
    // in a folder of its own: two processes may write the same seal
    const own = await mkdtemp(`${path}.`);
    await writeFile(join(own, name), `${JSON.stringify(seal, null, 1)}\n`, { mode: 0o600, flush: true });
    await rename(join(own, name), path);
    await rm(own, { recursive: true });
  }
  return {
    prepare: (seal) => write(`${seal.throughId}.prepared`, seal),
    async prepared(throughId) {
      const text = await readFile(join(folder, `${throughId}.prepared`), 'utf8').catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return null;
          throw error;
        },
      );
      return text === null ? null : hashIn(text);
    },
    async keep(seal) {
      await write(`${seal.throughId}.json`, seal);
      const tooMany = (await found(NAME)).slice(FILES_MAX);
      // its own stays: somebody may have looked for the file just before it was there
      const passed = (await found(PASSING)).filter(({ throughId }) => throughId < seal.throughId);
      for (const { name } of [...tooMany, ...passed]) await rm(join(folder, name), { force: true, recursive: true });
    },
    async kept() {
      const kept = new Map<number, string>();
      for (const { name, throughId } of await found(NAME)) {
        const text = await readFile(join(folder, name), 'utf8');
        kept.set(throughId, hashIn(text));
      }
      return kept;
    },
  };
}

/** A file that cannot be read keeps no hash: it differs from every seal. */
function hashIn(text: string): string {
  try {
    const seal: unknown = JSON.parse(text);
    return typeof seal === 'object' && seal !== null && 'hash' in seal && typeof seal.hash === 'string'
      ? seal.hash
      : '';
  } catch {
    return '';
  }
}
