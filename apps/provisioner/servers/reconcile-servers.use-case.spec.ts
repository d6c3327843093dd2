import { beforeEach, describe, expect, it } from '@jest/globals';
import { type DeploymentRow, provenProviders } from '@moorage/database';
import { type DeploymentStatus, HOUR_MS, iso, MINUTE_MS, SECOND_MS } from '@moorage/domain';
import { SILENT } from '@moorage/server';
import {
  compareProviders,
  expectServers,
  type FixtureActor,
  fixturesOfSuite,
  findLeaks,
  nextComparison,
  type ProvisionerFixture,
  reconcile,
} from '@moorage/tests/services/provisioner';
import { blockUntil } from '../clouds/budget';
import { CloudError, type CloudServer, cloudsOf, type ServerPlace } from '../clouds/cloud';
import { notConfiguredCloud } from '../clouds/not-configured';
import { withProviderOperations } from '../operations';
import type { ConfirmLost } from './confirm-lost.use-case';
import type { ProviderOperations } from './provider-operations.service';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor();
});

const operate = <T>(run: (operations: ProviderOperations) => Promise<T>): Promise<T> =>
  withProviderOperations({ settings: {}, databaseUrl: fixture.database.urlOf('provisioner'), log: SILENT }, run);

describe('server comparison with the providers', () => {
  const compare = () => compareProviders(actor);
  const nextOne = () => nextComparison(fixture, actor);

  const minutes = async (count: number): Promise<void> => {
    for (let passed = 0; passed < count * MINUTE_MS; passed += fixture.intervals.reconcile_every_ms) await nextOne();
  };
  const ready = async (count: number): Promise<DeploymentRow[]> => {
    const ids = [];
    for (let n = 0; n < count; n++) ids.push(await fixture.order());
    const rows = [];
    for (const id of ids) rows.push(await fixture.until(actor, id, 'READY'));
    await compare();
    return rows;
  };
  const statuses = async (rows: readonly DeploymentRow[]): Promise<DeploymentStatus[]> =>
    Promise.all(rows.map(async ({ id }) => (await fixture.row(id)).status));
  const serverOf = ({ ref }: DeploymentRow): string =>
    fixture.memory.living().find(({ labels }) => labels.deployment === ref)?.id ?? 'none';
  const breaker = async (): Promise<{ reason: string | null; opened_at: number | null }> => {
    const [row] = await fixture.database.sql<{ reason: string | null; opened_at: number | null }>(
      `select reason, opened_at from provider_breakers where provider = 'hetzner'`,
    );
    return row ?? { reason: null, opened_at: null };
  };
  const recorded = async (action: string): Promise<object[]> =>
    (
      await fixture.database.sql<{ facts: object }>('select facts from audit_records where action = $1 order by id', [
        action,
      ])
    ).map(({ facts }) => facts);
  const openAlerts = async (): Promise<string[]> =>
    (
      await fixture.database.sql<{ kind: string; subject: string }>(
        'select kind, subject from operator_alerts where resolved_at is null order by kind, subject',
      )
    ).map(({ kind, subject }) => `${kind} ${subject}`);
  const alerts = (words: string): string[] => actor.reported.filter((line) => line.includes(words));

  it('marks a running server as lost if missing twice, ten minutes apart, and stops the charge at the second check', async () => {
    const [row, other] = (await ready(2)) as [DeploymentRow, DeploymentRow];
    fixture.memory.vanish(serverOf(row));
    await nextOne();
    expect(await statuses([row])).toEqual(['READY']);
    await nextOne();
    expect(await statuses([row])).toEqual(['READY']);
    await nextOne();
    expect(await fixture.row(row.id)).toMatchObject({
      status: 'FAILED',
      server_exists: false,
      lost_from: 'READY',
      billable_from: row.billable_from,
      billable_to: fixture.clock.at,
    });
    expect((await fixture.row(row.id)).failure_reason).toMatch(/no longer has this server/);
    expect(await statuses([other])).toEqual(['READY']);
    expect((await breaker()).opened_at).toBeNull();
  });

  describe('misleading list responses', () => {
    it.each(['empty', 'other_project', 'refused'] as const)(
      'that are successful but wrong change nothing for 25 minutes (%s), alert once, and end while all servers stay live',
      async (what) => {
        const rows = await ready(5);
        fixture.memory.incident('hetzner', what);
        await minutes(25);
        expect(await statuses(rows)).toEqual(Array.from({ length: 5 }, () => 'READY'));
        expect(alerts('alert opened')).toEqual([expect.stringContaining('provider_distrusted')]);
        expect(await openAlerts()).toEqual(['provider_distrusted hetzner']);
        expect(await recorded('provider.breaker_opened')).toHaveLength(1);
        const open = await breaker();
        expect(open.reason).toBe(
          { empty: 'none_listed', other_project: 'other_project', refused: 'credentials_refused' }[what],
        );
        expect(open.opened_at).toBeLessThanOrEqual(fixture.clock.at - 20 * MINUTE_MS);
        fixture.memory.incident('hetzner', null);
        await nextOne();
        expect((await breaker()).opened_at).toBeNull();
        expect(await openAlerts()).toEqual([]);
        await minutes(30);
        expect(await statuses(rows)).toEqual(Array.from({ length: 5 }, () => 'READY'));
        expect(fixture.memory.living()).toHaveLength(5);
        for (const row of rows) expect((await fixture.row(row.id)).billable_to).toBeNull();
      },
    );

    it('raise an alert after an hour without a response, because a lost server would go unnoticed, until a comparison ends', async () => {
      await ready(1);
      fixture.memory.incident('hetzner', 'server_error');
      await minutes(55);
      expect(await openAlerts()).toEqual([]);
      await minutes(10);
      expect(await openAlerts()).toEqual(['provider_silent hetzner']);
      fixture.memory.incident('hetzner', null);
      await minutes(65);
      expect(await openAlerts()).toEqual([]);
    });

    it('change nothing if lists are partial but the servers are found by id', async () => {
      const rows = await ready(5);
      fixture.memory.incident('hetzner', 'partial');
      await minutes(25);
      expect(await statuses(rows)).toEqual(Array.from({ length: 5 }, () => 'READY'));
      expect((await breaker()).opened_at).toBeNull();
    });

    it('open the breaker if three of five are missing at once, and the two still missing are judged by later checks', async () => {
      const rows = await ready(5);
      for (const row of rows.slice(0, 3)) fixture.memory.vanish(serverOf(row));
      await minutes(25);
      expect(await statuses(rows)).toEqual(Array.from({ length: 5 }, () => 'READY'));
      expect(await breaker()).toMatchObject({ reason: 'many_missing' });
      // The owner gives up one of the three, so two are missing.
      await fixture.request(rows[0]?.id ?? 0, 'delete');
      await nextOne();
      expect((await breaker()).opened_at).toBeNull();
      expect(await statuses(rows.slice(1, 3))).toEqual(['READY', 'READY']);
      await minutes(10);
      expect(await statuses(rows.slice(1, 3))).toEqual(['FAILED', 'FAILED']);
    });

    it('do not convince a destroy that its server is gone, and allow no new server in another project', async () => {
      const [row] = (await ready(2)) as [DeploymentRow, DeploymentRow];
      fixture.memory.incident('hetzner', 'other_project');
      await fixture.request(row.id, 'delete');
      const ordered = await fixture.order();
      await fixture.settle(actor, 20 * MINUTE_MS);
      expect(await statuses([row])).toEqual(['DESTROYING']);
      const failed = await fixture.row(ordered);
      expect(failed).toMatchObject({ status: 'FAILED', billable_from: null });
      expect(fixture.memory.createdFor(failed.ref)).toBe(0);
      fixture.memory.incident('hetzner', null);
      await fixture.settle(actor, 20 * MINUTE_MS);
      expect(await statuses([row])).toEqual(['DESTROYED']);
      expect(await fixture.row(ordered)).toMatchObject({ status: 'FAILED', server_exists: false });
      expect(fixture.memory.living()).toHaveLength(1);
    });

    it('from a provider without our servers raise no alert and pin no foreign project', async () => {
      await compare();
      fixture.memory.incident('hetzner', 'empty');
      await minutes(10);
      expect(await breaker()).toEqual({ reason: null, opened_at: null });
      expect(alerts('alert')).toEqual([]);
      fixture.memory.incident('hetzner', 'other_project');
      await minutes(5);
      expect(await recorded('provider.project_pinned')).toContainEqual({
        project_id: 'another-hetzner',
        before: 'memory-hetzner',
      });
      fixture.memory.incident('hetzner', null);
      await ready(1);
      fixture.memory.incident('hetzner', 'other_project');
      await minutes(5);
      expect(await breaker()).toMatchObject({ reason: 'other_project' });
    });

    it('are recorded with the first comparison that missed a server, in whichever process', async () => {
      const [row] = (await ready(1)) as [DeploymentRow];
      fixture.memory.incident('hetzner', 'other_project');
      await nextOne();
      const first = fixture.clock.at;
      actor = await fixture.actor();
      fixture.memory.incident('hetzner', 'empty');
      await minutes(15);
      const [server] = await fixture.database.sql<{ missed_at: number; lost_seen_at: number | null }>(
        'select missed_at, lost_seen_at from servers where deployment_id = $1',
        [row.id],
      );
      expect(server).toEqual({ missed_at: first, lost_seen_at: null });
      expect((await breaker()).opened_at).toBe(first);
    });
  });

  it('uses another project once an operator has confirmed it', async () => {
    const [row] = (await ready(1)) as [DeploymentRow];
    fixture.memory.incident('hetzner', 'other_project');
    await nextOne();
    expect(await breaker()).toMatchObject({ reason: 'other_project' });
    const decision = { provider: 'hetzner', by: 'harbour master', reason: 'the project was renamed' };
    expect(await operate((operations) => operations.forgetProject(decision))).toBe(true);
    expect(await operate((operations) => operations.forgetProject(decision))).toBe(false);
    await nextOne();
    // The project is pinned now, and its missing server is evaluated separately.
    expect(await breaker()).toMatchObject({ reason: 'none_listed' });
    expect(await statuses([row])).toEqual(['READY']);
    expect(await recorded('provider.project_forgotten')).toEqual([
      { by: 'harbour master', reason: 'the project was renamed', project_id: 'memory-hetzner' },
    ]);
  });

  describe('real loss behind an open breaker', () => {
    const confirmLost = (): ConfirmLost => actor.provisioner.confirmLost;
    const decision = { provider: 'hetzner', by: 'harbour master', reason: 'the provider closed the project' };

    it('is confirmed by an operator after a list, audited, and charged to the first comparison that missed it', async () => {
      const rows = await ready(3);
      for (const row of rows) fixture.memory.vanish(serverOf(row));
      await nextOne();
      const first = fixture.clock.at;
      expect(await confirmLost().confirm(decision)).toEqual([]);
      await minutes(30);
      const plan = await confirmLost().plan('hetzner');
      expect(plan).toMatchObject({ reason: 'none_listed', opened_at: first });
      expect(
        plan.servers.map(({ deployment_id, kept_because, missed_at }) => [deployment_id, kept_because, missed_at]),
      ).toEqual(rows.map(({ id }) => [id, null, first]));
      expect(await statuses(rows)).toEqual(['READY', 'READY', 'READY']);
      expect(await confirmLost().confirm(decision)).toEqual(rows.map(({ id }) => id));
      for (const { id, billable_from } of rows) {
        expect(await fixture.row(id)).toMatchObject({
          status: 'FAILED',
          lost_from: 'READY',
          server_exists: false,
          billable_from,
          billable_to: first,
        });
      }
      expect(await recorded('server.loss_confirmed')).toHaveLength(3);
      expect((await recorded('server.loss_confirmed'))[0]).toMatchObject({
        by: 'harbour master',
        reason: 'the provider closed the project',
        provider: 'hetzner',
      });
      expect(await confirmLost().confirm(decision)).toEqual([]);
      await nextOne();
      expect((await breaker()).opened_at).toBeNull();
    });

    it('is not confirmed for a server that is shown again, nor while the breaker is closed', async () => {
      const rows = await ready(4);
      fixture.memory.incident('hetzner', 'empty');
      await minutes(15);
      fixture.memory.incident('hetzner', null);
      await nextOne();
      expect(await confirmLost().plan('hetzner')).toMatchObject({ opened_at: null, servers: [] });
      expect(await confirmLost().confirm(decision)).toEqual([]);
      expect(await statuses(rows)).toEqual(['READY', 'READY', 'READY', 'READY']);
    });
  });

  describe('lost server that is there again', () => {
    /** Makes a live server lost, because the provider omitted it from its list and did not know its id, twice. */
    const lostByMistake = async (): Promise<{ row: DeploymentRow; server: string }> => {
      const [row] = (await ready(3)) as [DeploymentRow];
      const server = serverOf(row);
      fixture.memory.hide(server, true);
      await minutes(15);
      expect(await statuses([row])).toEqual(['FAILED']);
      return { row, server };
    };

    it('is ours again, reported once, and never removed without an operator', async () => {
      const { row, server } = await lostByMistake();
      fixture.memory.hide(server, false);
      await minutes(10);
      expect(await fixture.row(row.id)).toMatchObject({ status: 'FAILED', server_exists: true, lost_from: 'READY' });
      expect(alerts('lost server reappeared')).toHaveLength(1);
      expect(await openAlerts()).toEqual(['server_reappeared hetzner']);
      await fixture.settle(actor, 3 * HOUR_MS);
      await minutes(60);
      expect(await fixture.row(row.id)).toMatchObject({ status: 'FAILED', server_exists: true });
      expectServers(fixture, row.ref, 1);
      const [known] = await fixture.database.sql<{ state: string; gone_at: number | null }>(
        'select state, gone_at from servers where deployment_id = $1',
        [row.id],
      );
      expect(known).toEqual({ state: 'exists', gone_at: null });
    });

    it('is removed if its owner deletes it then, and the deployment ends DELETED', async () => {
      const { row, server } = await lostByMistake();
      fixture.memory.hide(server, false);
      await nextOne();
      await fixture.request(row.id, 'delete');
      await fixture.until(actor, row.id, 'DELETED');
      expectServers(fixture, row.ref, 0);
      await nextOne();
      expect(await openAlerts()).toEqual([]);
    });

    it('of a deployment deleted in the meantime is reported and left to an operator', async () => {
      const { row, server } = await lostByMistake();
      await fixture.database.sql(
        `update deployments set status = 'DELETED', desired = 'destroyed', deleted_at = updated_at where id = $1`,
        [row.id],
      );
      fixture.memory.hide(server, false);
      await minutes(30);
      expectServers(fixture, row.ref, 1);
      expect(alerts('lost server reappeared')).toHaveLength(1);
      const decision = { provider: 'hetzner', by: 'harbour master', reason: 'its owner gave it up' };
      expect(await operate((operations) => operations.confirmRemoval({ ...decision, server_id: 'another' }))).toBe(
        false,
      );
      expect(await operate((operations) => operations.confirmRemoval({ ...decision, server_id: server }))).toBe(true);
      expect(await recorded('server.removal_confirmed')).toEqual([
        { by: 'harbour master', reason: 'its owner gave it up', provider: 'hetzner', server_id: server },
      ]);
      await nextOne();
      expectServers(fixture, row.ref, 0);
    });

    it('is not confused with another server of the same name', async () => {
      const { row } = await lostByMistake();
      const labels = { 'managed-by': 'moorage', installation: 'installation0001', deployment: row.ref } as const;
      await fixture.memory.clouds
        .of('hetzner')
        .create({ name: 'copy', region: 'fsn1', instance_type: 'cpx22', user_data: '', labels }, 'y');
      await minutes(10);
      expect(await fixture.row(row.id)).toMatchObject({ status: 'FAILED', server_exists: false });
      expect(fixture.memory.living().filter(({ labels: { deployment } }) => deployment === row.ref)).toHaveLength(2);
    });
  });

  it('waits as long as the provider demands and marks nothing as lost meanwhile', async () => {
    const [row] = (await ready(1)) as [DeploymentRow];
    fixture.memory.incident('hetzner', 'rate_limited');
    await nextOne();
    const [work] = await fixture.database.sql<{ due_at: number; last_error: string | null; reason: string }>(
      `select due_at, last_error, reason from work where kind = 'reconcile-servers' and key = 'hetzner'`,
    );
    expect(work).toEqual({
      due_at: fixture.clock.at + SECOND_MS,
      last_error: null,
      reason: 'the provider requested a pause',
    });
    const until = fixture.clock.at + 10 * MINUTE_MS;
    const hetzner = { name: 'hetzner', budgetKey: 'memory' } as const;
    await actor.db.tx('test', (tx) => blockUntil(tx, hetzner, { now: fixture.clock.at, until }));
    fixture.memory.incident('hetzner', null);
    await nextOne();
    const compared = async () =>
      (
        await fixture.database.sql<{ compared_at: number }>(
          'select compared_at from provider_breakers where provider = $1',
          ['hetzner'],
        )
      )[0]?.compared_at;
    expect(await compared()).toBeLessThan(until - 10 * MINUTE_MS);
    await minutes(10);
    expect(await compared()).toBeGreaterThanOrEqual(until);
    expect(await statuses([row])).toEqual(['READY']);
  });

  it('raises an alert if it has to wait for more than an hour, because a lost server would go unnoticed', async () => {
    await ready(1);
    const now = fixture.clock.at;
    const hetzner = { name: 'hetzner', budgetKey: 'memory' } as const;
    for (let n = 0; n < 6; n++) {
      await actor.db.tx('test', (tx) => blockUntil(tx, hetzner, { now, until: fixture.clock.at + 16 * MINUTE_MS }));
      await minutes(15);
    }
    expect(await openAlerts()).toEqual(['provider_silent hetzner']);
    await minutes(15);
    expect(await openAlerts()).toEqual([]);
  });

  describe('provider credentials', () => {
    /** Confirms the project as an operator would. */
    const offered = async (): Promise<boolean> => {
      await fixture.database.sql('update provider_breakers set confirmed_project_id = project_id');
      return (await actor.db.tx('test', provenProviders)).some((name) => name === 'hetzner');
    };

    it('are verified at the start, not at the next comparison', async () => {
      await compare();
      await fixture.database.sql('update provider_breakers set proven_at = null');
      await actor.provisioner.recovery.checkAllNow(['hetzner']);
      while ((await reconcile(actor)) > 0);
      expect(await offered()).toBe(true);
    });

    it('that are wrong from the start disable the provider, and operators get its message', async () => {
      fixture.memory.incident('hetzner', 'refused');
      await compare();
      expect(await offered()).toBe(false);
      expect(await openAlerts()).toEqual(['provider_refused hetzner']);
      const [alert] = await fixture.database.sql<{ facts: object }>('select facts from operator_alerts');
      expect(alert?.facts).toEqual({ kind: 'auth', words: 'the token is not valid' });
      fixture.memory.incident('hetzner', null);
      await nextOne();
      expect(await offered()).toBe(true);
      expect(await openAlerts()).toEqual([]);
    });

    it('of a provider that is off or has none raise no alert and end an earlier alert', async () => {
      fixture.memory.incident('hetzner', 'refused');
      await compare();
      expect(await openAlerts()).toEqual(['provider_refused hetzner']);
      actor = await fixture.actor({
        clouds: cloudsOf((name) => notConfiguredCloud(name, 'is off in this installation')),
      });
      await nextOne();
      expect(await offered()).toBe(false);
      expect(await openAlerts()).toEqual([]);
    });

    it('of a foreign project disable the provider while our servers run in the pinned project', async () => {
      await ready(1);
      expect(await offered()).toBe(true);
      fixture.memory.incident('hetzner', 'other_project');
      await nextOne();
      expect(await offered()).toBe(false);
      expect(await openAlerts()).toEqual(['provider_distrusted hetzner']);
    });

    it('disable the provider when an order finds another project, before any comparison', async () => {
      await ready(1);
      fixture.memory.incident('hetzner', 'other_project');
      await fixture.order();
      await fixture.settle(actor);
      expect(await offered()).toBe(false);
    });

    it('that expired keep servers running and charged, delay removals with a notice, and recover afterwards', async () => {
      const [stored, given] = (await ready(2)) as [DeploymentRow, DeploymentRow];
      fixture.memory.incident('hetzner', 'refused');
      await fixture.request(given.id, 'delete');
      await fixture.settle(actor, 20 * MINUTE_MS);
      // A removal counts as a check as well.
      expect(await offered()).toBe(false);
      expect(await openAlerts()).toEqual(['provider_refused hetzner']);
      await minutes(20);
      expect(await openAlerts()).toEqual(['provider_distrusted hetzner', 'provider_refused hetzner']);
      expect(await statuses([stored, given])).toEqual(['READY', 'DESTROYING']);
      expect((await fixture.row(stored.id)).billable_to).toBeNull();
      const reported = await fixture.database.sql<{ message: string }>(
        `select message from deployment_steps where deployment_id = $1 and step = 'delete-server' and outcome = 'retrying'`,
        [given.id],
      );
      expect(reported.map(({ message }) => message)).toEqual([
        'The provider rejects our requests at the moment. The server will be removed as soon as it accepts them again.',
      ]);
      fixture.memory.incident('hetzner', null);
      await nextOne();
      expect(await openAlerts()).toEqual([]);
      expect(await offered()).toBe(true);
      await fixture.until(actor, given.id, 'DESTROYED');
      expectServers(fixture, given.ref, 0);
      expectServers(fixture, stored.ref, 1);
    });

    it('stay unchanged if the provider does not respond', async () => {
      await compare();
      fixture.memory.incident('hetzner', 'server_error');
      await minutes(30);
      expect(await offered()).toBe(true);
    });
  });

  describe('changing public address', () => {
    const NEW = '198.18.77.7';
    const addressOf = async ({ id }: DeploymentRow) => {
      const [server] = await fixture.database.sql<{ address: string }>(
        'select host(address) as address from servers where deployment_id = $1',
        [id],
      );
      return { server: server?.address, deployment: (await fixture.row(id)).instance_ip };
    };
    const changes = () =>
      fixture.database.sql<{ data: object }>(
        `select data from outbox where event_name = 'deployment.address_changed' order by id`,
      );

    it('is applied after two consecutive checks, revalidates the records and continues the charge', async () => {
      const [row] = (await ready(1)) as [DeploymentRow];
      fixture.dnsRight = () => false;
      fixture.memory.readdress(serverOf(row), NEW);
      await nextOne();
      expect(await addressOf(row)).toEqual({ server: row.instance_ip, deployment: row.instance_ip });
      expect(await changes()).toEqual([]);
      const pin = await fixture.database.sql('select host_key_sha256 from servers');
      await nextOne();
      expect(await addressOf(row)).toEqual({ server: NEW, deployment: NEW });
      expect((await changes()).map(({ data }) => data)).toEqual([
        {
          deployment_id: row.id,
          user_id: row.user_id,
          client_name: row.client_name,
          from: row.instance_ip,
          to: NEW,
          hosts: expect.arrayContaining(['admin.example.com']),
        },
      ]);
      expect(await recorded('server.address_changed')).toEqual([
        { provider: 'hetzner', from: row.instance_ip, to: NEW },
      ]);
      expect(await statuses([row])).toEqual(['DNS_VALIDATION']);
      const failed = await fixture.until(actor, row.id, 'DNS_FAILED');
      expect(failed.failure_reason).toContain(`Its A record must be ${NEW}.`);
      fixture.dnsRight = () => true;
      expect(await fixture.until(actor, row.id, 'READY')).toMatchObject({
        billable_from: row.billable_from,
        billable_to: null,
        failure_reason: null,
      });
      expect(await fixture.database.sql('select host_key_sha256 from servers')).toEqual(pin);
      await fixture.request(row.id, 'delete');
      await fixture.until(actor, row.id, 'DESTROYED');
      expectServers(fixture, row.ref, 0);
    });

    it('shows the new address to a user who waits for the records', async () => {
      const [row] = (await ready(1)) as [DeploymentRow];
      fixture.dnsRight = () => false;
      await fixture.request(row.id, 'restart');
      await fixture.until(actor, row.id, 'DNS_FAILED');
      fixture.memory.readdress(serverOf(row), NEW);
      await minutes(10);
      await fixture.until(actor, row.id, 'DNS_VALIDATION');
      expect((await fixture.until(actor, row.id, 'DNS_FAILED')).failure_reason).toContain(
        `Its A record must be ${NEW}.`,
      );
    });

    it('of a package without a domain is applied without further changes', async () => {
      const id = await fixture.order({ package: 'test-page', domain: null });
      const row = await fixture.until(actor, id, 'ACTIVE');
      await compare();
      fixture.memory.readdress(serverOf(row), NEW);
      await minutes(10);
      expect(await addressOf(row)).toEqual({ server: NEW, deployment: NEW });
      expect(await fixture.row(id)).toMatchObject({ status: 'ACTIVE', billable_to: null });
      expect((await changes())[0]?.data).toMatchObject({ hosts: [] });
    });

    it.each([
      ['no address for a moment', null],
      ['another address for a single check', NEW],
    ])('is not applied when the provider shows %s', async (_, shown) => {
      const [row] = (await ready(1)) as [DeploymentRow];
      for (let n = 0; n < 4; n++) {
        fixture.memory.readdress(serverOf(row), shown);
        await nextOne();
        fixture.memory.readdress(serverOf(row), row.instance_ip);
        await nextOne();
      }
      expect(await changes()).toEqual([]);
      expect(await addressOf(row)).toEqual({ server: row.instance_ip, deployment: row.instance_ip });
      expect(await statuses([row])).toEqual(['READY']);
    });

    it('that alternates is applied at most once an hour', async () => {
      const [row] = (await ready(1)) as [DeploymentRow];
      const until = fixture.clock.at + HOUR_MS;
      while (fixture.clock.at < until) {
        for (const address of [NEW, row.instance_ip]) {
          fixture.memory.readdress(serverOf(row), address);
          await minutes(15);
        }
      }
      expect(await changes()).toHaveLength(1);
    });
  });

  describe('firewalls of a provider', () => {
    const FIREWALL = ['firewall moorage'];

    it('are checked hourly while our servers run there, and repairs are reported to operators until all is correct', async () => {
      await ready(1);
      fixture.memory.rules('hetzner', FIREWALL);
      await minutes(55);
      expect(await openAlerts()).toEqual([]);
      await minutes(10);
      expect(await openAlerts()).toEqual(['provider_rules hetzner']);
      expect(await recorded('provider.rules_repaired')).toEqual([{ repaired: 'firewall moorage', count: 1 }]);
      await minutes(65);
      expect(await openAlerts()).toEqual([]);
      expect(await recorded('provider.rules_repaired')).toHaveLength(1);
    });

    it('raise an alert at once if they cannot be checked, and are retried at the next comparison', async () => {
      await ready(1);
      await minutes(55);
      fixture.memory.rules('hetzner', new CloudError('permission', 'firewalls may not be listed'));
      await nextOne();
      expect(await openAlerts()).toEqual(['provider_rules hetzner']);
      const facts = { not_checked: 'permission', words: 'firewalls may not be listed' };
      expect(await recorded('provider.rules_not_repaired')).toEqual([facts]);
      await nextOne();
      expect(await openAlerts()).toEqual([]);
    });

    it('raise no alert after a short failure until the last check is three hours old', async () => {
      await ready(1);
      const moment = new CloudError('transient', 'no response in time');
      for (let passed = 0; passed < 175; passed += 5) {
        fixture.memory.rules('hetzner', moment);
        await nextOne();
      }
      expect(await openAlerts()).toEqual([]);
      fixture.memory.rules('hetzner', moment);
      await nextOne();
      fixture.memory.rules('hetzner', moment);
      await nextOne();
      expect(await openAlerts()).toEqual(['provider_rules hetzner']);
    });

    it('are not checked if none of our servers runs there', async () => {
      await compare();
      fixture.memory.rules('hetzner', FIREWALL);
      await minutes(65);
      expect(await openAlerts()).toEqual([]);
      expect(await recorded('provider.rules_repaired')).toEqual([]);
    });
  });

  it('does not lose, move or remove a server that is stopped for a resize', async () => {
    const [row] = await ready(1);
    if (row === undefined) throw new Error('nothing is running');
    const place = { region: row.region ?? '', id: serverOf(row) };
    const resize = () =>
      fixture.memory.clouds.of('hetzner').resize(place, { instance_type: 'cpx32', grow_disk: false });
    await resize();
    expect(fixture.memory.living()).toMatchObject([{ state: 'stopped' }]);
    await minutes(30);
    await resize();
    await minutes(30);
    expect(await statuses([row])).toEqual(['READY']);
    expect(fixture.memory.living()).toMatchObject([{ id: place.id, state: 'stopped', instance_type: 'cpx32' }]);
    expect(await breaker()).toEqual({ reason: null, opened_at: null });
    expect(await fixture.row(row.id)).toMatchObject({ instance_ip: row.instance_ip });
  });

  it('forgets a first miss when the server is there again', async () => {
    const id = await fixture.order();
    await fixture.until(actor, id, 'READY');
    await compare();
    fixture.memory.fault('hetzner', 'list', 'server_error', 1);
    await nextOne();
    for (let n = 0; n < 5; n++) await nextOne();
    expect((await fixture.row(id)).status).toBe('READY');
  });

  describe('server without an owner', () => {
    const PLACE = { region: 'fsn1', id: '1' };
    const stranger = {
      'managed-by': 'moorage',
      installation: 'installation0001',
      deployment: 'nobodysreference',
    } as const;
    beforeEach(async () => {
      await fixture.memory.clouds
        .of('hetzner')
        .create({ name: 'moorage-x', region: 'fsn1', instance_type: 'cpx22', user_data: '', labels: stranger }, 'x');
      await compare();
    });
    const remove = (place = PLACE) =>
      operate((operations) => operations.removeUnowned({ provider: 'hetzner', place, by: 'mira', reason: 'a test' }));

    it('is reported once and left alone, and raises an alert as long as it exists', async () => {
      await nextOne();
      const found = await fixture.database.sql<{ subject: string }>(
        `select subject from audit_records where action = 'server.without_owner'`,
      );
      expect(found).toEqual([{ subject: 'hetzner/fsn1/1' }]);
      expect(fixture.memory.living()).toHaveLength(1);
      expect(await openAlerts()).toEqual(['server_without_owner hetzner']);
      const [alert] = await fixture.database.sql<{ facts: object }>('select facts from operator_alerts');
      expect(alert?.facts).toEqual({ count: 1, servers: ['fsn1 1'] });
      fixture.memory.vanish('1');
      await nextOne();
      expect(await openAlerts()).toEqual([]);
    });

    it('is removed and audited once an operator has approved it after the second check', async () => {
      expect(await remove()).toBe('none');
      await findLeaks(actor);
      expect(await remove()).toBe('suspected');
      fixture.clock.at += HOUR_MS;
      await findLeaks(actor);
      expect(await remove({ region: 'fsn1', id: '2' })).toBe('none');
      expect(await remove()).toBe('asked');
      expect(fixture.memory.living()).toHaveLength(1);
      // The command uses the system clock, but the work uses the test's clock.
      await fixture.database.sql('update cloud_leaks set decided_at = $1', [iso(fixture.clock.at)]);
      await fixture.settle(actor, MINUTE_MS);
      expect(fixture.memory.living()).toEqual([]);
      await nextOne();
      expect(await openAlerts()).toEqual([]);
      expect(await recorded('server.without_owner_given_up')).toEqual([
        { by: 'mira', reason: 'a test', name: 'moorage-x' },
      ]);
      expect(await recorded('provider.leak_removed')).toMatchObject([{ name: 'moorage-x', by: 'mira' }]);
      expect(await remove()).toBe('none');
    });
  });

  it('does not remove a second copy while responses omit the first, which may be the only one left', async () => {
    const [row] = (await ready(3)) as [DeploymentRow];
    const first = serverOf(row);
    const labels = { 'managed-by': 'moorage', installation: 'installation0001', deployment: row.ref } as const;
    await fixture.memory.clouds
      .of('hetzner')
      .create({ name: 'copy', region: 'fsn1', instance_type: 'cpx22', user_data: '', labels }, 'y');
    fixture.memory.hide(first, true);
    await nextOne();
    expect(fixture.memory.living()).toHaveLength(4);
    fixture.memory.hide(first, false);
    await nextOne();
    expectServers(fixture, row.ref, 1);
    expect(serverOf(row)).toBe(first);
  });

  it('does not remove a server that a response shows in part, with any id', async () => {
    const [row] = (await ready(2)) as [DeploymentRow];
    const cloud = fixture.memory.clouds.of('hetzner');
    const answers = { list: cloud.list.bind(cloud), get: cloud.get.bind(cloud) };
    const part = (server: CloudServer): CloudServer =>
      server.labels.deployment === row.ref
        ? { ...server, id: `rg-${server.id}`, state: 'booting', unfinished: true }
        : server;
    const removed: string[] = [];
    Object.assign(cloud, {
      list: async (...requested: Parameters<typeof cloud.list>) => (await answers.list(...requested)).map(part),
      get: (place: ServerPlace) => (place.id === serverOf(row) ? Promise.resolve(null) : answers.get(place)),
      delete: (place: ServerPlace) => Promise.resolve(void removed.push(place.id)),
    });
    await nextOne();
    expect(removed).toEqual([]);
    expect(await statuses([row])).toEqual(['READY']);
  });

  it('leaves the server of a deployment to its own removal, which may back it up first', async () => {
    const [row] = (await ready(1)) as [DeploymentRow];
    await fixture.request(row.id, 'delete');
    await compare();
    expectServers(fixture, row.ref, 1);
    await fixture.until(actor, row.id, 'DESTROYED');
    expectServers(fixture, row.ref, 0);
  });

  it('removes a second copy or a server of a destroyed deployment if our own rows prove it', async () => {
    const id = await fixture.order();
    const { ref } = await fixture.until(actor, id, 'READY');
    const labels = { 'managed-by': 'moorage', installation: 'installation0001', deployment: ref } as const;
    const copy = () =>
      fixture.memory.clouds
        .of('hetzner')
        .create({ name: 'copy', region: 'fsn1', instance_type: 'cpx22', user_data: '', labels }, 'y');
    await copy();
    await compare();
    expectServers(fixture, ref, 1);
    expect((await fixture.row(id)).status).toBe('READY');
    await fixture.request(id, 'delete');
    await fixture.until(actor, id, 'DESTROYED');
    await copy();
    await nextOne();
    expectServers(fixture, ref, 0);
  });
});
