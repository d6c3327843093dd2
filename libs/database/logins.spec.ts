import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresDb, startEmbeddedPostgres, systemRandom } from '@moorage/server';
import { makeRunFolder, postgresIn, TEST_PASSWORDS, testDatabase, type TestDatabase } from '@moorage/testing';
import { roleOf, SERVICES } from './grants';
import { ensureLogins, type LoginSettings, loginUrl, servicePasswords, serviceUrl, setLogins } from './logins';

const random = systemRandom();

describe('database logins of the services', () => {
  let database: TestDatabase;
  let folder: string;
  let settings: LoginSettings;
  beforeAll(async () => {
    database = await testDatabase();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'moorage-logins-'));
    settings = { DATA_DIR: folder };
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  afterAll(() => database.drop());

  it('are stored in the data folder with one password per service, and reused', async () => {
    const first = await servicePasswords(settings, random);
    expect(new Set(Object.values(first)).size).toBe(SERVICES.length);
    expect(await servicePasswords(settings, random)).toEqual(first);
  });

  it('use the configured password if set', async () => {
    const DATABASE_SERVICE_PASSWORDS = TEST_PASSWORDS;
    expect(await servicePasswords({ ...settings, DATABASE_SERVICE_PASSWORDS }, random)).toEqual(TEST_PASSWORDS);
  });

  it('stay unchanged if created elsewhere, and a request for one names where it is stored', async () => {
    // The test server has logins, while this folder contains no passwords.
    await ensureLogins({ settings, url: database.url, random });
    const db = await PostgresDb.open({ url: database.urlOf('api'), connections_max: 1 });
    await db.close();
    await expect(serviceUrl({ settings, url: database.url, random }, 'api')).rejects.toThrow(
      /DATABASE_SERVICE_PASSWORDS/,
    );
    expect(await serviceUrl({ settings, url: database.urlOf('api'), random }, 'api')).toBe(database.urlOf('api'));
  });

  it('reject another password and accept a password of any characters', async () => {
    // Uses a separate server, because roles belong to the whole server and other suites log in to the shared server.
    const own = await makeRunFolder();
    const server = await startEmbeddedPostgres({ folder: postgresIn(own), unsafeFast: true });
    try {
      const admin = await PostgresDb.open({ url: server.url, connections_max: 1 });
      await admin.tx('test.roles', async (tx) => {
        for (const service of SERVICES) await tx.execute(`create role ${roleOf(service)}`);
      });
      await admin.close();
      const odd = 'a/b+c=d?e#f@g:h%20 i';
      const enters = (password: string) =>
        PostgresDb.open({ url: loginUrl(server.url, 'billing', password), connections_max: 1 }).then((db) =>
          db.close(),
        );
      await setLogins(server.url, TEST_PASSWORDS, random);
      await enters(TEST_PASSWORDS.billing);
      await setLogins(server.url, { ...TEST_PASSWORDS, billing: odd }, random);
      await enters(odd);
      await expect(enters(TEST_PASSWORDS.billing)).rejects.toThrow(/password authentication failed/);
    } finally {
      await server.stop();
      await rm(own, { recursive: true, force: true });
    }
  });
});
