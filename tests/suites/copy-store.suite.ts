import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CopyStore,
  CopyStoreError,
  type CopyToTest,
  type Repository,
} from '@moorage/provisioner/backups/copy-store';

export interface CopyStoreFixture {
  readonly store: CopyStore;
  /** A name that no other test uses. */
  readonly ref: string;
  /**
   * Stores a copy with a database as a server does, with `hostEnvironment`, and returns the facts that a server
   * reports.
   */
  backUp(environment: Readonly<Record<string, string>>, database: string): Promise<CopyToTest>;
  /** Changes the content of the target, so that the data of these copies differs from what was stored. */
  damage(ref: string): Promise<void>;
}

const never = (): AbortSignal => new AbortController().signal;

async function problemOf(act: Promise<unknown>): Promise<string> {
  try {
    await act;
    return 'none';
  } catch (error) {
    return error instanceof CopyStoreError ? error.problem : String(error);
  }
}

/** Tests that every store of copies must pass. */
export function copyStoreSuite(name: string, open: () => Promise<CopyStoreFixture>): void {
  describe(`copy store: ${name}`, () => {
    let fixture: CopyStoreFixture;
    let repository: Repository;
    beforeEach(async () => {
      fixture = await open();
      repository = { ref: fixture.ref, mode: 'real', password: 'the key of the copies', hostPassword: 'h'.repeat(43) };
      await fixture.store.open(repository, never());
    });
    const backUp = (database: string): Promise<CopyToTest> =>
      fixture.backUp(fixture.store.hostEnvironment(repository), database);
    const listed = async (): Promise<string[]> =>
      (await fixture.store.list(repository, never())).map(({ snapshotId }) => snapshotId).sort();

    it('is empty at first, also if the repository is opened twice', async () => {
      await fixture.store.open(repository, never());
      expect(await listed()).toEqual([]);
      expect(await fixture.store.usedBytes(repository, never())).toBe(0);
      expect(await problemOf(fixture.store.check(repository, { data: true }, never()))).toBe('none');
    });

    it('turns a copy into a tar file with all its contents', async () => {
      const copy = await backUp('one');
      const tar = await fixture.store.archive(repository, copy.snapshotId, never());
      const parts: Buffer[] = [];
      for await (const part of tar) parts.push(part as Buffer);
      expect(Buffer.concat(parts).includes('one')).toBe(true);
      expect(
        await problemOf(
          fixture.store.archive(repository, 'f'.repeat(64), never()).then(async (none) => {
            for await (const _ of none);
          }),
        ),
      ).not.toBe('none');
    });

    it('lists copies with their size', async () => {
      const copies = [await backUp('one'), await backUp('two')];
      expect(await listed()).toEqual(copies.map(({ snapshotId }) => snapshotId).sort());
      expect(await fixture.store.usedBytes(repository, never())).toBeGreaterThan(0);
      expect(await problemOf(fixture.store.check(repository, { data: false }, never()))).toBe('none');
    });

    it('removes copies by id and no others, and ignores an unknown id', async () => {
      const [first, second] = [await backUp('one'), await backUp('two')];
      await fixture.store.remove(repository, [first.snapshotId, 'f'.repeat(64)], never());
      expect(await listed()).toEqual([second.snapshotId]);
      await fixture.store.remove(repository, [first.snapshotId], never());
      expect(await fixture.store.test(repository, second, never())).toMatchObject({ bytes: second.bytes });
      await fixture.store.remove(repository, [second.snapshotId], never());
      expect(await listed()).toEqual([]);
    });

    it('restores copies for tests and compares them with the data their server reported', async () => {
      const copy = await backUp('a whole database');
      expect(await fixture.store.test(repository, copy, never())).toMatchObject({ bytes: copy.bytes });
      const [dump] = copy.dumps;
      const other = { ...copy, dumps: [{ name: dump?.name ?? '', bytes: (dump?.bytes ?? 0) + 1 }] };
      expect(await problemOf(fixture.store.test(repository, other, never()))).toBe('damaged');
    });

    it('finds damaged copies at the target by a check and by a test', async () => {
      const copy = await backUp('a database of some length'.repeat(1000));
      await fixture.damage(repository.ref);
      expect(await problemOf(fixture.store.check(repository, { data: true }, never()))).toBe('damaged');
      expect(await problemOf(fixture.store.test(repository, copy, never()))).toBe('damaged');
    });

    it('does not open copies with another password', async () => {
      const copy = await backUp('one');
      const other = { ...repository, password: 'another one' };
      expect(await problemOf(fixture.store.check(other, { data: false }, never()))).toBe('password');
      expect(await problemOf(fixture.store.test(other, copy, never()))).toBe('password');
    });

    it('removes copies with their repository, even if damaged, and starts again with other keys', async () => {
      await backUp('one');
      await fixture.damage(repository.ref);
      await fixture.store.drop(repository, never());
      await fixture.store.drop(repository, never());
      repository = { ...repository, password: 'a new key', hostPassword: 'n'.repeat(43) };
      await fixture.store.open(repository, never());
      expect(await listed()).toEqual([]);
      const copy = await backUp('two');
      expect(await fixture.store.test(repository, copy, never())).toMatchObject({ bytes: copy.bytes });
    });
  });
}
