import { beforeEach, describe, expect, it } from '@jest/globals';
import { Deployments, type DeploymentRow } from '@moorage/database';
import { DAY_MS, HOUR_MS, type IncidentKind, iso, MINUTE_MS, SETTLED_AFTER_MS } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { systemRandom } from '@moorage/server';
import type { HostState } from '../clouds/sandbox/host-state';
import { crashPoints } from '@moorage/tests/services/provisioner/crash-points';
import {
  compareProviders,
  type FixtureActor,
  fixturesOfSuite,
  nextComparison,
  type ProvisionerFixture,
} from '@moorage/tests/services/provisioner';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor();
});

async function ready(): Promise<DeploymentRow> {
  const row = await fixture.until(actor, await fixture.order(), 'READY');
  await fixture.settle(actor);
  fixture.clock.at += 2 * MINUTE_MS;
  return row;
}

function hostOf({ instance_ip }: DeploymentRow): HostState {
  const host = fixture.hosts.at(instance_ip ?? '');
  if (host === null) throw new Error('the server does not run');
  return host;
}

const incidents = (): Promise<{ kind: IncidentKind; subject: string; ended_at: number | null }[]> =>
  fixture.database.sql('select kind, subject, ended_at from incidents order by id');
const open = async (): Promise<string[]> =>
  (await incidents()).filter(({ ended_at }) => ended_at === null).map(({ kind }) => kind);
async function watched(id: number): Promise<Record<string, unknown> | undefined> {
  const [row] = await fixture.database.sql<Record<string, unknown>>(
    'select * from reachability where deployment_id = $1',
    [id],
  );
  return row;
}
async function hostChecks(times: number, every_ms = 5 * MINUTE_MS): Promise<void> {
  for (let time = 0; time < times; time++) {
    await actor.provisioner.hosts.run();
    fixture.clock.at += every_ms;
  }
}

describe('figures of a server', () => {
  it('are read every five minutes, with the CPU load since the previous check', async () => {
    const { id } = await ready();
    await hostChecks(3);
    const row = await watched(id);
    expect(row).toMatchObject({
      host_failure: null,
      host: { cpus: 2, memory_mb: 3_915, disk_mb: 76_800, cpu_percent: expect.any(Number) },
    });
    const metrics = await fixture.database.sql<{ cpu_percent: number | null; disk_used_mb: number }>(
      'select cpu_percent, disk_used_mb from metrics where disk_used_mb is not null order by at',
    );
    expect(metrics.map(({ cpu_percent }) => cpu_percent === null)).toEqual([true, false, false]);
    for (const { cpu_percent } of metrics.slice(1)) expect(cpu_percent).toBeLessThan(20);
  });

  it('are missing with the reason while the server rejects us', async () => {
    const { id, instance_ip } = await ready();
    await hostChecks(1);
    fixture.hosts.switchOff(instance_ip ?? '', true);
    await hostChecks(1);
    expect(await watched(id)).toMatchObject({ host_failure: { code: 'watch.host_silent' }, host: { cpus: 2 } });
    expect(await incidents()).toEqual([]);
    fixture.hosts.switchOff(instance_ip ?? '', false);
    await hostChecks(1);
    expect(await watched(id)).toMatchObject({ host_failure: null });
  });

  it('are read again after a crash before they were saved', async () => {
    const { id } = await ready();
    const dying = await fixture.actor({ points: crashPoints((name) => name === 'host-checks.save') });
    await expect(dying.provisioner.hosts.run()).rejects.toThrow('host-checks.save');
    fixture.clock.at += 5 * MINUTE_MS;
    await hostChecks(1);
    expect(await watched(id)).toMatchObject({ host: { cpus: 2 } });
  });

  it('are not read during a run', async () => {
    const { id } = await ready();
    await fixture.database.sql(`update runs set state = 'running', finished_at = null where deployment_id = $1`, [id]);
    await hostChecks(1);
    expect(await watched(id)).toMatchObject({ host: null });
  });

  it('are missing while wrong DNS interrupts the deployment, and its incidents go on', async () => {
    const { id } = await ready();
    await fixture.database.sql(
      `insert into incidents (deployment_id, user_id, kind, subject, facts, began_at, told_at)
       select id, user_id, 'down', '', '{}', now(), now() from deployments where id = $1`,
      [id],
    );
    fixture.dnsRight = () => false;
    await fixture.request(id, 'restart');
    await fixture.until(actor, id, 'DNS_FAILED');
    await fixture.settle(actor);
    expect(await open()).toEqual(['down']);
    expect(await watched(id)).toMatchObject({ state: 'unknown', due_at: null, host_due_at: null });
  });

  it('are never lost by a disk that fills up and is cleared', async () => {
    const row = await ready();
    const host = hostOf(row);
    host.marks.disk_percent = '92';
    await hostChecks(2);
    expect(await open()).toEqual(['disk_filling', 'disk_full']);
    host.marks.disk_percent = '85';
    await hostChecks(2);
    expect(await open()).toEqual(['disk_filling']);
    delete host.marks.disk_percent;
    await hostChecks(2);
    expect(await open()).toEqual([]);
    fixture.clock.at += SETTLED_AFTER_MS;
    await hostChecks(1);
    const [unsettled] = await fixture.database.sql(
      'select count(*)::int as count from incidents where settled_at is null',
    );
    expect(unsettled).toEqual({ count: 0 });
    expect(await watched(row.id)).toMatchObject({ is_quiet: true, streaks: {} });
  });

  it('are compared a minute later if they differ', async () => {
    const row = await ready();
    hostOf(row).marks.disk_percent = '92';
    await hostChecks(2, MINUTE_MS);
    expect(await open()).toEqual(['disk_filling', 'disk_full']);
  });

  it('show containers that stop and containers that keep restarting', async () => {
    const row = await ready();
    const host = hostOf(row);
    await hostChecks(1);
    host.marks['state:pangolin'] = 'exited';
    for (let restarts = 1; restarts <= 2; restarts++) {
      host.marks['restarts:traefik'] = String(restarts);
      await hostChecks(1);
    }
    expect((await incidents()).map(({ kind, subject }) => `${kind} ${subject}`).sort()).toEqual([
      'container_restarting traefik',
      'container_stopped pangolin',
    ]);
    delete host.marks['state:pangolin'];
    await hostChecks(2);
    expect(await open()).toEqual([]);
  });
});

describe('names of a deployment', () => {
  const nameChecks = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time++) {
      await actor.provisioner.names.run();
      fixture.clock.at += HOUR_MS;
    }
  };

  it('are checked every hour without an incident while they are right', async () => {
    const { id } = await ready();
    fixture.certificateExpiresAt = fixture.clock.at + 60 * DAY_MS;
    await nameChecks(3);
    expect(await incidents()).toEqual([]);
    expect(await watched(id)).toMatchObject({ names_due_at: fixture.clock.at });
  });

  it('have an incident while a certificate is not renewed, and another one once it has expired', async () => {
    await ready();
    fixture.certificateExpiresAt = fixture.clock.at + 10 * DAY_MS;
    await nameChecks(2);
    expect(new Set(await open())).toEqual(new Set(['certificate_not_renewed']));
    fixture.clock.at += 11 * DAY_MS;
    await nameChecks(2);
    expect(new Set(await open())).toEqual(new Set(['certificate_expired']));
    fixture.certificateExpiresAt = fixture.clock.at + 90 * DAY_MS;
    await nameChecks(2);
    expect(await open()).toEqual([]);
  });

  it('mark incidents about names whose records the platform keeps', async () => {
    const { id } = await ready();
    await fixture.database.sql(
      `insert into platform_names (name, account_id, deployment_id, given_at)
       select domain, user_id, id, now() from deployments where id = $1`,
      [id],
    );
    fixture.dnsRight = () => false;
    await nameChecks(2);
    const facts = await fixture.database.sql(
      `select facts ->> 'kept' as kept from incidents where deployment_id = $1`,
      [id],
    );
    expect(facts).toContainEqual({ kept: '1' });
    expect(facts).not.toContainEqual({ kept: null });
  });

  it('have an incident while DNS points elsewhere', async () => {
    await ready();
    fixture.dnsRight = () => false;
    await nameChecks(2);
    expect(new Set(await open())).toEqual(new Set(['dns_elsewhere']));
    fixture.dnsRight = () => true;
    await nameChecks(2);
    expect(await open()).toEqual([]);
  });
});

describe('server that is switched off at its provider', () => {
  const serverOf = ({ ref }: DeploymentRow): string =>
    fixture.memory.living().find(({ labels }) => labels.deployment === ref)?.id ?? 'none';
  const nextOne = () => nextComparison(fixture, actor);

  it('is an incident after two comparisons, goes on being charged, and is started again', async () => {
    const row = await ready();
    await nextOne();
    expect(await watched(row.id)).toMatchObject({ server_runs: true });
    fixture.memory.switchOff(serverOf(row));
    await nextOne();
    expect(await open()).toEqual([]);
    await nextOne();
    expect(await open()).toEqual(['server_off']);
    expect(await fixture.row(row.id)).toMatchObject({ status: 'READY', billable_to: null });

    await fixture.request(row.id, 'restart');
    const again = await fixture.until(actor, row.id, 'READY');
    expect(again.failure_code).toBeNull();
    const [run] = await fixture.database.sql<{ steps: string[] }>('select steps from runs order by id desc limit 1');
    expect(run?.steps.slice(0, 2)).toEqual(['start-server', 'wait-for-ssh']);
    expect(await open()).toEqual([]);
    await fixture.settle(actor);
    await nextOne();
    await nextOne();
    expect(await watched(row.id)).toMatchObject({ server_runs: true });
  });

  it('stays switched off, with a reason, while the provider has no capacity for it', async () => {
    const row = await ready();
    await nextOne();
    fixture.memory.switchOff(serverOf(row));
    await nextOne();
    await nextOne();
    fixture.memory.fault('hetzner', 'resize', 'no_capacity', 1);
    await fixture.request(row.id, 'restart');
    expect(await fixture.until(actor, row.id, 'READY')).toMatchObject({ failure_code: 'step.cloud_capacity_now' });
    expect(await open()).toEqual(['server_off']);
  });

  it('is asked for as soon as its deployment does not respond', async () => {
    const row = await ready();
    await nextOne();
    fixture.memory.switchOff(serverOf(row));
    for (let minute = 0; minute < 4; minute++) {
      await actor.provisioner.reachability.run();
      fixture.clock.at += MINUTE_MS;
      await compareProviders(actor);
    }
    expect((await open()).sort()).toEqual(['down', 'server_off']);
    const told = await fixture.database.sql('select kind from incidents where told_at is not null');
    expect(told).toEqual([{ kind: 'server_off' }]);
  });

  describe('and then lost', () => {
    async function lost(): Promise<DeploymentRow> {
      await ready();
      const row = await ready();
      await nextOne();
      fixture.memory.hide(serverOf(row), true);
      for (let comparison = 0; comparison < 20; comparison++) await nextOne();
      await fixture.settle(actor);
      expect(await fixture.row(row.id)).toMatchObject({ status: 'FAILED', lost_from: 'READY' });
      expect(await open()).toEqual(['server_gone']);
      return row;
    }

    it('is an incident of its own until its deployment has ended', async () => {
      const { id } = await lost();
      await fixture.request(id, 'delete');
      await fixture.settle(actor, HOUR_MS);
      expect(await open()).toEqual([]);
    });

    it('is an incident of its own until an administrator reopens its deployment', async () => {
      const { id, ref } = await lost();
      const found = fixture.memory.living().find(({ labels }) => labels.deployment === ref);
      fixture.memory.hide(found?.id ?? '', false);
      await nextOne();
      expect(await open()).toEqual(['server_gone']);
      const deployments = new Deployments({ outbox: new Outbox({ clock: fixture.clock, random: systemRandom() }) });
      await fixture.owner.tx('reopen', async (tx) => {
        const row = await deployments.lock(tx, id);
        if (row === null) throw new Error('no deployment');
        await deployments.move(tx, row, { to: 'READY', by: 'api', at: fixture.clock.at, changes: { failure: null } });
      });
      await fixture.settle(actor);
      expect(await open()).toEqual([]);
    });
  });
});

describe('metrics older than a day', () => {
  it('are stored per hour, as the median of the responses and the last disk usage', async () => {
    const { id } = await ready();
    const hour = Math.floor(fixture.clock.at / HOUR_MS) * HOUR_MS;
    for (let span = 0; span < 12; span++)
      await fixture.database.sql(
        `insert into metrics (deployment_id, at, span_minutes, checks, failed, response_ms, cpu_percent, disk_used_mb)
         values ($1, $2, 5, 5, $3, $4, $5, $6)`,
        [id, iso(hour + span * 5 * MINUTE_MS), span === 0 ? 2 : 0, [100, 100 + span, 900], span, 1_000 + span],
      );
    fixture.clock.at = hour + DAY_MS + 2 * HOUR_MS;
    await actor.provisioner.rollup.run();
    await actor.provisioner.rollup.run();
    const rows = await fixture.database.sql(
      'select at, span_minutes, checks, failed, response_ms, cpu_percent, disk_used_mb from metrics where deployment_id = $1',
      [id],
    );
    expect(rows).toEqual([
      {
        at: hour,
        span_minutes: 60,
        checks: 60,
        failed: 2,
        response_ms: Array.from({ length: 12 }, (_, span) => 100 + span),
        cpu_percent: 5.5,
        disk_used_mb: 1_011,
      },
    ]);
  });
});
