import { Readable } from 'node:stream';
import { pack } from 'tar-stream';
import { readCopy, testCopy } from '../clouds/sandbox/copies';
import { CopyStore, CopyStoreError, type CopyToTest, type Repository, type StoredCopy } from './copy-store';
import type { SimulatedCopies } from '../clouds/sandbox/simulated-copies';

/** Platform side of simulated repositories. */
export class SimulatedStore extends CopyStore {
  constructor(private readonly copies: SimulatedCopies) {
    super();
  }

  open(): Promise<void> {
    return Promise.resolve();
  }

  hostEnvironment({ ref, password }: Repository): Readonly<Record<string, string>> {
    return { RESTIC_REPOSITORY: `simulated:${ref}`, RESTIC_PASSWORD: password };
  }

  list({ ref }: Repository): Promise<StoredCopy[]> {
    return Promise.resolve(this.copies.list(ref).map((snapshotId) => ({ snapshotId })));
  }

  remove({ ref }: Repository, snapshotIds: readonly string[]): Promise<void> {
    for (const snapshotId of snapshotIds) this.copies.remove(ref, snapshotId);
    return Promise.resolve();
  }

  usedBytes({ ref }: Repository): Promise<number> {
    return Promise.resolve(this.copies.bytes(ref));
  }

  async check({ ref, password }: Repository): Promise<void> {
    for (const snapshotId of this.copies.list(ref)) {
      const copy = readCopy(this.copies.read(ref, snapshotId));
      if (copy === null) throw new CopyStoreError('damaged', `the copy ${snapshotId.slice(0, 8)} cannot be read`);
      if (copy.password !== password) throw new CopyStoreError('password', 'another password');
    }
    return Promise.resolve();
  }

  archive({ ref }: Repository, snapshotId: string): Promise<Readable> {
    const copy = readCopy(this.copies.read(ref, snapshotId));
    if (copy === null) return Promise.reject(new CopyStoreError('damaged', 'the copy cannot be read'));
    const tar = pack();
    for (const [path, { folder, data }] of Object.entries(copy.files))
      if (folder !== true) tar.entry({ name: path.replace(/^\//, '') }, Buffer.from(data ?? '', 'base64'));
    tar.finalize();
    return Promise.resolve(Readable.from(tar));
  }

  /** Restores the copy to a separate simulated server that is not visible elsewhere. */
  test(repository: Repository, { snapshotId, dumps }: CopyToTest): Promise<{ bytes: number }> {
    const environment = this.hostEnvironment(repository);
    const outcome = testCopy(this.copies, { ref: repository.ref, environment, snapshotId });
    if (outcome.state !== 'done') {
      const problem = outcome.exit === 12 ? 'password' : outcome.exit === 10 ? 'missing' : 'damaged';
      return Promise.reject(new CopyStoreError(problem, `the copy ${snapshotId.slice(0, 8)} was not restored`));
    }
    for (const { name, bytes } of dumps)
      if (outcome.dumps?.find((dump) => dump.name === name)?.bytes !== bytes)
        return Promise.reject(new CopyStoreError('damaged', `the dump ${name} does not have ${bytes} bytes`));
    return Promise.resolve({ bytes: outcome.bytes ?? 0 });
  }

  drop({ ref }: Repository): Promise<void> {
    this.copies.drop(ref);
    return Promise.resolve();
  }
}
