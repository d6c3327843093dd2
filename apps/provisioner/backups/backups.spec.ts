import { beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '@moorage/domain';
import { type FixtureActor, type ProvisionerFixture, fixturesOfSuite } from '@moorage/tests/services/provisioner';
import { backupsOf } from '@moorage/tests/services/provisioner/backups';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;

beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor();
});

const { backUp, beside, copies, read, ready, rows, states, tick, write } = backupsOf(
  () => fixture,
  () => actor,
);

describe('backup', () => {
  it('is created when its owner requests it, with all data of the package', async () => {
    const id = await ready();
    await write(id, 'three sites');
    const backup = await backUp(id);
    const [row] = await fixture.database.sql('select * from backups where id = $1', [backup]);
    expect(row).toMatchObject({
      kind: 'on_request',
      state: 'complete',
      attempts: 1,
      percent: 100,
      failure_reason: null,
    });
    expect(row).toMatchObject({ dumps: [{ name: 'database', bytes: 11 }] });
    expect(await copies(id)).toHaveLength(1);
  });

  it('is created daily at a fixed time, only while the deployment runs', async () => {
    const id = await ready();
    await tick();
    expect(await rows(id)).toEqual([]);
    for (let day = 0; day < 3; day++) {
      fixture.clock.at += DAY_MS;
      await tick();
    }
    expect(await states(id)).toEqual(Array.from({ length: 3 }, () => 'scheduled complete'));
    await fixture.request(id, 'delete');
    await fixture.until(actor, id, 'DESTROYED');
    fixture.clock.at += DAY_MS;
    await tick();
    expect((await states(id)).slice(3)).toEqual(['last complete']);
  });

  it('stays due while another backup waits or runs, and is created afterwards', async () => {
    const id = await ready();
    await tick();
    await fixture.backUp(id);
    await fixture.database.sql('update backup_repositories set due_at = created_at where deployment_id = $1', [id]);
    await actor.provisioner.backups.run();
    expect(await states(id)).toEqual(['on_request waiting']);
    await fixture.settle(actor, 60_000);
    await tick();
    expect(await states(id)).toEqual(['on_request complete', 'scheduled complete']);
  });

  it('is not scheduled at a level without backups', async () => {
    const id = await ready(1);
    await tick();
    fixture.clock.at += 2 * DAY_MS;
    await tick();
    expect(await rows(id)).toEqual([]);
  });
});

describe('backup retention', () => {
  it.each([
    [2, 7],
    [3, 28],
  ] as const)('at level %i is %i days', async (level, days) => {
    const id = await ready(level);
    await tick();
    for (let day = 0; day < days + 3; day++) {
      fixture.clock.at += DAY_MS;
      await tick();
    }
    const all = await rows(id);
    expect(all.filter(({ state }) => state === 'complete')).toHaveLength(days);
    expect(all.filter(({ removed_because }) => removed_because === 'retention')).toHaveLength(3);
    expect(await copies(id)).toHaveLength(days);
  });
});

describe('restore', () => {
  it('replaces the data after a backup of the current state, and can be undone for a day', async () => {
    const id = await ready();
    await write(id, 'before');
    const backup = await backUp(id);
    await write(id, 'after');
    await fixture.restore(id, backup);
    const restored = await fixture.until(actor, id, 'READY');
    expect(restored.failure_reason).toBeNull();
    expect(await read(id)).toBe('before');
    expect(await states(id)).toEqual(['on_request complete', 'before_restore complete']);
    await fixture.undoRestore(id);
    await fixture.until(actor, id, 'READY');
    expect(await read(id)).toBe('after');
    const [row] = await fixture.database.sql('select state from restores where deployment_id = $1', [id]);
    expect(row).toEqual({ state: 'undone' });
  });

  it('removes the previous data once it can no longer be undone', async () => {
    const id = await ready();
    await write(id, 'before');
    const backup = await backUp(id);
    await write(id, 'after');
    await fixture.restore(id, backup);
    await fixture.until(actor, id, 'READY');
    expect(await beside(id, '.before')).not.toEqual([]);
    fixture.clock.at += 25 * HOUR_MS;
    await tick();
    expect(await beside(id, '.before')).toEqual([]);
    expect(await read(id)).toBe('before');
  });
});

describe('deployment', () => {
  it.each([
    ['whose balance ran out', (id: number) => fixture.deplete(id)],
    ['that its owner deletes', (id: number) => fixture.request(id, 'delete')],
  ])('%s gets a last backup, and its copies are stored for as long as its level permits', async (_, end) => {
    const id = await ready(3);
    await write(id, 'all of it');
    await end(id);
    await fixture.until(actor, id, 'DESTROYED');
    expect(await states(id)).toEqual(['last complete']);
    await tick();
    fixture.clock.at += 27 * DAY_MS;
    await tick();
    expect(await copies(id)).toHaveLength(1);
    fixture.clock.at += 2 * DAY_MS;
    await tick();
    expect(await copies(id)).toEqual([]);
    expect((await rows(id))[0]).toMatchObject({ state: 'removed', removed_because: 'ended' });
  });

  it('at a level without backups gets no last backup', async () => {
    const id = await ready(1);
    await fixture.request(id, 'delete');
    await fixture.until(actor, id, 'DESTROYED');
    expect(await rows(id)).toEqual([]);
  });

  it('that is cancelled during its setup gets no last backup', async () => {
    const id = await fixture.order({ support_level: 2 });
    await fixture.until(actor, id, 'PROVISIONING');
    await fixture.cancel(id);
    await fixture.until(actor, id, 'DESTROYED');
    expect(await rows(id)).toEqual([]);
  });
});
