import { beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '@moorage/domain';
import {
  compareProviders,
  expectServers,
  type FixtureActor,
  fixturesOfSuite,
  type ProvisionerFixture,
} from '@moorage/tests/services/provisioner';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor();
});

const ready = async (
  order: { support_level?: 1 | 2; domain?: string | null; package?: string } = {},
): Promise<number> => {
  const id = await fixture.order(order);
  await fixture.until(actor, id, 'READY', 'ACTIVE');
  return id;
};
/** Deletes a deployment and lets its server be stopped. */
const deleted = async (id: number, hours = 24): Promise<void> => {
  await fixture.deleteKept(id, hours);
  await fixture.settle(actor, MINUTE_MS);
};
const runs = async (id: number): Promise<string[]> =>
  (
    await fixture.database.sql<{ plan: string; state: string }>(
      'select plan, state from runs where deployment_id = $1 order by id offset 1',
      [id],
    )
  ).map(({ plan, state }) => `${plan} ${state}`);
const services = async (id: number): Promise<string[]> => {
  const { ref, instance_ip } = await fixture.row(id);
  return Object.values(fixture.hosts.at(instance_ip ?? '')?.projects[`/opt/moorage/${ref}`]?.services ?? {});
};
const due = async (): Promise<number> => {
  const rows = await fixture.database.sql<{ due_at: number }>(`select due_at from work where kind = 'run'`);
  return Math.max(...rows.map(({ due_at }) => due_at));
};

describe('server of a deleted deployment that is kept', () => {
  it('is stopped, waits without being polled, and is removed when the time is over', async () => {
    const id = await ready();
    const { ref } = await fixture.row(id);
    const at = fixture.clock.at;
    await deleted(id);
    expect(new Set(await services(id))).toEqual(new Set(['stopped']));
    expect(await due()).toBe(at + 24 * HOUR_MS);
    await compareProviders(actor);
    expectServers(fixture, ref, 1);
    await fixture.settle(actor, 23 * HOUR_MS);
    expect(await fixture.row(id)).toMatchObject({ status: 'DESTROYING', undo_until: at + 24 * HOUR_MS });
    await fixture.until(actor, id, 'DESTROYED');
    expect(fixture.clock.at - at).toBeLessThan(25 * HOUR_MS);
    expect(await fixture.row(id)).toMatchObject({ undo_until: null, deleted_from: 'READY' });
    expectServers(fixture, ref, 0);
  });

  it('is started again, checked and returned to its owner', async () => {
    const id = await ready();
    await deleted(id);
    fixture.clock.at += HOUR_MS;
    await fixture.restoreDeleted(id);
    const back = await fixture.until(actor, id, 'READY', 'DNS_FAILED');
    expect(back).toMatchObject({
      status: 'READY',
      desired: 'running',
      failure_reason: null,
      deleted_from: null,
      billable_to: null,
    });
    expect(new Set(await services(id))).toEqual(new Set(['running']));
    expect(await runs(id)).toEqual(['destroy cancelled', 'restart done']);
    await fixture.settle(actor, 48 * HOUR_MS);
    expect((await fixture.row(id)).status).toBe('READY');
    expectServers(fixture, back.ref, 1);
  });

  it('runs again before DNS is checked, because its owner may have removed the records', async () => {
    const id = await ready();
    await deleted(id);
    fixture.dnsRight = () => false;
    await fixture.restoreDeleted(id);
    await fixture.until(actor, id, 'DNS_FAILED');
    expect(new Set(await services(id))).toEqual(new Set(['running']));
    fixture.dnsRight = () => true;
    expect(await fixture.until(actor, id, 'READY')).toMatchObject({ deleted_from: null, failure_reason: null });
  });

  it('returns with the failure if it does not start again', async () => {
    const id = await ready();
    await deleted(id);
    const { instance_ip } = await fixture.row(id);
    fixture.hosts.switchOff(instance_ip ?? '', true);
    await fixture.restoreDeleted(id);
    const back = await fixture.until(actor, id, 'READY');
    expect(back.failure_reason).not.toBeNull();
    expect(back.deleted_from).toBeNull();
  });

  it('is backed up before it is stopped', async () => {
    const id = await ready({ support_level: 2 });
    await fixture.deleteKept(id, 24);
    await fixture.settle(actor, HOUR_MS);
    expect(await fixture.database.sql('select kind, state from backups where deployment_id = $1', [id])).toEqual([
      { kind: 'last', state: 'complete' },
    ]);
    expect(await services(id)).toContain('stopped');
  });

  it('can be restored while it is being stopped', async () => {
    const id = await ready();
    fixture.hosts.loseAnswer('stop-stack', 1, true);
    await fixture.deleteKept(id, 24);
    await fixture.settle(actor);
    await fixture.restoreDeleted(id);
    await fixture.until(actor, id, 'READY');
    expect(new Set(await services(id))).toEqual(new Set(['running']));
  });

  it('is removed at once by a second delete', async () => {
    const id = await ready();
    await deleted(id);
    const at = fixture.clock.at;
    await fixture.removeNow(id);
    await fixture.until(actor, id, 'DESTROYED');
    expect(fixture.clock.at - at).toBeLessThan(HOUR_MS);
  });

  it('is no longer restored once the removal has begun, and not removed once it was restored', async () => {
    const id = await ready();
    await deleted(id, 1);
    fixture.clock.at += HOUR_MS;
    // The time is over, but the run has not continued yet, so the delete can still be undone.
    await fixture.restoreDeleted(id);
    expect(await fixture.until(actor, id, 'READY')).toMatchObject({ desired: 'running' });
    await deleted(id, 1);
    fixture.clock.at += HOUR_MS;
    await fixture.settle(actor);
    expect((await fixture.row(id)).undo_until).toBeNull();
    await expect(fixture.restoreDeleted(id)).rejects.toMatchObject({ code: 'DEPLOYMENT_STATE' });
    await fixture.until(actor, id, 'DESTROYED');
  });

  it('that ran out of money after it was restored is removed', async () => {
    const id = await ready();
    await deleted(id);
    await fixture.restoreDeleted(id);
    await fixture.deplete(id);
    const gone = await fixture.until(actor, id, 'DESTROYED');
    expect(gone).toMatchObject({ destroy_reason: 'depleted', deleted_from: null });
  });
});
