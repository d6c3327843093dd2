import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ActorOnBench, type Bench, benchesOfSuite, expectServers, reconcile } from '../testing';

const openBench = benchesOfSuite();
let bench: Bench;
let actor: ActorOnBench;
beforeEach(async () => {
  bench = await openBench();
  actor = await bench.actor();
});

describe('a comparison with the providers', () => {
  const compare = async (): Promise<void> => {
    await actor.provisioner.sweep();
    while ((await reconcile(actor)) > 0);
  };
  const nextComparison = async (): Promise<void> => {
    bench.clock.at += bench.pace.reconcile_every_ms;
    await compare();
  };

  it('calls a running server lost when it is missing twice, ten minutes apart, and stops the charge at the second look', async () => {
    const id = await bench.order();
    const row = await bench.until(actor, id, 'READY');
    await compare();
    bench.memory.vanish(bench.memory.living()[0]?.id ?? '');
    await nextComparison();
    expect((await bench.row(id)).status).toBe('READY');
    await nextComparison();
    expect((await bench.row(id)).status).toBe('READY');
    await nextComparison();
    expect(await bench.row(id)).toMatchObject({
      status: 'FAILED',
      server_exists: false,
      billable_from: row.billable_from,
      billable_to: bench.clock.at,
    });
    expect((await bench.row(id)).failure_reason).toMatch(/no longer has this server/);
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
