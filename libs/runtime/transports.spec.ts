import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PgNotify } from '@moorage/messaging';
import { type Db, type Log, SILENT, systemClock } from '@moorage/server';
import { makeRunFolder, removeRunFolder, testDatabase, type TestDatabase } from '@moorage/testing';
import { promises } from './run-service';
import { parseSettings, SettingsError } from './read-settings';
import { chosenTransports, openTransports, type Transports, transportState } from './transports';

/** Port 1 on loopback, where nothing listens. */
const kafka = { KAFKA_BROKERS: '127.0.0.1:1' };
const bull = { REDIS_URL: 'redis://127.0.0.1:1' };

describe('transports', () => {
  it.each([
    [{}, 'postgresql', 'postgresql'],
    [kafka, 'kafka', 'postgresql'],
    [bull, 'postgresql', 'bull'],
    [{ ...kafka, ...bull }, 'kafka', 'bull'],
  ])('are selected by setting and logged at the start: %j', (given, events, work) => {
    expect(chosenTransports(parseSettings(given))).toEqual({ events, work });
    expect(promises(parseSettings(given))).toMatchObject({ events, work });
  });
});

describe('transports with unavailable servers', () => {
  const clock = systemClock();
  const reported: string[] = [];
  const log: Log = { ...SILENT, warn: (line) => void reported.push(line), info: (line) => void reported.push(line) };
  let database: TestDatabase;
  let db: Db;
  let pgNotify: PgNotify;
  let transports: Transports | undefined;

  beforeEach(async () => {
    database = await testDatabase();
    db = await database.open();
    pgNotify = new PgNotify({ db, clock });
    reported.splice(0);
  });
  afterEach(async () => {
    await transports?.events.close();
    await transports?.work.close();
    transports = undefined;
    await pgNotify.close();
    await database.drop();
  });

  const open = (given: Record<string, string>): Transports => {
    transports = openTransports(parseSettings(given), { db, clock, pgNotify, log, onError: () => undefined });
    return transports;
  };

  it('are opened anyway, and log the settings once', async () => {
    const { events, work } = open({ ...kafka, ...bull });
    await events.subscribe('billing', ['deployment'], () => Promise.resolve());
    await work.listen('run', 1, () => Promise.resolve());
    while (reported.length < 2) await clock.sleep(20);
    expect([...reported].sort()).toEqual([
      'KAFKA_BROKERS: no broker responds; events wait in the database',
      'REDIS_URL: connection refused by 127.0.0.1:1; work waits in the database',
    ]);
    const state = transportState(parseSettings({ ...kafka, ...bull }), { events, work });
    expect(state.reached()).toBe(false);
    expect(state.troubles()).toEqual([
      'KAFKA_BROKERS: no broker responds',
      'REDIS_URL: connection refused by 127.0.0.1:1',
    ]);
  });

  it('on PostgreSQL need no other server', () => {
    expect(transportState(parseSettings({}), open({})).reached()).toBe(true);
  });

  it.each([
    ['KAFKA_TLS_CA_FILE', { ...kafka, KAFKA_TLS: 'on' }],
    ['REDIS_TLS_CA_FILE', { REDIS_URL: 'rediss://127.0.0.1:1' }],
  ])('are not opened without their trusted authority: %s', async (name, given) => {
    const folder = await makeRunFolder();
    try {
      const path = join(folder, 'ca.pem');
      expect(() => open({ ...given, [name]: path })).toThrow(SettingsError);
      expect(() => open({ ...given, [name]: path })).toThrow(`${name}: the file cannot be read (ENOENT)`);
      await writeFile(path, 'PEM');
      open({ ...given, [name]: path });
    } finally {
      await removeRunFolder(folder);
    }
  });
});
