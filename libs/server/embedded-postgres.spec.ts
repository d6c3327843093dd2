import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { findEmbeddedPostgres, startEmbeddedPostgres, stopEmbeddedPostgres } from './embedded-postgres';
import { loadOrCreateKey } from './key-file';
import { SILENT } from './log';
import { removePlace } from './postgres-data-folder';
import { isAlive, isPostgresOf } from './processes';
import { systemRandom } from './random';

const runQuery = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 45_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not within 45 seconds: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Returns `folder` itself, or the place that the file `where` beside it names, because the server's account cannot
 * enter every folder.
 */
const placeOf = async (folder: string): Promise<string> =>
  readFile(join(dirname(folder), 'where'), 'utf8').then(
    (text) => text.trim(),
    () => folder,
  );

const dataOf = async (folder: string): Promise<string> => join(await placeOf(folder), 'pgdata');

/** Returns the process id of the server, or 0 if none runs. */
const postmasterOf = async (folder: string): Promise<number> =>
  Number((await readFile(join(await dataOf(folder), 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);

/**
 * Kills the server and returns its process id. Signal 9 to process 0 would end the tests and everything around them.
 */
async function killServerOf(folder: string): Promise<number> {
  const pid = await postmasterOf(folder);
  if (!(pid > 0)) throw new Error(`no server runs in ${folder}`);
  process.kill(pid, 'SIGKILL');
  return pid;
}

describe('embedded PostgreSQL', () => {
  let top: string;
  let folder: string;
  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), 'moorage-embedded-'));
    folder = join(top, 'postgres');
    await chmod(top, 0o755);
  });
  afterAll(async () => {
    await stopEmbeddedPostgres(folder);
    await rm(top, { recursive: true, force: true });
  });

  it('is reused by the next start while running, and its data by the start after a stop', async () => {
    const first = await startEmbeddedPostgres({ folder, unsafeFast: true });
    await runQuery(first.url, 'create table kept (id integer); insert into kept values (7)');
    // The first starter is gone without stopping it, as after kill -9.
    const second = await startEmbeddedPostgres({ folder, unsafeFast: true });
    expect(second.url).toBe(first.url);
    await second.stop();
    const third = await startEmbeddedPostgres({ folder, unsafeFast: true });
    expect(await runQuery(third.url, 'select id from kept')).toEqual([{ id: 7 }]);
    await third.stop();
    await third.stop(); // stopping twice is not an error
  });

  it('recovers when the database server was killed and a process of it ends later', async () => {
    const first = await startEmbeddedPostgres({ folder, unsafeFast: true });
    const [lasting] = await runQuery(first.url, `select pid from pg_stat_activity where backend_type = 'checkpointer'`);
    const { pid } = lasting as { pid: number };
    process.kill(pid, 'SIGSTOP');
    const postmaster = await killServerOf(folder);
    await until('the server ended', () => !isAlive(postmaster));
    setTimeout(() => process.kill(pid, 'SIGCONT'), 500);
    const second = await startEmbeddedPostgres({ folder, unsafeFast: true });
    expect(await runQuery(second.url, 'select id from kept')).toEqual([{ id: 7 }]);
    await second.stop();
  });

  it('rejects connections without the password of the folder', async () => {
    const postgres = await startEmbeddedPostgres({ folder, unsafeFast: true });
    const wrong = new URL(postgres.url);
    wrong.password = 'guess';
    await expect(runQuery(wrong.href, 'select 1')).rejects.toThrow(/password/);
    await postgres.stop();
  });

  it('logs the failed statement without values of rows', async () => {
    const postgres = await startEmbeddedPostgres({ folder, unsafeFast: true });
    const twice = `create table people (email text unique); insert into people values ('ada@example.com')`;
    await runQuery(postgres.url, twice);
    await expect(runQuery(postgres.url, 'insert into people select email from people')).rejects.toThrow(
      /duplicate key/,
    );
    await postgres.stop();
    const logs = join(await dataOf(folder), 'log');
    const text = (await Promise.all((await readdir(logs)).map((file) => readFile(join(logs, file), 'utf8')))).join('');
    expect(text).toContain('duplicate key value violates unique constraint "people_email_key"');
    expect(text).not.toContain('Key (email)');
  });

  describe('with a reused process id in postmaster.pid', () => {
    let stranger: ChildProcessWithoutNullStreams;
    let left: string;
    beforeAll(async () => {
      const first = await startEmbeddedPostgres({ folder, unsafeFast: true });
      left = await readFile(join(await dataOf(folder), 'postmaster.pid'), 'utf8');
      await first.stop();
      // Run as the server's own account, because PostgreSQL mistakes any process of it for a server.
      const { uid, gid } = await stat(await dataOf(folder));
      stranger = spawn('cat', process.getuid?.() === 0 ? { uid, gid, cwd: '/' } : {});
      stranger.stdin.on('error', () => undefined);
    });
    afterAll(() => void stranger.kill('SIGKILL'));

    /** Returns whether the process still responds, after all pending signals. */
    const answers = (): Promise<boolean> =>
      new Promise((resolve) => {
        stranger.stdout.once('data', () => resolve(true));
        stranger.once('close', () => resolve(false));
        stranger.stdin.write('there?');
      });
    const leaveFile = async (): Promise<void> => {
      const file = join(await dataOf(folder), 'postmaster.pid');
      const { uid, gid } = await stat(await dataOf(folder));
      await writeFile(file, left.replace(/^\d+/, String(stranger.pid)), { mode: 0o600 });
      await chown(file, uid, gid);
    };

    it('stops without signalling another process', async () => {
      await leaveFile();
      await stopEmbeddedPostgres(folder);
      expect(await answers()).toBe(true);
    });

    it('starts, and its stop ends only the server', async () => {
      await leaveFile();
      const postgres = await startEmbeddedPostgres({ folder, unsafeFast: true });
      expect(postgres.tookOver).toBe(false);
      expect(await runQuery(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
      await postgres.stop();
      expect(await answers()).toBe(true);
    });
  });

  describe('under supervision', () => {
    it('serves at the same address after each kill -9 of its server, until it is stopped', async () => {
      const lost: Error[] = [];
      const postgres = await startEmbeddedPostgres({
        folder,
        unsafeFast: true,
        settings: ['synchronous_commit=on'],
        supervision: { log: SILENT, lost: (error) => void lost.push(error) },
      });
      await runQuery(postgres.url, 'create table committed (id integer); insert into committed values (9)');
      for (let round = 0; round < 3; round++) {
        const killed = await killServerOf(folder);
        await until('another server answers', async () => {
          const now = await postmasterOf(folder);
          return (
            now > 0 &&
            now !== killed &&
            (await runQuery(postgres.url, 'select 1').then(
              () => true,
              () => false,
            ))
          );
        });
      }
      expect(await runQuery(postgres.url, 'select id from committed')).toEqual([{ id: 9 }]);
      const last = await postmasterOf(folder);
      await postgres.stop();
      // The process has ended, or only waits to be reaped by its parent.
      expect(isPostgresOf(last, await dataOf(folder))).toBe(false);
      expect(lost).toEqual([]);
    });

    it('is reused and supervised by the next start if only its starter was killed', async () => {
      const left = await startEmbeddedPostgres({ folder, unsafeFast: true });
      const postgres = await startEmbeddedPostgres({
        folder,
        unsafeFast: true,
        supervision: { log: SILENT, lost: () => undefined },
      });
      expect([postgres.tookOver, postgres.url]).toEqual([true, left.url]);
      await killServerOf(folder);
      await until('it answers', () =>
        runQuery(postgres.url, 'select 1').then(
          () => true,
          () => false,
        ),
      );
      expect((await findEmbeddedPostgres({ folder })).url).toBe(postgres.url);
      await postgres.stop();
    });

    it('stops retrying and logs that when it no longer starts', async () => {
      let lose: (error: Error) => void = () => undefined;
      const lost = new Promise<Error>((resolve) => (lose = resolve));
      const postgres = await startEmbeddedPostgres({
        folder,
        unsafeFast: true,
        supervision: { log: SILENT, lost: lose, restartDelay_ms: 1 },
      });
      const settings = join(await dataOf(folder), 'postgresql.conf');
      await rename(settings, `${settings}.away`);
      await killServerOf(folder);
      expect((await lost).message).toMatch(/started 10 times/);
      await rename(`${settings}.away`, settings);
      await postgres.stop();
    });

    it('can be stopped while it starts', async () => {
      const postgres = await startEmbeddedPostgres({
        folder,
        unsafeFast: true,
        supervision: { log: SILENT, lost: () => undefined },
      });
      const killed = await killServerOf(folder);
      await until('it starts', async () => (await postmasterOf(folder)) !== killed);
      await postgres.stop();
      expect(isPostgresOf(await postmasterOf(folder), await dataOf(folder))).toBe(false);
    });
  });

  it('starts again after the first start was killed in the middle', async () => {
    const other = join(top, 'other');
    await mkdir(join(other, 'pgdata.draft-killed'), { recursive: true });
    await writeFile(join(other, 'pgdata.draft-killed', 'PG_VERSION'), '18\n');
    const postgres = await startEmbeddedPostgres({ folder: other, unsafeFast: true });
    expect(await runQuery(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await postgres.stop();
  });
});

/** Only root's server needs another place. All other users run the server under their own account. */
const asRoot = process.getuid?.() === 0;

describe('database location in a private home folder', () => {
  let home: string;
  let folder: string;
  const wherein = (): Promise<string | undefined> =>
    readFile(join(home, 'data', 'where'), 'utf8').then(
      (text) => text.trim(),
      () => undefined,
    );
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'moorage-home-')); // mode 700
    folder = join(home, 'data', 'postgres');
    await mkdir(join(home, 'data'));
  });
  afterAll(async () => {
    await stopEmbeddedPostgres(folder);
    await removePlace(folder);
    await rm(home, { recursive: true, force: true });
  });

  it(
    asRoot ? 'is elsewhere, of an account of its own, and named by `where`' : 'is the data folder itself',
    async () => {
      const postgres = await startEmbeddedPostgres({ folder, unsafeFast: true });
      await runQuery(postgres.url, 'create table kept (id integer); insert into kept values (7)');
      await postgres.stop();
      expect((await stat(home)).mode & 0o777).toBe(0o700);
      const place = await wherein();
      if (!asRoot)
        return expect([place, (await stat(join(folder, 'pgdata'))).uid]).toEqual([undefined, process.getuid?.()]);
      expect(place).toMatch(/^\/var\/lib\/moorage\/[0-9a-f]{16}(-\d+)?$/);
      const { mode, uid } = await stat(place ?? '');
      expect(mode & 0o777).toBe(0o700);
      expect([0, 65534]).not.toContain(uid);
      for (const part of ['pgdata', 'pgpassword', 'data-folder'])
        expect((await stat(join(place ?? '', part))).uid).toBe(uid);
    },
  );

  it('is found again, and follows a moved data folder', async () => {
    const place = await wherein();
    await rename(join(home, 'data'), join(home, 'moved'));
    const moved = join(home, 'moved', 'postgres');
    const postgres = await startEmbeddedPostgres({ folder: moved, unsafeFast: true });
    expect(await runQuery(postgres.url, 'select id from kept')).toEqual([{ id: 7 }]);
    await postgres.stop();
    await rename(join(home, 'moved'), join(home, 'data'));
    expect(await wherein()).toBe(place);
  });

  it('is never replaced by an empty database when missing, nor shared with a copy of the data folder', async () => {
    const place = await wherein();
    if (place === undefined) return expect(asRoot).toBe(false);
    await rename(place, `${place}.away`);
    await expect(startEmbeddedPostgres({ folder, unsafeFast: true })).rejects.toThrow(/restore it, or remove/);
    await rename(`${place}.away`, place);
    await startEmbeddedPostgres({ folder, unsafeFast: true }).then((postgres) => postgres.stop());
    await mkdir(join(home, 'copy'));
    await writeFile(join(home, 'copy', 'where'), place);
    await expect(startEmbeddedPostgres({ folder: join(home, 'copy', 'postgres') })).rejects.toThrow(/is a copy of/);
  });

  it('is created beside the remains of a data folder of the same name', async () => {
    const place = await wherein();
    await rm(join(home, 'data'), { recursive: true });
    const postgres = await startEmbeddedPostgres({ folder, unsafeFast: true });
    await expect(runQuery(postgres.url, 'select id from kept')).rejects.toThrow(/does not exist/);
    await postgres.stop();
    expect(await wherein()).toBe(asRoot ? `${place}-2` : undefined);
    if (place !== undefined) await rm(place, { recursive: true });
  });

  it('moves from an open folder when the folder becomes private', async () => {
    const open = join(home, 'open', 'postgres');
    await mkdir(join(home, 'open'));
    await chmod(home, 0o755);
    const before = await startEmbeddedPostgres({ folder: open, unsafeFast: true });
    await runQuery(before.url, 'create table kept (id integer); insert into kept values (8)');
    await before.stop();
    await chmod(home, 0o700);
    const after = await startEmbeddedPostgres({ folder: open, unsafeFast: true });
    try {
      expect(await runQuery(after.url, 'select id from kept')).toEqual([{ id: 8 }]);
    } finally {
      await after.stop();
      await removePlace(open);
    }
  });
});

describe('stored key', () => {
  it('is the same for all concurrent callers', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'moorage-key-'));
    const requested = await Promise.all(
      Array.from({ length: 8 }, () => loadOrCreateKey({ folder, name: 'k', bytes: 32, random: systemRandom() })),
    );
    expect(new Set(requested).size).toBe(1);
    await rm(folder, { recursive: true });
  });
});
