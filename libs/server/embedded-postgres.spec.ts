import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { isAlive, startEmbeddedPostgres } from './embedded-postgres';
import { keptKey } from './kept-key';
import { systemRandom } from './random';

describe('the embedded PostgreSQL', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'moorage-embedded-'));
    await chmod(folder, 0o755);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const ask = async (url: string, sql: string): Promise<unknown[]> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };

  it('is found running by the next start, and its data by the start after a stop', async () => {
    const first = await startEmbeddedPostgres({ folder, unsafeFast: true });
    await ask(first.url, 'create table kept (id integer); insert into kept values (7)');
    // the first starter is gone without stopping it, as after kill -9
    const second = await startEmbeddedPostgres({ folder, unsafeFast: true });
    expect(second.url).toBe(first.url);
    await second.stop();
    const third = await startEmbeddedPostgres({ folder, unsafeFast: true });
    expect(await ask(third.url, 'select id from kept')).toEqual([{ id: 7 }]);
    await third.stop();
    await third.stop(); // stopping what has stopped is no error
  });

  it('recovers when the database server itself was killed, and a process of it goes only later', async () => {
    const first = await startEmbeddedPostgres({ folder, unsafeFast: true });
    const [lasting] = await ask(first.url, `select pid from pg_stat_activity where backend_type = 'checkpointer'`);
    const postmaster = Number((await readFile(join(folder, 'pgdata', 'postmaster.pid'), 'utf8')).split('\n')[0]);
    const { pid } = lasting as { pid: number };
    process.kill(pid, 'SIGSTOP');
    process.kill(postmaster, 'SIGKILL');
    while (isAlive(postmaster)) await new Promise((resolve) => setTimeout(resolve, 20));
    setTimeout(() => process.kill(pid, 'SIGCONT'), 500);
    const second = await startEmbeddedPostgres({ folder, unsafeFast: true });
    expect(await ask(second.url, 'select id from kept')).toEqual([{ id: 7 }]);
    await second.stop();
  });

  it('refuses strangers: the password of the folder is needed', async () => {
    const postgres = await startEmbeddedPostgres({ folder, unsafeFast: true });
    const wrong = new URL(postgres.url);
    wrong.password = 'guess';
    await expect(ask(wrong.href, 'select 1')).rejects.toThrow(/password/);
    await postgres.stop();
  });
});

describe('a kept key', () => {
  it('is the same for everybody who asks at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'moorage-key-'));
    const asked = await Promise.all(
      Array.from({ length: 8 }, () => keptKey({ folder, name: 'k', bytes: 32, random: systemRandom() })),
    );
    expect(new Set(asked).size).toBe(1);
    await rm(folder, { recursive: true });
  });
});
