import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Storage of simulated restic. Each copy is one file, in one folder per repository. The calls are synchronous because a
 * simulated server answers within one transaction.
 */
export abstract class SimulatedCopies {
  abstract write(ref: string, snapshotId: string, content: string): void;
  /** Returns the content of the copy, or null if it does not exist. */
  abstract read(ref: string, snapshotId: string): string | null;
  abstract list(ref: string): string[];
  abstract bytes(ref: string): number;
  abstract remove(ref: string, snapshotId: string): void;
  abstract drop(ref: string): void;
}

const SNAPSHOT = /^[0-9a-f]{64}$/;
const REF = /^[a-z0-9]{16}$/;

/** Stores copies in a folder that all provisioner processes share. */
export class FolderCopies extends SimulatedCopies {
  constructor(private readonly root: string) {
    super();
  }

  write(ref: string, snapshotId: string, content: string): void {
    const path = this.path(ref, snapshotId);
    mkdirSync(this.folder(ref), { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.part`, content, { mode: 0o600 });
    renameSync(`${path}.part`, path);
  }

  read(ref: string, snapshotId: string): string | null {
    const path = this.path(ref, snapshotId);
    return existsSync(path) ? readFileSync(path, 'utf8') : null;
  }

  list(ref: string): string[] {
    const folder = this.folder(ref);
    return existsSync(folder) ? readdirSync(folder).filter((name) => SNAPSHOT.test(name)) : [];
  }

  bytes(ref: string): number {
    return this.list(ref).reduce((sum, snapshotId) => sum + statSync(this.path(ref, snapshotId)).size, 0);
  }

  remove(ref: string, snapshotId: string): void {
    rmSync(this.path(ref, snapshotId), { force: true });
  }

  drop(ref: string): void {
    rmSync(this.folder(ref), { recursive: true, force: true });
  }

  private folder(ref: string): string {
    if (!REF.test(ref)) throw new RangeError('not a repository name');
    return join(this.root, ref);
  }

  private path(ref: string, snapshotId: string): string {
    if (!SNAPSHOT.test(snapshotId)) throw new RangeError('not a copy name');
    return join(this.folder(ref), snapshotId);
  }
}

/** Stores copies in memory, for tests and the simulation. */
export class MemoryCopies extends SimulatedCopies {
  private readonly copies = new Map<string, Map<string, string>>();

  write(ref: string, snapshotId: string, content: string): void {
    const repository = this.copies.get(ref) ?? new Map<string, string>();
    this.copies.set(ref, repository.set(snapshotId, content));
  }

  read(ref: string, snapshotId: string): string | null {
    return this.copies.get(ref)?.get(snapshotId) ?? null;
  }

  list(ref: string): string[] {
    return [...(this.copies.get(ref)?.keys() ?? [])];
  }

  bytes(ref: string): number {
    return [...(this.copies.get(ref)?.values() ?? [])].reduce((sum, content) => sum + content.length, 0);
  }

  remove(ref: string, snapshotId: string): void {
    this.copies.get(ref)?.delete(snapshotId);
  }

  drop(ref: string): void {
    this.copies.delete(ref);
  }
}
