import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DeploymentRow } from '@moorage/database';
import { type DeploymentStatus, HOUR_MS, MINUTE_MS } from '@moorage/domain';
import { SILENT } from '@moorage/server';
import { type ActorOnBench, type Bench, benchesOfSuite, expectServers, reconcile } from '../testing';
import { withProviderOperations } from '../operations';
import type { ConfirmLost } from './confirm-lost';
import type { ProviderOperations } from './provider-operations';

const openBench = benchesOfSuite();
let bench: Bench;
let actor: ActorOnBench;
beforeEach(async () => {
  bench = await openBench();
  actor = await bench.actor();
});

const operate = <T>(run: (operations: ProviderOperations) => Promise<T>): Promise<T> =>
  withProviderOperations({ settings: {}, databaseUrl: bench.database.urlOf('provisioner'), log: SILENT }, run);

describe('a comparison with the providers', () => {
  const compare = async (): Promise<void> => {
    await actor.provisioner.recovery.run();
    while ((await reconcile(actor)) > 0);
  };
  const nextComparison = async (): Promise<void> => {
    bench.clock.at += bench.timeouts.reconcile_every_ms;
    await compare();
  };

  const minutes = async (count: number): Promise<void> => {
    for (let passed = 0; passed < count * MINUTE_MS; passed += bench.timeouts.reconcile_every_ms)
      await nextComparison();
  };
  const ready = async (count: number): Promise<DeploymentRow[]> => {
    const ids = [];
    for (let n = 0; n < count; n++) ids.push(await bench.order());
    const rows = [];
    for (const id of ids) rows.push(await bench.until(actor, id, 'READY'));
    await compare();
    return rows;
  };
  const statuses = async (rows: readonly DeploymentRow[]): Promise<DeploymentStatus[]> =>
    Promise.all(rows.map(async ({ id }) => (await bench.row(id)).status));
  const serverOf = ({ ref }: DeploymentRow): string =>
    bench.memory.living().find(({ labels }) => labels.deployment === ref)?.id ?? 'none';
  const breaker = async (): Promise<{ reason: string | null; opened_at: number | null }> => {
    const [row] = await bench.database.sql<{ reason: string | null; opened_at: number | null }>(
      `select reason, opened_at from provider_breakers where provider = 'hetzner'`,
    );
    return row ?? { reason: null, opened_at: null };
  };
  const recorded = async (action: string): Promise<object[]> =>
    (
      await bench.database.sql<{ facts: object }>('select facts from audit_records where action = $1 order by id', [
        action,
      ])
    ).map(({ facts }) => facts);
  const openAlerts = async (): Promise<string[]> =>
    (
      await bench.database.sql<{ kind: string; subject: string }>(
        'select kind, subject from operator_alerts where resolved_at is null order by kind, subject',
      )
    ).map(({ kind, subject }) => `${kind} ${subject}`);
  const alerts = (words: string): string[] => actor.told.filter((line) => line.includes(words));

  it('calls a running server lost when it is missing twice, ten minutes apart, and stops the charge at the second look', async () => {
    const [row, other] = (await ready(2)) as [DeploymentRow, DeploymentRow];
    bench.memory.vanish(serverOf(row));
    await nextComparison();
    expect(await statuses([row])).toEqual(['READY']);
    await nextComparison();
    expect(await statuses([row])).toEqual(['READY']);
    await nextComparison();
    expect(await bench.row(row.id)).toMatchObject({
      status: 'FAILED',
      server_exists: false,
      lost_from: 'READY',
      billable_from: row.billable_from,
      billable_to: bench.clock.at,
    });
    expect((await bench.row(row.id)).failure_reason).toMatch(/no longer has this server/);
    expect(await statuses([other])).toEqual(['READY']);
    expect((await breaker()).opened_at).toBeNull();
  });

  describe('answers that are OK and empty', () => {
    it.each(['empty', 'other_project', 'refused'] as const)(
      'change nothing for 25 minutes (%s), alert once, and are over when the answers are right again: all run, all servers live',
      async (what) => {
        const rows = await ready(5);
        bench.memory.incident('hetzner', what);
        await minutes(25);
        expect(await statuses(rows)).toEqual(Array.from({ length: 5 }, () => 'READY'));
        expect(alerts('alert opened')).toEqual([expect.stringContaining('provider_distrusted')]);
        expect(await openAlerts()).toEqual(['provider_distrusted hetzner']);
        expect(await recorded('provider.breaker_opened')).toHaveLength(1);
        const open = await breaker();
        expect(open.reason).toBe(
          { empty: 'none_listed', other_project: 'other_project', refused: 'credentials_refused' }[what],
        );
        expect(open.opened_at).toBeLessThanOrEqual(bench.clock.at - 20 * MINUTE_MS);
        bench.memory.incident('hetzner', null);
        await nextComparison();
        expect((await breaker()).opened_at).toBeNull();
        expect(await openAlerts()).toEqual([]);
        await minutes(30);
        expect(await statuses(rows)).toEqual(Array.from({ length: 5 }, () => 'READY'));
        expect(bench.memory.living()).toHaveLength(5);
        for (const row of rows) expect((await bench.row(row.id)).billable_to).toBeNull();
      },
    );

    it('no answer for an hour is an alert, since nobody would see a server that is lost, until one comparison ends', async () => {
      await ready(1);
      bench.memory.incident('hetzner', 'server_error');
      await minutes(55);
      expect(await openAlerts()).toEqual([]);
      await minutes(10);
      expect(await openAlerts()).toEqual(['provider_silent hetzner']);
      bench.memory.incident('hetzner', null);
      await minutes(65);
      expect(await openAlerts()).toEqual([]);
    });

    it('partial lists change nothing while the servers are found by id', async () => {
      const rows = await ready(5);
      bench.memory.incident('hetzner', 'partial');
      await minutes(25);
      expect(await statuses(rows)).toEqual(Array.from({ length: 5 }, () => 'READY'));
      expect((await breaker()).opened_at).toBeNull();
    });

    it('three of five missing at once open the breaker; the two that stay away are judged only by later looks', async () => {
      const rows = await ready(5);
      for (const row of rows.slice(0, 3)) bench.memory.vanish(serverOf(row));
      await minutes(25);
      expect(await statuses(rows)).toEqual(Array.from({ length: 5 }, () => 'READY'));
      expect(await breaker()).toMatchObject({ reason: 'many_missing' });
      // one of the three is given up by its owner, so two are missing
      await bench.ask(rows[0]?.id ?? 0, 'delete');
      await nextComparison();
      expect((await breaker()).opened_at).toBeNull();
      expect(await statuses(rows.slice(1, 3))).toEqual(['READY', 'READY']);
      await minutes(10);
      expect(await statuses(rows.slice(1, 3))).toEqual(['FAILED', 'FAILED']);
    });

    it('make no destroy believe that its server is gone, and no new server in another project', async () => {
      const [row] = (await ready(2)) as [DeploymentRow, DeploymentRow];
      bench.memory.incident('hetzner', 'other_project');
      await bench.ask(row.id, 'delete');
      const ordered = await bench.order();
      await bench.settle(actor, 20 * MINUTE_MS);
      expect(await statuses([row])).toEqual(['DESTROYING']);
      const failed = await bench.row(ordered);
      expect(failed).toMatchObject({ status: 'FAILED', billable_from: null });
      expect(bench.memory.madeFor(failed.ref)).toBe(0);
      bench.memory.incident('hetzner', null);
      await bench.settle(actor, 20 * MINUTE_MS);
      expect(await statuses([row])).toEqual(['DESTROYED']);
      expect(await bench.row(ordered)).toMatchObject({ status: 'FAILED', server_exists: false });
      expect(bench.memory.living()).toHaveLength(1);
    });

    it('of a provider at which nothing of ours runs are no alert, and pin no stranger over our project', async () => {
      await compare();
      bench.memory.incident('hetzner', 'refused');
      await minutes(10);
      expect(await breaker()).toEqual({ reason: null, opened_at: null });
      expect(alerts('alert')).toEqual([]);
      bench.memory.incident('hetzner', 'other_project');
      await minutes(5);
      expect(await recorded('provider.project_pinned')).toContainEqual({
        project_id: 'another-hetzner',
        before: 'memory-hetzner',
      });
      bench.memory.incident('hetzner', null);
      await ready(1);
      bench.memory.incident('hetzner', 'other_project');
      await minutes(5);
      expect(await breaker()).toMatchObject({ reason: 'other_project' });
    });

    it('are noted with the first comparison that missed a server, whatever process looked', async () => {
      const [row] = (await ready(1)) as [DeploymentRow];
      bench.memory.incident('hetzner', 'other_project');
      await nextComparison();
      const first = bench.clock.at;
      actor = await bench.actor();
      bench.memory.incident('hetzner', 'empty');
      await minutes(15);
      const [server] = await bench.database.sql<{ missed_at: number; lost_seen_at: number | null }>(
        'select missed_at, lost_seen_at from servers where deployment_id = $1',
        [row.id],
      );
      expect(server).toEqual({ missed_at: first, lost_seen_at: null });
      expect((await breaker()).opened_at).toBe(first);
    });
  });

  it('takes another project for ours once an operator has said so', async () => {
    const [row] = (await ready(1)) as [DeploymentRow];
    bench.memory.incident('hetzner', 'other_project');
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
      for (const row of rows) bench.memory.vanish(serverOf(row));
      await nextComparison();
      const first = bench.clock.at;
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
        expect(await bench.row(id)).toMatchObject({
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
      bench.memory.incident('hetzner', 'empty');
      await minutes(15);
      bench.memory.incident('hetzner', null);
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
      bench.memory.hide(server, true);
      await minutes(15);
      expect(await statuses([row])).toEqual(['FAILED']);
      return { row, server };
    };

    it('is ours again, reported once, and never removed without a person', async () => {
      const { row, server } = await lostByMistake();
      bench.memory.hide(server, false);
      await minutes(10);
      expect(await bench.row(row.id)).toMatchObject({ status: 'FAILED', server_exists: true, lost_from: 'READY' });
      expect(alerts('is there again')).toHaveLength(1);
      expect(await openAlerts()).toEqual(['server_reappeared hetzner']);
      await bench.settle(actor, 3 * HOUR_MS);
      await minutes(60);
      expect(await bench.row(row.id)).toMatchObject({ status: 'FAILED', server_exists: true });
      expectServers(bench, row.ref, 1);
      const [known] = await bench.database.sql<{ state: string; gone_at: number | null }>(
        'select state, gone_at from servers where deployment_id = $1',
        [row.id],
      );
      expect(known).toEqual({ state: 'exists', gone_at: null });
    });

    it('goes when its owner deletes it then, and the deployment ends DELETED', async () => {
      const { row, server } = await lostByMistake();
      bench.memory.hide(server, false);
      await nextComparison();
      await bench.ask(row.id, 'delete');
      await bench.until(actor, row.id, 'DELETED');
      expectServers(bench, row.ref, 0);
      await nextComparison();
      expect(await openAlerts()).toEqual([]);
    });

    it('of a deployment that was deleted meanwhile is reported and left to an operator', async () => {
      const { row, server } = await lostByMistake();
      await bench.database.sql(
        `update deployments set status = 'DELETED', desired = 'destroyed', deleted_at = updated_at where id = $1`,
        [row.id],
      );
      bench.memory.hide(server, false);
      await minutes(30);
      expectServers(bench, row.ref, 1);
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
      expectServers(bench, row.ref, 0);
    });

    it('is not confused with another one that carries its name', async () => {
      const { row } = await lostByMistake();
      const labels = { 'managed-by': 'moorage', installation: 'installation0001', deployment: row.ref } as const;
      await bench.memory.clouds.hetzner.create(
        { name: 'copy', region: 'fsn1', instance_type: 'cpx22', user_data: '', labels },
        'y',
      );
      await minutes(10);
      expect(await bench.row(row.id)).toMatchObject({ status: 'FAILED', server_exists: false });
      expect(bench.memory.living().filter(({ labels: { deployment } }) => deployment === row.ref)).toHaveLength(2);
    });
  });

  it('forgets a first miss when the server is there again', async () => {
    const id = await bench.order();
    await bench.until(actor, id, 'READY');
    await compare();
    bench.memory.fault('hetzner', 'list', 'server_error', 1);
    await nextComparison();
    for (let n = 0; n < 5; n++) await nextComparison();
    expect((await bench.row(id)).status).toBe('READY');
  });

  it('reports a server without an owner once and leaves it alone', async () => {
    const stranger = {
      'managed-by': 'moorage',
      installation: 'installation0001',
      deployment: 'nobodysreference',
    } as const;
    await bench.memory.clouds.hetzner.create(
      { name: 'moorage-x', region: 'fsn1', instance_type: 'cpx22', user_data: '', labels: stranger },
      'x',
    );
    await compare();
    await nextComparison();
    const found = await bench.database.sql<{ subject: string }>(
      `select subject from audit_records where action = 'server.without_owner'`,
    );
    expect(found).toEqual([{ subject: 'hetzner/fsn1/1' }]);
    expect(bench.memory.living()).toHaveLength(1);
  });

  it('removes a second copy and what belongs to a destroyed deployment: our own rows say that it must be gone', async () => {
    const id = await bench.order();
    const { ref } = await bench.until(actor, id, 'READY');
    const labels = { 'managed-by': 'moorage', installation: 'installation0001', deployment: ref } as const;
    const copy = () =>
      bench.memory.clouds.hetzner.create(
        { name: 'copy', region: 'fsn1', instance_type: 'cpx22', user_data: '', labels },
        'y',
      );
    await copy();
    await compare();
    expectServers(bench, ref, 1);
    expect((await bench.row(id)).status).toBe('READY');
    await bench.ask(id, 'delete');
    await bench.until(actor, id, 'DESTROYED');
    await copy();
    await nextComparison();
    expectServers(bench, ref, 0);
  });
});
