import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { initDatabase, loginUrl } from '@moorage/database';
import {
  createLog,
  type Db,
  freePort,
  PostgresDb,
  startEmbeddedPostgres,
  StartRefused,
  systemClock,
  systemRandom,
} from '@moorage/server';
import { handClock, makeRunFolder, postgresIn, TEST_PASSWORDS } from '@moorage/testing';
import { openWhenReady } from './open-when-ready';
import { parseSettings } from './read-settings';

const random = systemRandom();

describe('service started before its database', () => {
  // A dedicated server, because logins belong to the whole server and other suites use those of the shared server.
  let folder: string;
  let server: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
  beforeAll(async () => {
    folder = await makeRunFolder();
    server = await startEmbeddedPostgres({ folder: postgresIn(folder), unsafeFast: true });
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const urlOf = (database: string): string => {
    const url = new URL(server.url);
    url.pathname = `/${database}`;
    return url.href;
  };
  const settings = { ...parseSettings({}), DATABASE_SERVICE_PASSWORDS: TEST_PASSWORDS };
  const init = (database: string): Promise<void> => initDatabase({ settings, url: urlOf(database), random });
  const asOwner = async (sql: string): Promise<void> => {
    const db = await PostgresDb.open({ url: urlOf('postgres'), connections_max: 1 });
    await db.read('test.owner', (reads) => reads.query(sql)).finally(() => db.close());
  };

  /**
   * Starts a service. Each function in `meanwhile` runs once, when a line with its key was logged, like another part of
   * the stack.
   */
  async function start(
    url: string,
    meanwhile: Readonly<Record<string, () => Promise<void>>> = {},
  ): Promise<{ lines: string[]; waits: string[]; db: Db | null; error: unknown; waited_ms: number }> {
    const lines: string[] = [];
    const waits: string[] = [];
    const log = createLog({
      service: 'test',
      write: (line) => lines.push((JSON.parse(line) as { message: string }).message),
    });
    const began = systemClock().localNow();
    let done = 0;
    const clock = Object.assign(handClock(began), {
      sleep: async (ms: number) => {
        clock.at += ms;
        for (; done < lines.length; done++) await meanwhile[lines[done] ?? '']?.();
      },
    });
    const open = (): Promise<Db> =>
      PostgresDb.open({ url: loginUrl(url, 'api', TEST_PASSWORDS.api), connections_max: 1 });
    const opened = await openWhenReady({
      service: 'api',
      open,
      clock,
      log,
      onWait: (reason) => waits.push(reason),
    }).then(
      (db) => ({ db, error: null }),
      (error: unknown) => ({ db: null, error }),
    );
    return { ...opened, lines, waits, waited_ms: clock.at - began };
  }

  it('waits for the login and the schema that db:init creates, and logs once what it waits for', async () => {
    const { db, lines, error, waited_ms } = await start(server.url, {
      'waiting for a database login': () => init('moorage'),
    });
    expect(error).toBeNull();
    await db?.close();
    expect(lines).toEqual(['waiting for a database login']);
    expect(waited_ms).toBeLessThanOrEqual(500);
  });

  it('waits for a role that may not log in yet, for a missing database, then for the schema', async () => {
    await asOwner('alter role moorage_api nologin');
    const { db, lines, waits, error } = await start(urlOf('late'), {
      'waiting for a database login': async () => {
        await asOwner('create database late');
        await asOwner('alter role moorage_api login');
      },
      'waiting for the database schema': () => init('late'),
    });
    expect(error).toBeNull();
    await db?.close();
    expect(lines).toEqual(['waiting for a database login', 'waiting for the database schema']);
    expect(waits).toEqual(lines);
  });

  it.each([
    ['the login is rejected', 'login', /^The database refused the login .* run `npm run db:init`.*db:login api/],
    [
      'the schema is never created',
      'schema',
      /^The database had no schema of this version for a minute: run `npm run db:init`/,
    ],
    ['no server responds', 'server', /^The database server of DATABASE_URL did not answer within a minute/],
  ] as const)('ends after a minute with a message when %s', async (_, lack, sentence) => {
    const url = {
      login: async () => (await asOwner('alter role moorage_api nologin'), server.url),
      schema: async () => (await asOwner('alter role moorage_api login'), urlOf('postgres')),
      server: async () => server.url.replace(/:\d+\//, `:${await freePort()}/`),
    };
    const { error, lines, waited_ms } = await start(await url[lack]());
    expect(error).toBeInstanceOf(StartRefused);
    expect((error as Error).message).toMatch(sentence);
    expect(lines).toHaveLength(1);
    expect([waited_ms >= 60_000, waited_ms <= 61_000]).toEqual([true, true]);
  });
});
