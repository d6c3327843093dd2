import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DeploymentRow } from '@moorage/database';
import { type DeploymentStatus, HOUR_MS, MINUTE_MS } from '@moorage/domain';
import { SILENT } from '@moorage/server';
import { type FixtureActor, type ProvisionerFixture, fixturesOfSuite, expectServers, reconcile } from '../testing';
import { withProviderOperations } from '../operations';
import type { ConfirmLost } from './confirm-lost';
import type { ProviderOperations } from './provider-operations';

const openBench = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
beforeEach(async () => {
  fixture = await openBench();
  actor = await fixture.actor();
});

const operate = <T>(run: (operations: ProviderOperations) => Promise<T>): Promise<T> =>
  withProviderOperations({ settings: {}, databaseUrl: fixture.database.urlOf('provisioner'), log: SILENT }, run);

describe('a comparison with the providers', () => {
  const compare = async (): Promise<void> => {
    await actor.provisioner.recovery.run();
    while ((await reconcile(actor)) > 0);
  };
  const nextComparison = async (): Promise<void> => {
    fixture.clock.at += fixture.intervals.reconcile_every_ms;
    await compare();
  };

  const minutes = async (count: number): Promise<void> => {
    for (let passed = 0; passed < count * MINUTE_MS; passed += fixture.intervals.reconcile_every_ms)
      await nextComparison();
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
  const alerts = (words: string): string[] => actor.told.filter((line) => line.includes(words));

  it('calls a running server lost when it is missing twice, ten minutes apart, and stops the charge at the second look', async () => {
    const [row, other] = (await ready(2)) as [DeploymentRow, DeploymentRow];
    fixture.memory.vanish(serverOf(row));
    await nextComparison();
    expect(await statuses([row])).toEqual(['READY']);
    await nextComparison();
    expect(await statuses([row])).toEqual(['READY']);
    await nextComparison();
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

  describe('answers that are OK and empty', () => {
    it.each(['empty', 'other_project', 'refused'] as const)(
      'change nothing for 25 minutes (%s), alert once, and are over when the answers are right again: all run, all servers live',
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
        await nextComparison();
        expect((await breaker()).opened_at).toBeNull();
        expect(await openAlerts()).toEqual([]);
        await minutes(30);
        expect(await statuses(rows)).toEqual(Array.from({ length: 5 }, () => 'READY'));
        expect(fixture.memory.living()).toHaveLength(5);
        for (const row of rows) expect((await fixture.row(row.id)).billable_to).toBeNull();
      },
    );

    it('no answer for an hour is an alert, since nobody would see a server that is lost, until one comparison ends', async () => {
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

    it('partial lists change nothing while the servers are found by id', async () => {
      const rows = await ready(5);
      fixture.memory.incident('hetzner', 'partial');
      await minutes(25);
      expect(await statuses(rows)).toEqual(Array.from({ length: 5 }, () => 'READY'));
      expect((await breaker()).opened_at).toBeNull();
    });

    it('three of five missing at once open the breaker; the two that stay away are judged only by later looks', async () => {
      const rows = await ready(5);
      for (const row of rows.slice(0, 3)) fixture.memory.vanish(serverOf(row));
      await minutes(25);
      expect(await statuses(rows)).toEqual(Array.from({ length: 5 }, () => 'READY'));
      expect(await breaker()).toMatchObject({ reason: 'many_missing' });
      // one of the three is given up by its owner, so two are missing
      await fixture.ask(rows[0]?.id ?? 0, 'delete');
      await nextComparison();
      expect((await breaker()).opened_at).toBeNull();
      expect(await statuses(rows.slice(1, 3))).toEqual(['READY', 'READY']);
      await minutes(10);
      expect(await statuses(rows.slice(1, 3))).toEqual(['FAILED', 'FAILED']);
    });

    it('make no destroy believe that its server is gone, and no new server in another project', async () => {
      const [row] = (await ready(2)) as [DeploymentRow, DeploymentRow];
      fixture.memory.incident('hetzner', 'other_project');
      await fixture.ask(row.id, 'delete');
      const ordered = await fixture.order();
      await fixture.settle(actor, 20 * MINUTE_MS);
      expect(await statuses([row])).toEqual(['DESTROYING']);
      const failed = await fixture.row(ordered);
      expect(failed).toMatchObject({ status: 'FAILED', billable_from: null });
      expect(fixture.memory.madeFor(failed.ref)).toBe(0);
      fixture.memory.incident('hetzner', null);
      await fixture.settle(actor, 20 * MINUTE_MS);
      expect(await statuses([row])).toEqual(['DESTROYED']);
      expect(await fixture.row(ordered)).toMatchObject({ status: 'FAILED', server_exists: false });
      expect(fixture.memory.living()).toHaveLength(1);
    });

    it('of a provider at which nothing of ours runs are no alert, and pin no stranger over our project', async () => {
      await compare();
      fixture.memory.incident('hetzner', 'refused');
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

    it('are noted with the first comparison that missed a server, whatever process looked', async () => {
      const [row] = (await ready(1)) as [DeploymentRow];
      fixture.memory.incident('hetzner', 'other_project');
      await nextComparison();
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

  it('takes another project for ours once an operator has said so', async () => {
    const [row] = (await ready(1)) as [DeploymentRow];
    fixture.memory.incident('hetzner', 'other_project');
    await nextComparison();
    expect(await breaker()).toMatchObject({ reason: 'other_project' });
    const decision = { provider: 'hetzner', by: 'harbour master', reason: 'the project was renamed' };
    expect(await operate((operations) => operations.forgetProject(decision))).toBe(true);
    expect(await operate((operations) => operations.forgetProject(decision))).toBe(false);
    await nextComparison();
    // ours now, and the server is not in it: that is judged by itself
    expect(await breaker()).toMatchObject({ reason: 'none_listed' });
    expect(await statuses([row])).toEqual(['READY']);
    expect(await recorded('provider.project_forgotten')).toEqual([
      { by: 'harbour master', reason: 'the project was renamed', project_id: 'memory-hetzner' },
    ]);
  });

  describe('a real loss behind an open breaker', () => {
    const confirmLost = (): ConfirmLost => actor.provisioner.confirmLost;
    const decision = { provider: 'hetzner', by: 'harbour master', reason: 'the provider closed the project' };

    it('is confirmed by an operator: listed first, audited, and charged to the first comparison that missed it', async () => {
      const rows = await ready(3);
      for (const row of rows) fixture.memory.vanish(serverOf(row));
      await nextComparison();
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
      await nextComparison();
      expect((await breaker()).opened_at).toBeNull();
    });

    it('is not confirmed for what is shown again, nor while the breaker is closed', async () => {
      const rows = await ready(4);
      fixture.memory.incident('hetzner', 'empty');
      await minutes(15);
      fixture.memory.incident('hetzner', null);
      await nextComparison();
      expect(await confirmLost().plan('hetzner')).toMatchObject({ opened_at: null, servers: [] });
      expect(await confirmLost().confirm(decision)).toEqual([]);
      expect(await statuses(rows)).toEqual(['READY', 'READY', 'READY', 'READY']);
    });
  });

  describe('a lost server that is there again', () => {
    /** Called lost although it lives: the provider left it out of its list and did not know its id, twice. */
    const lostByMistake = async (): Promise<{ row: DeploymentRow; server: string }> => {
      const [row] = (await ready(3)) as [DeploymentRow];
      const server = serverOf(row);
      fixture.memory.hide(server, true);
      await minutes(15);
      expect(await statuses([row])).toEqual(['FAILED']);
      return { row, server };
    };

    it('is ours again, reported once, and never removed without a person', async () => {
      const { row, server } = await lostByMistake();
      fixture.memory.hide(server, false);
      await minutes(10);
      expect(await fixture.row(row.id)).toMatchObject({ status: 'FAILED', server_exists: true, lost_from: 'READY' });
      expect(alerts('is there again')).toHaveLength(1);
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

    it('goes when its owner deletes it then, and the deployment ends DELETED', async () => {
      const { row, server } = await lostByMistake();
      fixture.memory.hide(server, false);
      await nextComparison();
      await fixture.ask(row.id, 'delete');
      await fixture.until(actor, row.id, 'DELETED');
      expectServers(fixture, row.ref, 0);
      await nextComparison();
      expect(await openAlerts()).toEqual([]);
    });

    it('of a deployment that was deleted meanwhile is reported and left to an operator', async () => {
      const { row, server } = await lostByMistake();
      await fixture.database.sql(
        `update deployments set status = 'DELETED', desired = 'destroyed', deleted_at = updated_at where id = $1`,
        [row.id],
      );
      fixture.memory.hide(server, false);
      await minutes(30);
      expectServers(fixture, row.ref, 1);
      expect(alerts('is there again')).toHaveLength(1);
      const decision = { provider: 'hetzner', by: 'harbour master', reason: 'its owner gave it up' };
      expect(await operate((operations) => operations.confirmRemoval({ ...decision, server_id: 'another' }))).toBe(
        false,
      );
      expect(await operate((operations) => operations.confirmRemoval({ ...decision, server_id: server }))).toBe(true);
      expect(await recorded('server.removal_confirmed')).toEqual([
        { by: 'harbour master', reason: 'its owner gave it up', provider: 'hetzner', server_id: server },
      ]);
      await nextComparison();
      expectServers(fixture, row.ref, 0);
    });

    it('is not confused with another one that carries its name', async () => {
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

  it('forgets a first miss when the server is there again', async () => {
    const id = await fixture.order();
    await fixture.until(actor, id, 'READY');
    await compare();
    fixture.memory.fault('hetzner', 'list', 'server_error', 1);
    await nextComparison();
    for (let n = 0; n < 5; n++) await nextComparison();
    expect((await fixture.row(id)).status).toBe('READY');
  });

  it('reports a server without an owner once and leaves it alone', async () => {
    const stranger = {
      'managed-by': 'moorage',
      installation: 'installation0001',
      deployment: 'nobodysreference',
    } as const;
    await fixture.memory.clouds
      .of('hetzner')
      .create({ name: 'moorage-x', region: 'fsn1', instance_type: 'cpx22', user_data: '', labels: stranger }, 'x');
    await compare();
    await nextComparison();
    const found = await fixture.database.sql<{ subject: string }>(
      `select subject from audit_records where action = 'server.without_owner'`,
    );
    expect(found).toEqual([{ subject: 'hetzner/fsn1/1' }]);
    expect(fixture.memory.living()).toHaveLength(1);
  });

  it('removes a second copy and what belongs to a destroyed deployment: our own rows say that it must be gone', async () => {
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
    await fixture.ask(id, 'delete');
    await fixture.until(actor, id, 'DESTROYED');
    await copy();
    await nextComparison();
    expectServers(fixture, ref, 0);
  });
});
