import { beforeEach, describe, expect, it } from '@jest/globals';
import type { MoveRow } from '@moorage/database';
import { DAY_MS, HOUR_MS } from '@moorage/domain';
import { backupsOf } from '@moorage/tests/services/provisioner/backups';
import { type FixtureActor, type ProvisionerFixture, fixturesOfSuite } from '@moorage/tests/services/provisioner';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;

beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor();
});

const { copies, read, ready, rows, states, tick, write } = backupsOf(
  () => fixture,
  () => actor,
);

async function moveOf(target: number): Promise<MoveRow> {
  const [row] = await fixture.database.sql<MoveRow>('select * from moves where target_id = $1', [target]);
  if (row === undefined) throw new Error('no move');
  return row;
}

const eventsOf = async (target: number): Promise<string[]> => {
  const found = await fixture.database.sql<{ state: string }>(
    `select data ->> 'state' as state from outbox where event_name = 'deployment.move_changed' and aggregate_id = $1 order by sequence`,
    [String(target)],
  );
  return found.map(({ state }) => state);
};

const stepsOf = async (id: number): Promise<readonly string[]> => {
  const [run] = await fixture.database.sql<{ steps: string[] }>(
    `select steps from runs where deployment_id = $1 and plan = 'create'`,
    [id],
  );
  return run?.steps ?? [];
};

describe('move', () => {
  it('copies the data at the time at which the new server is ready, and keeps the old one for a day', async () => {
    const source = await ready();
    const target = await fixture.moveTo(source);
    await write(source, 'written after the order');
    await fixture.until(actor, target, 'READY');
    expect(await read(target)).toBe('written after the order');
    expect(await stepsOf(target)).toEqual(expect.arrayContaining(['back-up-source', 'restore-data', 'swap-data']));
    expect(await states(source)).toEqual(['before_move complete']);
    await fixture.settle(actor);
    expect(await moveOf(target)).toMatchObject({
      state: 'waiting',
      switched_at: fixture.clock.at,
      remove_at: fixture.clock.at + DAY_MS,
      finished_at: null,
    });
    expect((await fixture.row(source)).status).toBe('READY');
    expect(await eventsOf(target)).toEqual(['waiting']);
  });

  it('has ended once the old server is being removed', async () => {
    const source = await ready();
    const target = await fixture.moveTo(source);
    await fixture.until(actor, target, 'READY');
    await fixture.settle(actor);
    await fixture.request(source, 'delete');
    await fixture.until(actor, source, 'DESTROYED');
    expect(await moveOf(target)).toMatchObject({ state: 'done', remove_at: null });
    expect((await fixture.row(target)).status).toBe('READY');
    expect(await eventsOf(target)).toEqual(['waiting', 'done']);
  });

  it('takes further domains along, and returns them if the new deployment is removed', async () => {
    const source = await ready();
    await fixture.database.sql(
      `insert into deployment_domains (deployment_id, host, kind, added_at, applied_at)
       values ($1, 'www.example.net', 'redirect', now(), now())`,
      [source],
    );
    const domainsOf = () =>
      fixture.database.sql('select deployment_id, applied_at is not null as applied from deployment_domains');
    const target = await fixture.moveTo(source);
    await fixture.until(actor, target, 'READY');
    await fixture.settle(actor);
    expect(await domainsOf()).toEqual([expect.objectContaining({ deployment_id: target, applied: true })]);
    await fixture.request(target, 'delete');
    await fixture.until(actor, target, 'DESTROYED');
    await fixture.settle(actor);
    expect(await domainsOf()).toEqual([expect.objectContaining({ deployment_id: source, applied: true })]);
  });

  it('works at a level without backups, and stores the copy for two days only', async () => {
    const source = await ready(1);
    await write(source, 'three sites');
    const target = await fixture.moveTo(source);
    await fixture.until(actor, target, 'READY');
    expect(await read(target)).toBe('three sites');
    await fixture.settle(actor);
    fixture.clock.at += 47 * HOUR_MS;
    await tick();
    expect(await copies(source)).toHaveLength(1);
    fixture.clock.at += 2 * HOUR_MS;
    await tick();
    expect(await copies(source)).toEqual([]);
    expect((await rows(source))[0]).toMatchObject({ state: 'removed', removed_because: 'ended' });
    // A second move opens the repository again.
    await fixture.database.sql(`update moves set state = 'done', remove_at = null, finished_at = requested_at`);
    await write(source, 'four sites');
    const second = await fixture.moveTo(source);
    await fixture.until(actor, second, 'READY');
    expect(await read(second)).toBe('four sites');
  });

  it('is cancelled when its owner removes the new deployment, at any time', async () => {
    const source = await ready();
    const target = await fixture.moveTo(source);
    await fixture.until(actor, target, 'PROVISIONING');
    await fixture.cancel(target);
    await fixture.until(actor, target, 'DESTROYED');
    expect(await moveOf(target)).toMatchObject({ state: 'cancelled' });
    const second = await fixture.moveTo(source);
    await fixture.until(actor, second, 'READY');
    await fixture.request(second, 'delete');
    await fixture.until(actor, second, 'DESTROYED');
    expect(await moveOf(second)).toMatchObject({ state: 'cancelled', remove_at: null });
    expect((await fixture.row(source)).status).toBe('READY');
  });

  it('fails with the new deployment, and leaves the old one unchanged', async () => {
    const source = await ready();
    const target = await fixture.moveTo(source);
    await fixture.until(actor, target, 'READY');
    await fixture.settle(actor);
    await fixture.deplete(target);
    await fixture.until(actor, target, 'DESTROYED');
    expect(await moveOf(target)).toMatchObject({ state: 'failed' });
    expect((await fixture.row(source)).status).toBe('READY');
  });

  it('fails if the old deployment is removed before its data was copied', async () => {
    const source = await ready();
    const target = await fixture.moveTo(source);
    await fixture.request(source, 'delete');
    const failed = await fixture.until(actor, target, 'FAILED');
    expect(failed.failure_code).toBe('move.source_gone');
    await fixture.settle(actor);
    expect(await moveOf(target)).toMatchObject({ state: 'failed' });
  });

  it('ends well if the old deployment is removed after its data was copied', async () => {
    const source = await ready();
    await write(source, 'three sites');
    const target = await fixture.moveTo(source);
    await fixture.until(actor, target, 'DNS_VALIDATION');
    await fixture.request(source, 'delete');
    await fixture.until(actor, source, 'DESTROYED');
    await fixture.until(actor, target, 'READY');
    await fixture.settle(actor);
    expect(await read(target)).toBe('three sites');
    expect(await moveOf(target)).toMatchObject({ state: 'done' });
  });
});

describe('clone', () => {
  it('has ended once the new deployment is ready, and keeps the original', async () => {
    const source = await ready();
    await write(source, 'three sites');
    const target = await fixture.moveTo(source, { kind: 'clone', domain: 'example.org' });
    await fixture.until(actor, target, 'READY');
    await fixture.settle(actor);
    expect(await read(target)).toBe('three sites');
    expect(await moveOf(target)).toMatchObject({ state: 'done', switched_at: expect.any(Number), remove_at: null });
    expect((await fixture.row(source)).status).toBe('READY');
  });
});
