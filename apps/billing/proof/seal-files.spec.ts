import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { instant } from '@moorage/domain';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SealFolder } from './seal-files';

const seal = (throughId: number, hash: string) => ({
  day: '2026-12-01',
  afterId: 0,
  throughId,
  accounts: 1,
  hash,
  stretches: [],
  sealedAt: instant('2026-12-02T03:00:00Z'),
});

describe('seal files', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'seals-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('are readable only by their owner and contain the sealed hash', async () => {
    const files = new SealFolder(join(folder, 'seals'));
    expect(await files.storedSeals()).toEqual(new Map());
    await files.store(seal(10, 'aa'));
    await files.store(seal(20, 'bb'));
    expect(await files.storedSeals()).toEqual(
      new Map([
        [20, 'bb'],
        [10, 'aa'],
      ]),
    );
    expect((await stat(join(folder, 'seals', '10.json'))).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(join(folder, 'seals', '20.json'), 'utf8'))).toMatchObject({ day: '2026-12-01' });
  });

  it('can be written by several processes at once without leftovers', async () => {
    const of = join(folder, 'together');
    const together = Array.from({ length: 20 }, () => new SealFolder(of));
    await together[0]?.prepare(seal(10, 'aa'));
    // State left by a process that ended during a write.
    await mkdir(join(of, '10.json.AbCdEf'));
    await writeFile(join(of, '10.json.AbCdEf', '10.json'), '{"day"');
    await Promise.all(together.map((files) => files.store(seal(20, 'bb'))));
    expect(await together[0]?.storedSeals()).toEqual(new Map([[20, 'bb']]));
    expect(await readdir(of)).toEqual(['20.json']);
  });

  it('match no seal if unreadable', async () => {
    const files = new SealFolder(join(folder, 'broken'));
    await files.store(seal(10, 'aa'));
    await writeFile(join(folder, 'broken', '10.json'), '{"day"');
    expect(await files.storedSeals()).toEqual(new Map([[10, '']]));
  });
});
