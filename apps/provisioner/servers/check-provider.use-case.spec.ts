import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CREDENTIALS_ENTERED, CREDENTIALS_IN_USE, providerSecrets, SHARED_SECRETS } from '@moorage/contracts';
import { Alerts, providerChecks } from '@moorage/database';
import { HOUR_MS } from '@moorage/domain';
import { type Claim, Outbox, WorkSchedule } from '@moorage/messaging';
import { parseSettings, type ServiceBase, type Settings } from '@moorage/runtime';
import { SealBox, Secrets, type Db, seededRandom, SILENT } from '@moorage/server';
import { insertDeployment, insertUser, testDatabase, type TestDatabase } from '@moorage/testing';
import { cloudsOf } from '../clouds/cloud';
import { currentCloud } from '../clouds/current-cloud';
import { notConfiguredCloud } from '../clouds/not-configured';
import { OPTIONS } from '@moorage/tests/services/provisioner/build-provisioner';
import { fakeHetzner } from '@moorage/tests/fakes/clouds/fake-hetzner';
import type { FakeCloud } from '@moorage/tests/fakes/clouds/fake-http';
import { fixtureClock } from '@moorage/tests/services/provisioner/fixture-clock';
import { CheckProvider } from './check-provider.use-case';
import { EnteredCredentials } from './entered-credentials.service';
import { ProviderTrust } from './provider-trust.policy';

const OLD = 'the-old-token';
const NEW = 'the-new-token';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await testDatabase();
  db = await database.open({ service: 'provisioner' });
});
afterAll(() => database.drop());

const clock = fixtureClock();
const random = seededRandom(7);
const box = new SealBox({ keys: [{ id: 'k1', key: Buffer.alloc(32, 7) }], random });
const secrets = new Secrets({ box, clock, kinds: SHARED_SECRETS });
const work = new WorkSchedule({ clock });

let fake: FakeCloud;
/** Tokens that the fake provider accepts. */
let known: Set<string>;
let settings: Settings;
beforeEach(async () => {
  await database.sql(
    'truncate provider_breakers, provider_checks, provider_credentials, cloud_budgets; delete from secrets; delete from work; delete from servers',
  );
  known = new Set([OLD, NEW]);
  fake = await fakeHetzner({ now: () => clock.at, bootMs: 0, token: known, page: 50 });
  settings = { ...parseSettings({}), CLOUD_HETZNER: 'live', HETZNER_TOKEN: OLD, HETZNER_BASE_URL: fake.http.url };
});
afterEach(() => fake.http.close());

/** Creates a provisioner process with its own cache of opened credentials. */
function provisioner() {
  const cloud = currentCloud('hetzner', { settings, secrets, random, clock, db, log: SILENT });
  const clouds = cloudsOf((name) =>
    name === 'hetzner' ? cloud : notConfiguredCloud(name, 'is off in this installation'),
  );
  const outbox = new Outbox({ clock, random });
  const trust = new ProviderTrust(db, clock, outbox, new Alerts({ clock, log: SILENT }), SILENT);
  const base = { settings } as ServiceBase;
  const entered = new EnteredCredentials(db, clock, random, secrets, trust, work, base);
  const options = { ...OPTIONS, isLive: (name: string) => name === 'hetzner' };
  const check = new CheckProvider(db, clock, clouds, entered, work, options);
  const run = (key = 'hetzner') => check.run({ kind: 'check-provider', key } as Claim, new AbortController().signal);
  return { cloud, run, check };
}
const stored = async () => (await db.tx('test', providerChecks))[0];
const enter = async (token: string): Promise<void> => {
  await db.tx('test', async (tx) => {
    await secrets.put(tx, providerSecrets('hetzner'), CREDENTIALS_ENTERED, JSON.stringify({ HETZNER_TOKEN: token }));
    await tx.execute(
      `insert into provider_credentials (provider, entered_at, entered_state) values ('hetzner', $1, 'testing')
       on conflict (provider) do update set entered_at = $1, entered_state = 'testing'`,
      [new Date(clock.at).toISOString()],
    );
  });
};
const credentials = async () =>
  (
    await database.sql<{
      version: number;
      in_use: boolean;
      entered_state: string | null;
      refused_reason: string | null;
    }>('select version, stored_at is not null as in_use, entered_state, refused_reason from provider_credentials')
  )[0];
const secret = (name: string) => db.tx('test', (tx) => secrets.get(tx, providerSecrets('hetzner'), name));
/** From now on, the provider accepts only this token. */
const onlyTaken = (token: string): void => {
  known.clear();
  known.add(token);
};

describe('provider check', () => {
  it('stores the permissions and repeats after six hours', async () => {
    fake.http.removedRights.add('write');
    expect(await provisioner().run()).toEqual({ retry_at: clock.at + 6 * HOUR_MS, reason: 'the next check' });
    expect(await stored()).toMatchObject({
      checked_at: clock.at,
      rights: [
        { name: 'read', state: 'allowed', words: null },
        { name: 'write', state: 'missing', words: expect.stringMatching(/^403 forbidden/) },
      ],
      quota: null,
    });
  });

  it('stores the error without the token in place of permissions if the credentials are rejected', async () => {
    known.clear();
    await provisioner().run();
    const row = await stored();
    expect(row).toMatchObject({ rights: null, error_kind: 'auth', error_at: clock.at });
    expect(JSON.stringify(row)).not.toContain(OLD);
  });

  it('is skipped for a provider that is not live', async () => {
    expect(await provisioner().run('aws')).toEqual({ done: true });
    expect(await stored()).toBeUndefined();
  });

  it('is scheduled for each live provider at the start', async () => {
    await provisioner().check.checkNow(['hetzner']);
    expect(await database.sql('select kind, key from work')).toEqual([{ kind: 'check-provider', key: 'hetzner' }]);
  });
});

describe('entered credentials', () => {
  it('are used by every process at its next call once they have passed, and replace the old ones', async () => {
    const [one, other] = [provisioner(), provisioner()];
    const project = await other.cloud.projectId();
    await enter(NEW);
    await one.run();
    expect(await credentials()).toEqual({ version: 1, in_use: true, entered_state: null, refused_reason: null });
    expect([await secret(CREDENTIALS_IN_USE), await secret(CREDENTIALS_ENTERED)]).toEqual([
      JSON.stringify({ HETZNER_TOKEN: NEW }),
      null,
    ]);
    onlyTaken(NEW);
    expect(await other.cloud.projectId()).toBe(project);
    const [replaced] = await database.sql(
      `select facts from audit_records where action = 'provider.credentials_replaced' order by id desc limit 1`,
    );
    expect(JSON.stringify(replaced)).not.toContain(NEW);
  });

  it('are replaced by those of the settings when they are removed', async () => {
    const one = provisioner();
    await enter(NEW);
    await one.run();
    await database.sql(`update provider_credentials set version = version + 1, stored_at = null`);
    onlyTaken(OLD);
    await expect(one.cloud.projectId()).resolves.toMatch(/./);
  });

  it.each([
    ['the provider rejects them', () => void known.delete(NEW), 'refused'],
    ['a permission is missing', () => void fake.http.removedRights.add('write'), 'rights_missing'],
  ])('are not used when %s, and the old ones stay in use', async (_name, spoil, reason) => {
    const one = provisioner();
    await enter(NEW);
    spoil();
    await one.run();
    expect(await credentials()).toEqual({
      version: 0,
      in_use: false,
      entered_state: 'refused',
      refused_reason: reason,
    });
    expect([await secret(CREDENTIALS_IN_USE), await secret(CREDENTIALS_ENTERED)]).toEqual([null, null]);
    fake.http.removedRights.clear();
    onlyTaken(OLD);
    await expect(one.cloud.projectId()).resolves.toMatch(/./);
  });

  it('are not used if they belong to another project while our servers are in the old project', async () => {
    await database.sql(
      `insert into provider_breakers (provider, project_id, pinned_at) values ('hetzner', 'ours', now())`,
    );
    await withServer();
    await enter(NEW);
    await provisioner().run();
    expect(await credentials()).toMatchObject({ in_use: false, refused_reason: 'other_project' });
  });

  it('revoke the confirmation if they belong to another project', async () => {
    await database.sql(
      `insert into provider_breakers (provider, project_id, pinned_at, confirmed_project_id) values ('hetzner', 'old', now(), 'old')`,
    );
    await enter(NEW);
    await provisioner().run();
    expect(await credentials()).toMatchObject({ in_use: true });
    const [row] = await database.sql<{ project_id: string; confirmed_project_id: string }>(
      'select project_id, confirmed_project_id from provider_breakers',
    );
    expect(row?.project_id).not.toBe(row?.confirmed_project_id);
  });
});

/** Adds one of our servers, which exists at the provider. */
async function withServer(): Promise<void> {
  const owner = await database.open();
  await owner.tx('test', async (tx) => {
    const userId = await insertUser(tx, { at: clock.at, isAdmin: true });
    const id = await insertDeployment(tx, { userId, at: clock.at, status: 'READY', baseHourlyMicros: 1_000 });
    await tx.execute(
      `insert into servers (deployment_id, provider, region, instance_type, state, created_at)
       values ($1, 'hetzner', 'fsn1', 'cpx22', 'exists', now())`,
      [id],
    );
  });
}
