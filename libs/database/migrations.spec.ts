import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresDb } from '@moorage/server';
import { createBaseline, emptyDatabase, type TestDatabase } from '@moorage/testing';
import { BASELINE_FINGERPRINT, FINGERPRINT, isSchemaReady, migrate, SCHEMA_VERSION, serverRefusal } from './migrate';

/**
 * Hashes of the released migrations. A migration on `main` has been applied somewhere, so it never changes again
 * (docs/adr/0018). A new migration is added here in its own commit.
 */
const FROZEN: Readonly<Record<string, string>> = {
  '0001-baseline.ts': 'f79870717f610f80c6fee17924dd2f65c17d11147c6741ea6b55ab915f5bea1c',
  '0010-open-intervals.ts': '0577309945def8dc13a7f1315508e8573f19590ef3c94add35375523ae942dd3',
  '0020-provable-books.ts': '8ac1079a60a788ec888d77ec63a52578e17db89895109cab30011693e4cf37dd',
  '0030-growth-indexes.ts': '4044068ecaa49c5a25366569c79dd51604a272dc0289490a71114eb7cefa1e42',
  '0031-retention.ts': '3e1cccac7b35bf0262b5c004b14689ceee7c30e8dba0cd43578a8e1507c19020',
  '0032-deployments-of-user.ts': '27047c0804140a4c283dbbdcc7c1c8ee6b37499276953e29530b53afde221bdf',
  '0040-provider-breakers.ts': 'a1878b13aa15852748b3fbd9f9e29a054019db117c99c183457f7301c029b464',
  '0041-prices-of-one-instant.ts': '040987f6f239fe3a1b7187a19a36d7edfdb6bcd069cf9291e7d25f1ee1926e26',
  '0070-login-networks.ts': '6e34dfdc77fc758c7355d90449e4f3532619fefddec0b37792b18b660a791fe0',
  '0090-billing-failures.ts': '00e9784c84810a29cb962ffac9e517f0ddb7434acbb9bd46a0049919ab74a049',
  '0091-operator-alerts.ts': 'e83399104b2c839cb8c4a581fb219f4ed14438ea386ab87f5ff78a62f199ce69',
  '0092-unwanted-deployments.ts': '29385aa01f6d14fe5adb0b454c09ef95edc2b0b535750bf3e4cfc3135f53176d',
  '0099-failures-without-lock.ts': '760bc084c966c322b5e113e3618729f26cde92f561f3462e137f627280e00713',
  '0100-ledger-by-day.ts': 'd857ac69d36031b7b022c60f7c15a03be02886a70424f116970c8acc77276a5a',
  '0110-order-of-sending.ts': 'f0ab0ed53574e6f7812c6b771a8212fce0439ccc8322cc3833041b00e1c6b1f7',
  '0111-audit-by-months.ts': '79ec238d9fc8111627145729d46ae776e74dc464c15c5afd22b29836136e523c',
  '0112-checks-without-runs.ts': 'df5b63465cf5986c2234998e5cfc02022d6944f880317f4e7d02e29c33025182',
  '0113-catalogues.ts': 'cd0184d3c5c82f0e13f512aa7bc325d0280003a597a834bb72136fe7980d4fa8',
  '0114-certificates-per-host.ts': '321cde40e54258ac1686093bba09dd435a6e32056ab63b8b5592c85c3cb5b5f3',
  '0115-standard-names.ts': '25e007e16ff475ed87d442cbb092eb990bf6d0515377285d673aedfb94634af4',
  '0116-messages-and-languages.ts': 'c46857d2935eb77174b6e5a4dc3a0e2a9cce2d0a54a9988fe689e1f07e75811a',
  '0117-accounts-of-people.ts': 'a73a1171fbd2f57160e694618f31b176ca3a0772b641e075fad23010c16e5718',
  '0118-rows-of-exports.ts': '999ba2e1ffa957779f5d9e8212fd62aa4c03c9e5e0df379ab388d01f28a9fb7b',
  '0119-views-of-accounts.ts': '4ceb06aad08fbb01ad0c822ef47577771d0ba2557631f0309c10eb6818cf16b7',
  '0120-referrals-and-free-credits.ts': 'f5056d66aa0ea819845ada0ec471a85b9c4d04d9897c9313bb0ad443b70e30b4',
  '0121-mails-of-accounts.ts': '2fac44736a1dccc56eef2e1603df0f7b74dfb2b100679b27c964f9da4ee8fbed',
  '0122-conversations.ts': '967e1602b85c9771ee3ad8f4b27fa7fe385d7608e62df26ac4befaf322330b93',
  '0123-changes-of-deployments.ts': 'de439b667e4c80a6a687cc27d9c2a83fa0dd3ebe4564bed12a424f89530d731f',
  '0124-runs-that-change-the-domain.ts': '6a70fa171e89514d65299e9824ee941623d336e5ccdf6d2f19452d79092e25a2',
  '0125-reachability.ts': 'bd6257a1076c4c0e6dfa1dcba2e5753f744d39d8ec8d36f0a49e40acc5ad4c20',
  '0126-correlation-of-work.ts': 'd3479718dd8ccc4a6d0d80c3d2cef5f517f30e0c6b9631ff60022209fb95bf6f',
  '0127-payments.ts': '5b31e8c1eb269349d5df41321cce441bf6d440356f0f3564bffd472228b20dd7',
  '0128-automatic-top-up.ts': 'f6595ef1f30da7ec25a0c3dcbdfe75e76a8722956b60c3d9a72cef39c4475758',
  '0129-billing-documents.ts': '0f5975dccdd223b9c3be17f079d30072ab13344935799b2e1fa62f4f1c281339',
  '0130-live-clouds.ts': 'f7a7a0f0682319d119bf6a38cf95ecd36726311ade2b910078e3d81ae64e32f3',
  '0132-faults-of-clouds.ts': 'cead57eb373fc8260c6925c2cf72d6a769a26b6d980804c0631077d58a3e38bc',
  '0140-strength-of-credentials.ts': '915599c5792472ef8a1f609144bb29e3397b309d139723a86388a13a54cf1b34',
  '0141-document-files.ts': '248a74209a38425b7480c53bad6c110d2318887529b5e6dcfc24efd7ed38cf6c',
  '0142-activity.ts': '4119de58a3a74e8811a5ab47189b6cf9881d99b9385b13dfe47f077d72173d87',
  '0143-tax-rates.ts': '7bcd333ea30a2653053674e8263da0f00a77131132d5e86ceee4b3d8fcb6a5b6',
  '0144-repairs-of-payments.ts': '4ae826c6ba32232f9fe866fe872c77d0449a5eb461a7806fb14501d9386bc276',
  '0145-mailboxes.ts': '31bdb1b03547ba1ea9c10d8cd2fd7061fbf307c8175764b11dc5745d479325b7',
  '0146-hashes-of-documents.ts': '76eae4d47fbdb2fcc7f2401e887888c0cd1165cd2c54280369bed8cef3c97d8e',
  '0147-networks-of-tokens.ts': '55fff801a98d4d10735e8a29ded2082395ffeba684f71b62b67894ba46c4431c',
  '0148-refused-places.ts': '395a5cff6e1efe52864910f640b639e58833d0e205aadeb70e60a61b15b05f2f',
  '0150-keys-of-messages.ts': 'c9b584fea14309d9c5d0938aab43f0f8a69a87e34db2ecedfc7f1bc06f35c965',
  '0154-refused-mails-and-folded-names.ts': '9a5a5716eaf13b5c03d1faa663193c23882a97fb5f29f68e5814d2fda5a1735d',
  '0156-backups.ts': 'ccd3595e98493550eea79fd6234ac42239adfddf518e40aa655ff55073efd756',
  '0158-backup-downloads.ts': '08a2e3e46821439dec3db55f7f1a4d8105a974b0646edd93250b118e8adeac6c',
  '0160-tidying-after-restores.ts': 'cc06a34bda7156e8575c4ba775c0345bc5e810bcadfad7e62c6b397bdba9713a',
  '0161-closed-accounts.ts': '9a892ade97f3c76c9068270431727fcd5ad5747aa4e7a25c0031d9e41cd4e409',
  '0162-backup-buckets.ts': 'b29492d57a41d5d32e0c658edd23a380cefad6f486e65136f2cbd73d23cd23c5',
  '0164-cloud-callbacks.ts': 'd644a56b27f8fcdc7cb4def0064cc112577a8fe2a0b8011d8d46eed60cb52f53',
  '0166-provider-checks.ts': 'ab6c12c814984cec9b7ed7c28ec3c86f71e19d799df63e0620b1322fe14d64a9',
  '0168-cloud-leaks.ts': '5ae393ba27f0cf8d13459dd5e027ca0d0f8067bf3e5ef5fe934802572459d1a5',
  '0170-stale-backups.ts': 'c603d443492be6a14ad180e9369322eeb852eac2191afebfb822600a9e964078',
  '0172-changes-of-running-deployments.ts': '7399918309244ac8c83e4f154dbe206bc428c9c39fabca0f7ed9dbfcf5f50eb7',
  '0174-ssh-keys.ts': '756e9b9d411215b9136aad268213eff7c40551b2b4886cc8d9f361bda0636dac',
  '0176-moves.ts': 'b0811e6b7aaae2ebf89bfb74a543b2006887189cbca03d4da80d310b858470ed',
  '0178-sudo-users-and-hand-overs.ts': 'ce63de719aeb8d59154546e9a47822115b06a149aea016bde52284214a3318c9',
  '0180-deleted-from.ts': '1766c8e304ff7fc2410a3a2c5af14adea3297c1a495c2657413ce8a79dbdb1a2',
  '0182-further-domains.ts': '0131bcb0272f9cf2545de848ca6c324da59c3ad6fa0bd39b96cda15be9494890',
  '0184-sizes-of-running-servers.ts': 'fc6e68919ff5d2d130901109f6a37176b52709e202bc734ef6fdfb6459ba9332',
  '0186-dns-checks-of-changes.ts': '4fb3d22640b3360f14ae51e408d9f1df93217d957966764c0ce45e4a30d83248',
  '0187-watching.ts': 'c9ed59b5f0468c99a7b0d08affce4b598b3081235608a7464b0b0d919e5c1608',
  '0188-container-logs.ts': '440bea43264c02a4c97dc9e52f53e3993814203c90c77eb04fb6d0ec009b9664',
  '0189-releases.ts': 'ade15486f39d476e69544aee035863c674c49baf1e4b5c6db95371bf6552f73d',
  '0190-reboots.ts': '60c2162fcc7992ae19747bb82681aa5bd6fad74974aee2ee1fe80e19df8da8dc',
  '0193-announced-versions.ts': '3c1e23ef36a427ba035ad7fff6b5c3ae3bd824ce7440a068c5857873f571ad79',
  '0194-image-checks.ts': '3fc9239892e7bab9be11140b1066f04e34cd8b2163812d29267ef1e271bb4f36',
  '0195-platform-names.ts': '5dd9cd645e7b83b6d45869c5f55ea0537f857874629dfa357bc6d714d15e63dc',
  '0196-sorted-deployments.ts': '68287f0b541e65bb408d0e253dbb3e4741543351b9a103fa219288dcaa030f96',
};

const FOLDER = join('libs', 'database', 'migrations');
const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

describe('migrations', () => {
  it('are byte for byte those that were released', () => {
    const found = readdirSync(FOLDER).map((name) => [name, createHash('sha256').update(textOf(name)).digest('hex')]);
    expect(Object.fromEntries(found)).toEqual(FROZEN);
  });

  it('have a time of their own each, because TypeORM sorts them by it', () => {
    const times = readdirSync(FOLDER).map((name) => /readonly name = '\D+(\d{13})'/.exec(textOf(name))?.[1]);
    expect(times).not.toContain(undefined);
    expect(new Set(times).size).toBe(times.length);
  });

  describe('applied to a database', () => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await emptyDatabase();
    });
    afterEach(() => database.drop());

    const isReady = async (): Promise<boolean> => {
      const db = await PostgresDb.open({ url: database.url, connections_max: 1 });
      try {
        return await db.read('test.ready', isSchemaReady);
      } finally {
        await db.close();
      }
    };

    it('update a database from the baseline, once', async () => {
      await createBaseline(database.url);
      expect(await database.sql(FINGERPRINT)).toEqual([{ fingerprint: BASELINE_FINGERPRINT }]);
      expect(await isReady()).toBe(false);
      await migrate(database.url);
      expect(await isReady()).toBe(true);
      await migrate(database.url);
      expect(await database.sql('select count(*)::int as n from migrations where name = $1', [SCHEMA_VERSION])).toEqual(
        [{ n: 1 }],
      );
    });

    it('suffice for this code when a newer version has applied more, so that a rolling upgrade keeps serving', async () => {
      await migrate(database.url);
      await database.sql(`insert into migrations ("timestamp", name) values (9999999999999, 'Later9999999999999')`);
      expect(await isReady()).toBe(true);
    });

    it('do not suffice while one in the middle is missing', async () => {
      await migrate(database.url);
      await database.sql(`delete from migrations where name = 'Baseline1763683200000'`);
      expect(await isReady()).toBe(false);
    });

    it('reject a database with another baseline with a message, and leave it unchanged', async () => {
      await createBaseline(database.url);
      await database.sql('drop index runs_one_a_check');
      await expect(migrate(database.url)).rejects.toThrow('a development version before commit b8fae6a');
      expect(await database.sql('select name from migrations')).toEqual([{ name: 'Baseline1763683200000' }]);
    });

    it('convert a running check run to its own work, and delete the runs of checks', async () => {
      await createBaseline(database.url);
      await database.sql(`insert into users (id, username, email, email_normalised, password_hash, referral_code, created_at)
        values (1, 'ada', 'ada@example.com', 'ada@example.com', '-', 'code', '2026-12-01T00:00:00Z')`);
      await database.sql(`insert into vps_checks (user_id, address, state, asked_at) values
        (1, '192.0.2.1', 'passed', '2026-12-01T10:00:00Z'), (1, '192.0.2.2', 'asked', '2026-12-01T10:01:00Z')`);
      await database.sql(`insert into runs (vps_check_id, plan, steps, state, started_at)
        select id, 'check-vps', '{check-vps}', case state when 'asked' then 'running' else 'done' end, asked_at from vps_checks`);
      await database.sql(`insert into work (kind, key, due_at, created_at)
        select 'run', id::text, started_at, started_at from runs where state = 'running'`);
      await migrate(database.url);
      expect(await database.sql('select kind, key, due_at from work')).toEqual([
        { kind: 'check-vps', key: '2', due_at: Date.parse('2026-12-01T10:01:00Z') },
      ]);
      expect(await database.sql('select id from runs')).toEqual([]);
      await expect(
        database.sql(`insert into runs (plan, steps, started_at) values ('create', '{}', '2026-12-01T10:02:00Z')`),
      ).rejects.toThrow('deployment_id');
    });

    it('rename old names in rows to the standard names', async () => {
      await createBaseline(database.url);
      await database.sql(`insert into users (id, username, email, email_normalised, password_hash, referral_code, created_at)
        values (1, 'ada', 'ada@example.com', 'ada@example.com', '-', 'code', '2026-12-01T00:00:00Z')`);
      await database.sql(`insert into deployments (id, user_id, ref, client_name, client_id, package, server_type, support_level,
          instance_hourly_micros, status, created_at, updated_at)
        values (1, 1, 'r', 'shop', 'shop', 'pangolin', 'new', 1, 35600, 'PROVISIONING', '2026-12-01T09:50:00Z', '2026-12-01T09:50:00Z')`);
      await database.sql(`insert into runs (deployment_id, plan, steps, memory, started_at)
        values (1, 'create', '{wait-for-ssh}', '{"yours": "access", "said": "x"}', '2026-12-01T09:50:00Z')`);
      await database.sql(`insert into work (kind, key, due_at, because, created_at)
        values ('dns-look', '1', '2026-12-01T10:00:00Z', 'the records', '2026-12-01T10:00:00Z')`);
      await database.sql(`insert into outbox (event_id, stream, event_name, version, aggregate_id, sequence, shard, correlation_id, occurred_at, data)
        values ('00000000-0000-4000-8000-000000000001', 'balance', 'balance.hold_opened', 1, '1', 1, 0, 'c', '2026-12-01T10:00:00Z', '{}')`);
      await database.sql(`insert into inbox (consumer, event_id, stream, event_name, aggregate_id, sequence, envelope, arrived_at, due_at)
        select 'api', event_id, stream, event_name, aggregate_id, sequence, jsonb_build_object('event_name', event_name, 'version', 1),
          occurred_at, occurred_at from outbox`);
      await database.sql(`insert into mails (cause, recipient, template, facts, created_at)
        values ('c', 'ada@example.com', 'hold_opened', '{}', '2026-12-01T10:00:00Z')`);
      await database.sql(`insert into idempotency_keys (user_id, key, request_hash, status, answer, created_at)
        values (1, 'k', 'h', 201, '{"hold_ends_at": null, "progress": {"step": "finish", "yours": false}}', '2026-12-01T10:00:00Z')`);
      await database.sql(`insert into audit_findings (invariant, facts, found_at)
        values ('I4b', '{"pot": "regular", "held_on": null}', '2026-12-01T10:00:00Z')`);
      await migrate(database.url);
      expect(await database.sql('select memory from runs')).toEqual([
        { memory: { action_required: 'access', message: { code: 'stored', facts: {}, detail: 'x' } } },
      ]);
      expect(await database.sql('select kind, key, reason, retry_at, fencing_token from work')).toEqual([
        { kind: 'dns-check', key: '1', reason: 'the records', retry_at: null, fencing_token: '0' },
      ]);
      const name = 'balance.grace_period_started';
      expect(await database.sql('select event_name from outbox')).toEqual([{ event_name: name }]);
      expect(await database.sql('select event_name, envelope from inbox')).toEqual([
        { event_name: name, envelope: { event_name: name, version: 1 } },
      ]);
      expect(await database.sql('select template from mails')).toEqual([{ template: 'grace_period_started' }]);
      expect(await database.sql('select answer from idempotency_keys')).toEqual([
        { answer: { grace_period_ends_at: null, progress: { step: 'finish', action_required: false } } },
      ]);
      expect(await database.sql('select facts from audit_findings')).toEqual([
        { facts: { ledger_account: 'regular', grace_period_day: null } },
      ]);
    });

    it('keep exactly those usernames distinct that differed only by case or accents', async () => {
      await createBaseline(database.url);
      await database.sql(`insert into users (id, username, email, email_normalised, password_hash, referral_code, created_at)
        select n, name, n || '@example.com', n || '@example.com', '-', n, '2026-12-01T00:00:00Z'
        from unnest('{josé,JOSÉ,jose,jane}'::text[]) with ordinality as named (name, n)`);
      await migrate(database.url);
      expect(await database.sql('select username from users order by id')).toEqual(
        ['josé', 'JOSÉ_2', 'jose', 'jane'].map((username) => ({ username })),
      );
    });

    it('schedule a check within five minutes for every running deployment, and nothing else', async () => {
      await createBaseline(database.url);
      await database.sql(`insert into users (id, username, email, email_normalised, password_hash, referral_code, created_at)
        values (1, 'ada', 'ada@example.com', 'ada@example.com', '-', 'code', '2026-12-01T00:00:00Z')`);
      await database.sql(`insert into deployments (id, user_id, ref, client_name, client_id, package, server_type, support_level,
          instance_hourly_micros, status, created_at, updated_at)
        select row_number() over (), 1, status, 'shop', 'shop', 'pangolin', 'new', 1, 35600, status, now(), now()
        from unnest('{ACTIVE,READY,DNS_FAILED,DESTROYED}'::text[]) status`);
      await migrate(database.url);
      expect(
        await database.sql(`select deployment_id, state, due_at < now() + interval '5 minutes' as is_soon from reachability
          order by deployment_id`),
      ).toEqual([
        { deployment_id: 1, state: 'unknown', is_soon: true },
        { deployment_id: 2, state: 'unknown', is_soon: true },
      ]);
    });

    it('close an interval left open by a delete at the start of the destruction', async () => {
      await createBaseline(database.url);
      await database.sql(`insert into users (id, username, email, email_normalised, password_hash, referral_code, created_at)
        values (1, 'ada', 'ada@example.com', 'ada@example.com', '-', 'code', '2026-12-01T00:00:00Z')`);
      await database.sql(`insert into deployments (id, user_id, ref, client_name, client_id, package, server_type, support_level,
          instance_hourly_micros, status, desired, destroy_reason, billable_from, created_at, updated_at)
        values (1, 1, 'r', 'shop', 'shop', 'pangolin', 'new', 1, 35600, 'DESTROYED', 'destroyed', 'deleted',
          '2026-12-01T10:00:00Z', '2026-12-01T09:50:00Z', '2026-12-01T12:30:00Z')`);
      await database.sql(
        `insert into runs (deployment_id, plan, steps, started_at) values (1, 'destroy', '{}', '2026-12-01T12:10:00Z')`,
      );
      await migrate(database.url);
      expect(await database.sql('select billable_to from deployments')).toEqual([
        { billable_to: Date.parse('2026-12-01T12:10:00Z') },
      ]);
    });
  });
});

it('reports a server that is too old before any migration', () => {
  expect(serverRefusal(140_012)?.message).toBe('DATABASE_URL: the server is PostgreSQL 14; Moorage needs 15 or newer.');
  expect([150_000, 180_004].map(serverRefusal)).toEqual([null, null]);
});
