import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startEmbeddedPostgres } from './embedded-postgres';
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

  it('recovers when the database server itself was killed', async () => {
    const first = await startEmbeddedPostgres({ folder, unsafeFast: true });
    const [row] = await ask(first.url, 'select pg_backend_pid() as pid');
    const postmaster = spawn('sh', [
      '-c',
      `kill -9 $(ps -o ppid= -p ${(row as { pid: number }).pid} 2>/dev/null || head -1 ${folder}/pgdata/postmaster.pid)`,
    ]);
    await new Promise((resolve) => postmaster.once('exit', resolve));
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
