import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SILENT } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { openService } from './service';
import { parseSettings } from './read-settings';

describe('service process', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  it.each([
    ['api', '8s', '20s'],
    // A leaked lock must not stop the daily run (L7).
    ['billing', '10s', '15min'],
  ] as const)(
    '%s waits for a lock no longer than %s and for a statement no longer than %s',
    async (service, ...limits) => {
      const databaseUrl = database.urlOf(service);
      const base = await openService({ service, settings: parseSettings({}), databaseUrl, log: SILENT, relays: false });
      try {
        const shown = `select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`;
        const [row] = await base.db.read('test.limits', (reads) =>
          reads.query<{ lock: string; statement: string }>(shown),
        );
        expect([row?.lock, row?.statement]).toEqual(limits);
      } finally {
        await base.close();
      }
    },
  );

  it('starts only with its own login', async () => {
    for (const databaseUrl of [database.url, database.urlOf('billing')]) {
      const settings = parseSettings({});
      const opening = openService({ service: 'api', settings, databaseUrl, log: SILENT, relays: false });
      await expect(opening).rejects.toThrow(/the api logs in as moorage_api, not as moorage/);
    }
  });
});
