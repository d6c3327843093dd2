import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Seal } from './seals';

/** Where seals are kept outside the database: who can rewrite the tables cannot rewrite these. */
export interface SealFiles {
  keep(seal: Seal): Promise<void>;
  /** The hashes that were kept, by the id up to which they seal. */
  kept(): Promise<ReadonlyMap<number, string>>;
}

/** Older ones are covered by the chain of the newer ones. */
const FILES_MAX = 1_000;
const NAME = /^(\d+)\.json$/;

export function createSealFiles(folder: string): SealFiles {
  const numbers = async (): Promise<number[]> => {
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    return names
      .flatMap((name) => NAME.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => b - a);
  };
  return {
    async keep(seal) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${seal.throughId}.json`);
      await writeFile(`${path}.part`, `${JSON.stringify(seal, null, 1)}\n`, { mode: 0o600, flush: true });
      await rename(`${path}.part`, path);
      for (const old of (await numbers()).slice(FILES_MAX)) await rm(join(folder, `${old}.json`), { force: true });
    },
    async kept() {
      const kept = new Map<number, string>();
      for (const throughId of await numbers()) {
        const text = await readFile(join(folder, `${throughId}.json`), 'utf8');
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
