import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Seal } from './seals';

/** Storage for seals outside the database, which an attacker with access to the tables cannot change. */
export interface SealFiles {
  /**
   * Called before the row is committed, because the process may end, or another may check, before the seal is stored.
   */
  prepare(seal: Seal): Promise<void>;
  /** Returns the hash of a prepared seal, or null if there is none or a later one was stored. */
  prepared(throughId: number): Promise<string | null>;
  store(seal: Seal): Promise<void>;
  /** Returns the stored hashes by the ID through which they seal. */
  storedSeals(): Promise<ReadonlyMap<number, string>>;
}

/** Older seals are covered by the chain of newer seals. */
const FILES_MAX = 1_000;
const NAME = /^(\d+)\.json$/;
/** Files that are obsolete once a later seal is stored: prepared seals, and partial writes of ended processes. */
const PASSING = /^(\d+)\.(?:prepared|.*\..*)$/;

/** Seals as files of a folder. */
export class SealFolder implements SealFiles {
  constructor(private readonly folder: string) {}

  prepare(seal: Seal): Promise<void> {
    return this.write(`${seal.throughId}.prepared`, seal);
  }

  async prepared(throughId: number): Promise<string | null> {
    const text = await readFile(join(this.folder, `${throughId}.prepared`), 'utf8').catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      },
    );
    return text === null ? null : hashIn(text);
  }

  async store(seal: Seal): Promise<void> {
    await this.write(`${seal.throughId}.json`, seal);
    const tooMany = (await this.matching(NAME)).slice(FILES_MAX);
    // Its own prepared file stays, because another process may have checked for the file just before it existed.
    const passed = (await this.matching(PASSING)).filter(({ throughId }) => throughId < seal.throughId);
    for (const { name } of [...tooMany, ...passed]) await rm(join(this.folder, name), { force: true, recursive: true });
  }

  async storedSeals(): Promise<ReadonlyMap<number, string>> {
    const storedSeals = new Map<number, string>();
    for (const { name, throughId } of await this.matching(NAME)) {
      const text = await readFile(join(this.folder, name), 'utf8');
      storedSeals.set(throughId, hashIn(text));
    }
    return storedSeals;
  }

  /** Returns matching files, newest first. */
  private async matching(pattern: RegExp): Promise<{ name: string; throughId: number }[]> {
    const names = await readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    return names
      .flatMap((name) => {
        const throughId = pattern.exec(name)?.[1];
        return throughId === undefined ? [] : [{ name, throughId: Number(throughId) }];
      })
      .sort((a, b) => b.throughId - a.throughId);
  }

  private async write(name: string, seal: Seal): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const path = join(this.folder, name);
    // Uses a separate folder, because two processes may write the same seal.
    const own = await mkdtemp(`${path}.`);
    await writeFile(join(own, name), `${JSON.stringify(seal, null, 1)}\n`, { mode: 0o600, flush: true });
    await rename(join(own, name), path);
    await rm(own, { recursive: true });
  }
}

/** Returns the hash in a file. An unreadable file returns an empty hash, which differs from every seal. */
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
