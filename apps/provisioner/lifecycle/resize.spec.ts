import { beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '@moorage/domain';
import {
  type FixtureActor,
  type FixtureOrder,
  fixturesOfSuite,
  type ProvisionerFixture,
  turn,
} from '@moorage/tests/services/provisioner';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor();
});

async function ready(order: Partial<FixtureOrder> = {}): Promise<number> {
  const id = await fixture.order(order);
  await fixture.until(actor, id, 'READY');
  return id;
}

const sql = <R extends object>(query: string, id: number): Promise<R[]> => fixture.database.sql<R>(query, [id]);
const runs = async (id: number): Promise<string[]> =>
  (await sql<{ run: string }>(`select plan || ' ' || state as run from runs where deployment_id = $1 order by id`, id))
    .slice(1)
    .map(({ run }) => run);
const confirmations = async (id: number): Promise<number> =>
  (await sql('select 1 from outbox where event_name = $$deployment.resized$$ and aggregate_id = $1::text', id)).length;
const change = async (id: number) =>
  (
    await sql<{ state: string; failure_reason: string | null }>(
      'select state, failure_reason from deployment_changes where deployment_id = $1',
      id,
    )
  )[0];

const serverOf = (ref: string) => fixture.memory.living().find(({ labels }) => labels.deployment === ref);

/** Size by the provider, by our server row and by the deployment. */
async function sizes(id: number): Promise<(string | undefined)[]> {
  const { ref, instance_type } = await fixture.row(id);
  const [server] = await sql<{ instance_type: string }>(
    'select instance_type from servers where deployment_id = $1',
    id,
  );
  return [serverOf(ref)?.instance_type ?? undefined, server?.instance_type, instance_type ?? undefined];
}
const SMALL = ['cpx22', 'cpx22', 'cpx22'];
const LARGE = ['cpx32', 'cpx32', 'cpx32'];

describe('resize', () => {
  it('changes the size, and confirms it once', async () => {
    const id = await ready();
    await fixture.resize(id, 'cpx32');
    const after = await fixture.until(actor, id, 'READY');
    expect(after).toMatchObject({ failure_reason: null, restart_from: null, instance_hourly_micros: '35600' });
    expect(await sizes(id)).toEqual(LARGE);
    expect([await runs(id), await confirmations(id), await change(id)]).toEqual([
      ['resize done'],
      1,
      { state: 'done', failure_reason: null },
    ]);
  });

  it('takes a backup first where the level has backups', async () => {
    const id = await ready({ support_level: 2 });
    await fixture.resize(id, 'cpx32');
    await fixture.until(actor, id, 'READY');
    expect(await sql('select kind, state from backups where deployment_id = $1', id)).toEqual([
      { kind: 'before_resize', state: 'complete' },
    ]);
    expect(await sizes(id)).toEqual(LARGE);
  });

  it('changes nothing if the backup fails', async () => {
    const id = await ready({ support_level: 2 });
    await fixture.resize(id, 'cpx32');
    for (let n = 0; n < 3; n += 1) await turn(actor);
    await sql(
      `update backups set state = 'failed', finished_at = requested_at, failure_reason = 'Disk full.' where deployment_id = $1`,
      id,
    );
    const after = await fixture.until(actor, id, 'READY');
    expect(after.failure_reason).toMatch(/could not be backed up/);
    expect([await sizes(id), await runs(id), await confirmations(id)]).toEqual([SMALL, ['resize failed'], 0]);
    expect(await change(id)).toMatchObject({ state: 'failed' });
  });

  it('returns to the previous size if the provider has sold it out, and confirms nothing', async () => {
    const id = await ready();
    fixture.memory.fault('hetzner', 'resize', 'no_capacity', 1);
    await fixture.resize(id, 'cpx32');
    const after = await fixture.until(actor, id, 'READY');
    expect(after.failure_reason).toMatch(/previous size.*sold out/s);
    expect([await sizes(id), await runs(id), await confirmations(id)]).toEqual([
      SMALL,
      ['resize failed', 'undo-resize done'],
      0,
    ]);
    expect(await change(id)).toMatchObject({ state: 'failed', failure_reason: after.failure_reason });
    expect(serverOf(after.ref)?.state).toBe('running');
  });

  it('keeps the confirmed size if the software does not become healthy', async () => {
    const id = await ready();
    fixture.hosts.loseAnswer('check-health', 100, false);
    await fixture.resize(id, 'cpx32');
    const after = await fixture.until(actor, id, 'READY');
    expect(after.failure_reason).toMatch(/new size/);
    expect([await sizes(id), await confirmations(id), (await change(id))?.state]).toEqual([LARGE, 1, 'done']);
  });

  it('ends with the deployment if its balance runs out meanwhile', async () => {
    const id = await ready();
    await fixture.resize(id, 'cpx32');
    await turn(actor);
    await fixture.deplete(id);
    await fixture.until(actor, id, 'DESTROYED');
    expect(await change(id)).toMatchObject({ state: 'failed' });
    expect(await confirmations(id)).toBe(0);
  });

  it('does not count as a loss of the server while it is stopped', async () => {
    const id = await ready();
    await fixture.resize(id, 'cpx32');
    for (let minutes = 0; minutes < 3; minutes += 1) {
      await turn(actor);
      fixture.clock.at += MINUTE_MS;
    }
    await fixture.until(actor, id, 'READY');
    fixture.clock.at += HOUR_MS;
    await fixture.settle(actor);
    expect((await fixture.row(id)).status).toBe('READY');
    const [server] = await sql('select lost_seen_at, moved_to from servers where deployment_id = $1', id);
    expect(server).toEqual({ lost_seen_at: null, moved_to: null });
  });
});

describe('resize at a provider that releases the address', () => {
  const AWS = { provider: 'aws', region: 'us-east-1', instance_type: 't3.small' } as const;

  it('follows the new address and ends in DNS_FAILED until the records point to it', async () => {
    const id = await ready(AWS);
    const before = (await fixture.row(id)).instance_ip;
    fixture.dnsRight = () => false;
    await fixture.resize(id, 't3.medium');
    const after = await fixture.until(actor, id, 'DNS_FAILED');
    expect(after.instance_ip).not.toBe(before);
    expect((await change(id))?.state).toBe('done');
    const [event] = await sql<{ data: object }>(
      'select data from outbox where event_name = $$deployment.address_changed$$ and aggregate_id = $1::text',
      id,
    );
    expect(event?.data).toMatchObject({ from: before, to: after.instance_ip });
    fixture.dnsRight = () => true;
    await fixture.until(actor, id, 'READY');
  });
});
