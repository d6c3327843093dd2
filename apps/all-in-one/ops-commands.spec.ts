import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BACKUP_PASSWORD, backupSecrets, SHARED_SECRETS } from '@moorage/contracts';
import type { Service } from '@moorage/database';
import { CLOUD_NAMES } from '@moorage/domain';
import { type FakeCloud, fakeHetzner } from '@moorage/tests/services/provisioner/clouds';
import { parseSettings } from '@moorage/runtime';
import { SealBox, Secrets, SILENT, systemClock, systemRandom } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { commands } from './ops-commands';

describe("operators' commands", () => {
  let database: TestDatabase;
  const printed: string[] = [];
  beforeEach(async () => {
    database = await testDatabase();
    printed.length = 0;
  });
  afterEach(() => database.drop());

  const ops = (name: string, ...args: string[]): Promise<string> => opsWith({}, name, ...args);

  async function opsWith(env: Record<string, string>, name: string, ...args: string[]): Promise<string> {
    printed.length = 0;
    const context = {
      settings: parseSettings({ ...env, SECRETS_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}` }),
      databaseUrl: database.url,
      urlOf: (service: Service) => Promise.resolve(database.urlOf(service)),
      log: SILENT,
      print: (line: string) => void printed.push(line),
    };
    await commands.find((known) => known.name === name)?.run(context, args);
    return printed.join('\n');
  }

  it('clouds:prices lists the age of the prices and sold-out sizes of each provider', async () => {
    const type = (name: string, available: boolean) => ({
      name,
      display_name: name,
      cpu: 2,
      memory_gb: 4,
      available,
      hourly_micros: '20001',
    });
    const instance_types = [type('a', false), type('b', true)];
    const regions = [{ name: 'fsn1', display_name: 'x', country_code: 'de', instance_types }];
    const store = (provider: string, at: string) =>
      database.sql(
        `insert into catalogues (provider, source, regions, refreshed_at, due_at)
         values ($1, 'live', $2, $3::timestamptz, '2026-12-01T12:00:00Z')`,
        [provider, JSON.stringify(regions), at],
      );
    await store('hetzner', new Date().toISOString());
    await store('vultr', '2020-12-01T06:00:00Z');
    await database.sql(
      `insert into provider_breakers (provider, project_id, pinned_at, proven_at, refused_at, confirmed_project_id)
       values ('hetzner', 'p', now(), now(), null, 'p'), ('vultr', 'p', now(), now(), null, 'p'),
         ('linode', 'p', now(), now(), now(), 'p')`,
    );
    const env = {
      CLOUD_HETZNER: 'live',
      CLOUD_VULTR: 'live',
      CLOUD_LINODE: 'live',
      CLOUD_AWS: 'live',
      CLOUD_GCP: 'off',
      STRIPE_SECRET_KEY: 'sk_live_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
    };
    const lines = (await opsWith(env, 'clouds:prices')).split('\n');
    const live = ['aws', 'hetzner', 'linode', 'vultr'];
    const shown = CLOUD_NAMES.filter((name) => name !== 'gcp');
    expect(lines.map((line) => line.split(':')[0]).sort()).toEqual(
      shown.map((name) => `${name} ${live.includes(name) ? 'live' : 'simulated'}`).sort(),
    );
    const of = (provider: string) => lines.find((line) => line.startsWith(provider));
    expect(of('aws')).toBe('aws live: not offered, its credentials are not proven; no response yet');
    expect(of('linode')).toContain('not offered, its credentials are rejected');
    expect(of('hetzner')).toMatch(/; sold from the provider's catalogue; 2 sizes, sold out: fsn1\/a$/);
    expect(of('vultr')).toMatch(
      /last response 2020-12-01T06:00:00.000Z, next request from 2026-12-01T12:00:00.000Z; sold from the built-in catalogue; \d+ sizes, sold out: none$/,
    );
    expect(of('azure')).toMatch(/^azure simulated: no response yet; \d+ sizes, sold out: none$/);
  });

  it("backups:key prints the password of a deployment's backups, and audits its reader and the reason", async () => {
    const { id } = await backedUp();
    const target = {
      BACKUP_TARGET: 's3:https://s3.example.com/backups',
      BACKUP_S3_ACCESS_KEY_ID: 'key-1',
      BACKUP_S3_SECRET_ACCESS_KEY: 'x',
      BACKUP_HOSTS_URL: 'rest:https://backups.example.com/',
      BACKUP_HTPASSWD_FILE: '/srv/access/htpasswd',
    };
    expect((await opsWith(target, 'backups:key', String(id), 'ada', 'asked', 'for', 'it')).split('\n')).toEqual([
      `# 2026-12-01T03:00:00.000Z ${'a'.repeat(64)} 1200 bytes`,
      'RESTIC_REPOSITORY=s3:https://s3.example.com/backups/abcdefgh12345678',
      'RESTIC_PASSWORD=the key',
    ]);
    expect(await database.sql('select action, subject, facts from audit_records')).toEqual([
      {
        action: 'deployment.backup_key_read',
        subject: `deployment:${id}`,
        facts: { by: 'ada', reason: 'asked for it' },
      },
    ]);
    await expect(opsWith(target, 'backups:key', String(id), 'ada')).rejects.toThrow('usage: backups:key');
    await expect(opsWith(target, 'backups:key', '999', 'ada', 'x')).rejects.toThrow('deployment 999 has no backups');
  });

  async function backedUp(): Promise<{ id: number }> {
    await database.sql(
      `insert into users (username, email, email_normalised, password_hash, referral_code, is_verified, created_at)
       values ('captain', 'captain@example.com', 'captain@example.com', '-', 'code', true, now())`,
    );
    const db = await database.open();
    const clock = systemClock();
    const [{ id } = { id: 0 }] = await database.sql<{ id: number }>(
      `insert into deployments (user_id, ref, client_name, client_id, package, server_type, support_level,
         instance_hourly_micros, status, created_at, updated_at)
       select id, 'abcdefgh12345678', 'Sites', 'c', 'pangolin', 'new', 2, 0, 'READY', now(), now() from users
       returning id`,
    );
    await database.sql(`insert into backup_repositories (deployment_id, mode, created_at) values ($1, 'real', now())`, [
      id,
    ]);
    await database.sql(
      `insert into backups (deployment_id, kind, state, requested_at, started_at, snapshot_id, bytes)
       values ($1, 'scheduled', 'complete', now(), '2026-12-01T03:00:00Z', $2, 1200)`,
      [id, 'a'.repeat(64)],
    );
    const box = new SealBox({ keys: [{ id: 'test', key: Buffer.alloc(32, 7) }], random: systemRandom() });
    const secrets = new Secrets({ box, clock, kinds: SHARED_SECRETS });
    await db.tx('test', (tx) => secrets.put(tx, backupSecrets(id), BACKUP_PASSWORD, 'the key'));
    return { id };
  }

  it('health lists problems and fails, and does not count as a scheduled check', async () => {
    expect(await ops('health')).toMatch(/last automatic check by billing: none yet\n.*\nNo alert is open\.$/);
    await database.sql(
      `insert into operator_alerts (kind, subject, facts, first_seen_at, last_seen_at)
       values ('server_reappeared', 'hetzner', '{"count": 2}', '2026-12-01T12:00:00Z', '2026-12-01T12:00:00Z')`,
    );
    await expect(ops('health')).rejects.toThrow('one alert is open');
    expect(printed.at(-1)).toBe(
      'server_reappeared hetzner: Lost servers have reappeared. Since 2026-12-01T12:00:00.000Z, not emailed: {"count":2}',
    );
    expect(printed[0]).toBe('last automatic check by billing: none yet');
  });

  it('billing:audit lists its scope, and health the result of the newest audit', async () => {
    expect(await ops('billing:audit')).toBe(
      'audited: every posting (no month is closed)\nAll invariants of the ledger hold.',
    );
    expect(await ops('billing:audit', '--whole')).toMatch(/^audited: every posting \(asked for\)\n/);
    expect(await ops('health')).toContain('\nthe audit covered every posting (asked for)\n');
    await expect(ops('billing:audit', '--all')).rejects.toThrow('usage: billing:audit [--whole]');
  });

  it('payments:compare lists its scope, and fails if anything differs', async () => {
    expect(await ops('payments:compare')).toBe(
      'compared: 0 payments, refunds and disputes\nThe ledger matches the payment provider.',
    );
    await database.sql(
      `insert into users (username, email, email_normalised, password_hash, referral_code, created_at)
         values ('jane', 'jane@example.com', 'jane@example.com', 'x', 'X', now())`,
    );
    await database.sql(
      `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, status, payment_intent, created_at, paid_at)
         select 'cs_live_1', id, 1000, true, '', 'paid', 'pi_of_elsewhere', now() - interval '3 hours', now() - interval '2 hours' from users where username = 'jane'`,
    );
    await database.sql(
      `insert into payment_movements (id, reversal_id, payment_intent, kind, amount_micros, posted_micros, created_at, posted_at)
         values ('txn_of_elsewhere', 're_1', 'pi_of_elsewhere', 'refund', 1000000, 1000000, now() - interval '2 hours', now())`,
    );
    await expect(ops('payments:compare')).rejects.toThrow(/open; administrators can settle them/);
  });

  it('providers lists the mode and state of each provider, never a secret', async () => {
    const env = {
      STRIPE_SECRET_KEY: 'sk_live_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
      CLOUD_HETZNER: 'live',
      HETZNER_TOKEN: 'the-token-of-hetzner',
      CLOUD_LINODE: 'live',
      LINODE_TOKEN: 'the-token-of-linode',
      CLOUD_VULTR: 'live',
      VULTR_API_KEY: 'the-key-of-vultr',
      CLOUD_DIGITALOCEAN: 'live',
      CLOUD_AWS: 'off',
    };
    await database.sql(
      `insert into provider_breakers (provider, project_id, confirmed_project_id, pinned_at, proven_at, refused_at, create_refused_with, opened_at, reason) values
         ('hetzner', 'project-1', 'project-1', '2026-12-01T10:00:00Z', '2026-12-01T10:00:00Z', null, null, null, null),
         ('linode', 'project-2', null, '2026-12-01T10:00:00Z', '2026-12-01T10:00:00Z', '2026-12-01T11:00:00Z', 'fingerprint', '2026-12-01T12:00:00Z', 'many_missing')`,
    );
    await database.sql(
      `insert into catalogues (provider, source, regions, refreshed_at, due_at)
       values ('hetzner', 'live', '[]', '2026-12-01T09:00:00Z', '2026-12-01T15:00:00Z')`,
    );
    await database.sql(
      `insert into cloud_budgets (name, creates_left, filled_at, blocked_until) values ('hetzner fingerprint', 1, now(), '2099-01-01T00:00:00Z')`,
    );
    await database.sql(
      `insert into cloud_messages (provider, message_id, received_at) values
         ('azure', '1', '2026-12-01T10:00:00Z'), ('azure', '2', '2026-12-01T11:00:00Z')`,
    );
    const output = await opsWith(env, 'providers');
    const states = [
      'aws: off, no catalogue yet',
      'azure: simulated, no catalogue yet, last callback 2026-12-01T11:00:00.000Z',
      'digitalocean: live, no credentials, no catalogue yet',
      'hetzner: live, credentials proven since 2026-12-01T10:00:00.000Z, project project-1, paused until 2099-01-01T00:00:00.000Z, catalogue live of 2026-12-01T09:00:00.000Z',
      'linode: live, credentials rejected for creating servers since 2026-12-01T11:00:00.000Z, project project-2 (not confirmed), breaker open since 2026-12-01T12:00:00.000Z (many_missing), no catalogue yet',
      'vultr: live, credentials not checked yet, no catalogue yet',
    ];
    const others = CLOUD_NAMES.filter((name) => !states.some((state) => state.startsWith(`${name}:`)));
    expect(output.split('\n').sort()).toEqual(
      [...states, ...others.map((name) => `${name}: simulated, no catalogue yet`)].sort(),
    );
    expect(output).not.toMatch(/the-token|the-key|fingerprint/);
  });

  describe('clouds:check', () => {
    let fake: FakeCloud;
    let env: Record<string, string>;
    beforeEach(async () => {
      fake = await fakeHetzner({ now: Date.now, bootMs: 0, token: 'the-token-of-hetzner' });
      env = {
        CLOUD_HETZNER: 'live',
        HETZNER_TOKEN: 'the-token-of-hetzner',
        HETZNER_BASE_URL: fake.http.url,
        CLOUD_AWS: 'off',
        STRIPE_SECRET_KEY: 'sk_live_x',
        STRIPE_WEBHOOK_SECRET: 'whsec_x',
      };
      await database.sql(
        `insert into provider_breakers (provider, project_id, pinned_at, proven_at) values ('hetzner', 'project-1', now(), now())`,
      );
    });
    afterEach(() => fake.http.close());
    const confirm = (...args: string[]) => opsWith(env, 'clouds:confirm', ...args);

    it('fails while a project is not confirmed, and names it', async () => {
      await expect(opsWith(env, 'clouds:check')).rejects.toThrow('something is missing at hetzner');
      expect(printed).toContain('hetzner: project project-1 is not confirmed');
      expect(await confirm('hetzner', 'mira', 'it', 'is', 'ours')).toBe(
        'servers may be created in project project-1 of hetzner',
      );
      const output = await opsWith(env, 'clouds:check');
      const hetzner = [
        expect.stringMatching(/^hetzner: live, 2 of 2 rights proven at 20\d\d-.*Z$/),
        'hetzner: project project-1 is confirmed',
        'hetzner: this provider does not report quotas',
      ];
      expect(output.split('\n')).toEqual([
        'aws: off',
        ...CLOUD_NAMES.slice(1).flatMap((name) => (name === 'hetzner' ? hetzner : [`${name}: simulated`])),
        'Nothing is missing.',
      ]);
      expect(await database.sql(`select facts from audit_records where action = 'provider.project_confirmed'`)).toEqual(
        [{ facts: { by: 'mira', reason: 'it is ours', project_id: 'project-1' } }],
      );
    });

    it('fails for a missing permission, and names only that permission', async () => {
      await confirm('hetzner', 'mira', 'ours');
      fake.http.removedRights.add('write');
      await expect(opsWith(env, 'clouds:check')).rejects.toThrow('something is missing at hetzner');
      expect(printed.filter((line) => line.includes('missing'))).toEqual(['hetzner: right missing: write']);
    });

    it('fails for rejected credentials without showing them', async () => {
      await confirm('hetzner', 'mira', 'ours');
      await expect(opsWith({ ...env, HETZNER_TOKEN: 'a-revoked-token' }, 'clouds:check')).rejects.toThrow('hetzner');
      expect(printed).toContainEqual(expect.stringMatching(/^hetzner: live, the check failed: auth 401/));
      expect(printed.join()).not.toContain('a-revoked-token');
    });

    it('finds no project at a provider that is not queried, and needs a name and a reason for a confirmation', async () => {
      await expect(confirm('vultr', 'mira', 'why')).rejects.toThrow(
        'the project of the credentials of vultr is not known yet',
      );
      await expect(confirm('hetzner', 'mira')).rejects.toThrow(/^usage: clouds:confirm/);
      await expect(confirm('nowhere', 'mira', 'why')).rejects.toThrow(/^usage: clouds:confirm/);
    });
  });

  it('servers:remove-unowned names a server, and removes none without name and reason or before the second check', async () => {
    const remove = (...args: string[]) => ops('servers:remove-unowned', 'hetzner', 'fsn1', ...args);
    await expect(remove('77')).rejects.toThrow('no server without an owner was found under this id');
    await database.sql(
      `insert into cloud_leaks (provider, kind, region, holding_id, name, labels, state, first_seen_at, last_seen_at, times_seen)
       values ('hetzner', 'server', 'fsn1', '77', 'moorage-x', '{}', 'suspected', '2026-12-01T10:00:00Z', '2026-12-01T10:00:00Z', 1)`,
    );
    const seen = 'first seen 2026-12-01T10:00:00.000Z, owner unknown\nnothing changes without your name and a reason';
    expect(await remove('77')).toBe(`server moorage-x, suspected, ${seen}`);
    await expect(remove('77', 'mira')).rejects.toThrow('your name and the reason are recorded');
    await expect(remove('77', 'mira', 'a', 'test')).rejects.toThrow('finds it again from 2026-12-01T11:00:00.000Z');
    const decided = () =>
      database.sql(`select subject, facts from audit_records where action = 'server.without_owner_given_up'`);
    expect(await decided()).toEqual([]);
    await database.sql(`update cloud_leaks set state = 'confirmed'`);
    expect(await remove('77', 'mira', 'a', 'test')).toContain('the server is being removed with all its data');
    const facts = { by: 'mira', reason: 'a test', name: 'moorage-x' };
    expect(await decided()).toEqual([{ subject: 'hetzner/fsn1/77', facts }]);
    expect(await database.sql('select state, decided_by, reason from cloud_leaks')).toEqual([
      { state: 'removing', decided_by: 'mira', reason: 'a test' },
    ]);
    expect(await database.sql(`select key from work where kind = 'decide-leak'`)).toHaveLength(1);
  });

  it('account:reset-two-factor turns it off, audits the operator, and notifies the owner', async () => {
    const reset = (email: string) => ops('account:reset-two-factor', email, 'mira', 'phone', 'lost');
    await expect(ops('account:reset-two-factor', 'jane@example.com')).rejects.toThrow(
      /^usage: account:reset-two-factor/,
    );
    const [jane] = await database.sql<{ id: number }>(
      `insert into users (username, email, email_normalised, password_hash, referral_code, created_at, two_factor_at)
         values ('jane', 'jane@example.com', 'jane@example.com', 'x', 'X', now(), now()) returning id`,
    );
    await database.sql(`insert into recovery_codes (user_id, code_hash, created_at) values ($1, 'x', now())`, [
      jane?.id,
    ]);
    expect(await reset('Jane@example.com')).toBe('done: the user can log in with the password alone');
    expect(await database.sql('select two_factor_at from users')).toEqual([{ two_factor_at: null }]);
    expect(await database.sql('select 1 from recovery_codes')).toEqual([]);
    expect(await database.sql('select action, subject, facts from audit_records')).toEqual([
      { action: 'account.two_factor_reset', subject: `user:${jane?.id}`, facts: { by: 'mira', reason: 'phone lost' } },
    ]);
    expect(await database.sql('select recipient, template from mails')).toEqual([
      { recipient: 'jane@example.com', template: 'two_factor_off' },
    ]);
    await expect(reset('jane@example.com')).rejects.toThrow('no account with this address uses two-factor');
  });

  it('parked:retry --all requires consumer, time, name and reason', async () => {
    const all = (...args: string[]) => ops('parked:retry', '--all', ...args);
    await expect(all()).rejects.toThrow(/^usage: parked:retry --all/);
    await expect(all('--consumer', 'api', '--since', '2026-12-01T00:00:00Z', 'mira')).rejects.toThrow(/^usage/);
    await expect(all('--consumer', 'apo', '--since', '2026-12-01T00:00:00Z', 'mira', 'why')).rejects.toThrow(
      'not a consumer: apo (api, provisioner, billing)',
    );
    await expect(all('--consumer', 'api', '--since', 'noon', 'mira', 'why')).rejects.toThrow('not an instant: noon');
    expect(await all('--consumer', 'api', '--since', '2026-12-01T00:00:00Z', 'mira', 'the', 'bug', 'is', 'fixed')).toBe(
      'retrying 0 deliveries of api that were parked since 2026-12-01T00:00:00.000Z',
    );
  });
});
