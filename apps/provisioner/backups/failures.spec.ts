import { beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@moorage/domain';
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

const addressOf = async (id: number): Promise<string> => (await fixture.row(id)).instance_ip ?? '';
const alerts = (): Promise<string[]> =>
  fixture.database
    .sql<{ kind: string }>('select kind from operator_alerts where resolved_at is null order by kind')
    .then((found) => found.map(({ kind }) => kind));

describe('failing backup', () => {
  it('is retried later and shows the reason until then', async () => {
    const id = await ready();
    fixture.hosts.switchOff(await addressOf(id), true);
    await fixture.backUp(id);
    await fixture.settle(actor, MINUTE_MS);
    expect(await rows(id)).toMatchObject([
      { state: 'waiting', attempts: 1, failure_reason: 'The server could not be reached.' },
    ]);
    fixture.hosts.switchOff(await addressOf(id), false);
    await fixture.settle(actor, HOUR_MS);
    expect(await rows(id)).toMatchObject([{ state: 'complete', failure_reason: null }]);
  });

  it('fails after three attempts, and the next backup is due on the next day', async () => {
    const id = await ready();
    await tick();
    fixture.hosts.fill(await addressOf(id), true);
    fixture.clock.at += DAY_MS;
    await tick();
    await fixture.settle(actor, HOUR_MS);
    expect(await rows(id)).toMatchObject([{ kind: 'scheduled', state: 'failed', attempts: 3 }]);
    fixture.hosts.fill(await addressOf(id), false);
    fixture.clock.at += DAY_MS;
    await tick();
    expect(await states(id)).toEqual(['scheduled failed', 'scheduled complete']);
  });

  it('is reported to administrators after 36 hours without a backup', async () => {
    const id = await ready();
    await tick();
    fixture.hosts.switchOff(await addressOf(id), true);
    for (let hours = 0; hours < 40; hours += 4) {
      fixture.clock.at += 4 * HOUR_MS;
      await tick();
    }
    expect(await alerts()).toContain('backups_stale');
    fixture.hosts.switchOff(await addressOf(id), false);
    await fixture.settle(actor, HOUR_MS);
    await backUp(id);
    await tick();
    expect(await alerts()).not.toContain('backups_stale');
  });

  it('waits while the server is being changed', async () => {
    const id = await ready();
    await fixture.request(id, 'restart');
    await fixture.backUp(id);
    await fixture.until(actor, id, 'READY');
    await fixture.settle(actor, 10 * MINUTE_MS);
    expect(await states(id)).toEqual(['on_request complete']);
  });

  it('does not delay the end of its account and ends with it', async () => {
    const id = await ready();
    await fixture.backUp(id);
    await fixture.settle(actor);
    expect(await states(id)).toEqual(['on_request running']);
    await fixture.prepareDeletion(id);
    await fixture.until(actor, id, 'DESTROYED');
    await fixture.settle(actor, HOUR_MS);
    expect(await rows(id)).toMatchObject([
      { state: 'failed', failure_reason: 'The deployment was removed before the backup finished.' },
    ]);
  });

  it('restarts if the server has lost it', async () => {
    const id = await ready();
    await fixture.backUp(id);
    await fixture.settle(actor);
    const machine = fixture.hosts.at(await addressOf(id));
    for (const mark of Object.keys(machine?.marks ?? {}))
      if (mark.startsWith('copy:')) Reflect.deleteProperty(machine?.marks ?? {}, mark);
    await fixture.settle(actor, HOUR_MS);
    expect(await rows(id)).toMatchObject([{ state: 'complete', attempts: 2 }]);
  });
});

describe('copies', () => {
  it('are stored for a week after a change to a level without backups, and longer when the level is restored', async () => {
    const id = await ready();
    await backUp(id);
    await fixture.changeLevel(id, 1);
    await tick();
    fixture.clock.at += 6 * DAY_MS;
    await tick();
    expect(await copies(id)).toHaveLength(1);
    await fixture.changeLevel(id, 2);
    await tick();
    fixture.clock.at += 2 * DAY_MS;
    await tick();
    expect(await states(id)).toContain('on_request complete');
    await fixture.changeLevel(id, 1);
    await tick();
    fixture.clock.at += 8 * DAY_MS;
    await tick();
    expect(await copies(id)).toEqual([]);
    expect((await rows(id)).every(({ removed_because }) => removed_because === 'ended')).toBe(true);
  });

  it('of level 3 are trimmed to seven days by a change to level 2', async () => {
    const id = await ready(3);
    await tick();
    for (let day = 0; day < 10; day++) {
      fixture.clock.at += DAY_MS;
      await tick();
    }
    expect(await copies(id)).toHaveLength(10);
    await fixture.changeLevel(id, 2);
    fixture.clock.at += DAY_MS;
    await tick();
    expect(await copies(id)).toHaveLength(7);
  });

  it('of unknown origin in the repository are reported, but neither shown nor removed', async () => {
    const id = await ready();
    await backUp(id);
    fixture.copies.write((await fixture.row(id)).ref, 'f'.repeat(64), 'invented');
    fixture.clock.at += DAY_MS + HOUR_MS;
    await tick();
    expect(await alerts()).toContain('backup_strange');
    expect(await copies(id)).toContain('f'.repeat(64));
  });

  it('that are damaged are found by the weekly check', async () => {
    const id = await ready();
    await backUp(id);
    const [copy = ''] = await copies(id);
    fixture.copies.write((await fixture.row(id)).ref, copy, '{"half":');
    fixture.clock.at += 7 * DAY_MS + HOUR_MS;
    await tick();
    expect(await alerts()).toContain('backup_damaged');
    const [row] = await fixture.database.sql<{ check_failure: { detail: string } }>(
      'select check_failure from backup_repositories',
    );
    expect(row?.check_failure.detail).toBe(
      "A check found backups that can't be read. Our operators have been notified.",
    );
  });
});

describe('previous data of a restore', () => {
  it('is removed later from an unreachable server without blocking other work', async () => {
    const id = await ready();
    const backup = await backUp(id);
    await fixture.restore(id, backup);
    await fixture.until(actor, id, 'READY');
    await fixture.changeLevel(id, 1);
    await fixture.settle(actor);
    fixture.hosts.switchOff(await addressOf(id), true);
    fixture.clock.at += 8 * DAY_MS;
    await tick();
    expect(await copies(id)).toEqual([]);
    fixture.hosts.switchOff(await addressOf(id), false);
    expect(await beside(id, '.before')).not.toEqual([]);
    fixture.clock.at += 2 * HOUR_MS;
    await tick();
    expect(await beside(id, '.before')).toEqual([]);
  });
});

describe('failing restore', () => {
  async function damage(id: number): Promise<void> {
    const [copy = ''] = await copies(id);
    fixture.copies.write((await fixture.row(id)).ref, copy, '{"half":');
  }

  it('changes nothing and reports a damaged copy', async () => {
    const id = await ready();
    await write(id, 'before');
    const backup = await backUp(id);
    await damage(id);
    await write(id, 'after');
    await fixture.restore(id, backup);
    const row = await fixture.until(actor, id, 'READY');
    expect(row.failure_reason).toBe('The backup tool failed.');
    expect(await read(id)).toBe('after');
    expect(await beside(id, '.restored')).toEqual([]);
    const [restore] = await fixture.database.sql('select state, undo_until from restores');
    expect(restore).toEqual({ state: 'failed', undo_until: null });
  });

  it('changes nothing if the current data cannot be backed up first', async () => {
    const id = await ready();
    await write(id, 'before');
    const backup = await backUp(id);
    await write(id, 'after');
    await fixture.restore(id, backup);
    fixture.hosts.switchOff(await addressOf(id), true);
    const row = await fixture.until(actor, id, 'READY');
    expect(row.failure_reason).toBe('The current data could not be backed up. The server could not be reached.');
    fixture.hosts.switchOff(await addressOf(id), false);
    expect(await read(id)).toBe('after');
  });

  it('restores the previous data automatically once the restored data was in place', async () => {
    const id = await ready();
    await write(id, 'before');
    const backup = await backUp(id);
    await write(id, 'after');
    fixture.hosts.loseAnswer('check-health', 1_000, false);
    await fixture.restore(id, backup);
    const plan = async (): Promise<unknown> =>
      (await fixture.database.sql('select plan from runs order by id desc limit 1'))[0];
    for (let turns = 0; turns < 100 && JSON.stringify(await plan()) !== '{"plan":"undo-restore"}'; turns++)
      await fixture.settle(actor, 10_000);
    expect(await plan()).toEqual({ plan: 'undo-restore' });
    fixture.hosts.loseAnswer('check-health', 0, false);
    const row = await fixture.until(actor, id, 'READY');
    expect(row.failure_reason).toMatch(/^The software did not become healthy with the restored data/);
    expect(await read(id)).toBe('after');
    const [restore] = await fixture.database.sql('select state from restores');
    expect(restore).toEqual({ state: 'failed' });
  });

  it('keeps the previous restore undoable if it had replaced nothing', async () => {
    const id = await ready();
    await write(id, 'first');
    const first = await backUp(id);
    await write(id, 'second');
    const second = await backUp(id);
    await fixture.restore(id, first);
    await fixture.until(actor, id, 'READY');
    fixture.hosts.loseAnswer('copy-start', 1_000, false);
    await fixture.restore(id, second);
    const failed = await fixture.until(actor, id, 'READY');
    expect(failed.failure_reason).not.toBeNull();
    fixture.hosts.loseAnswer('copy-start', 0, false);
    expect(await read(id)).toBe('first');
    await fixture.undoRestore(id);
    await fixture.until(actor, id, 'READY');
    expect(await read(id)).toBe('second');
  });

  it('reports why the data could not be replaced instead of unhealthy software', async () => {
    const id = await ready();
    await write(id, 'before');
    const backup = await backUp(id);
    await write(id, 'after');
    await fixture.restore(id, backup);
    fixture.hosts.loseAnswer('swap-data', 6, false);
    const row = await fixture.until(actor, id, 'READY');
    expect(row.failure_reason).toBe('The connection to the server was lost.');
    expect(await read(id)).toBe('after');
  });

  it('waits for a running backup and then creates its own', async () => {
    const id = await ready();
    await write(id, 'before');
    const backup = await backUp(id);
    await write(id, 'after');
    const running = await fixture.backUp(id);
    await fixture.settle(actor, 0);
    expect((await states(id)).at(-1)).toBe('on_request running');
    const began = fixture.clock.at;
    await fixture.restore(id, backup);
    await fixture.until(actor, id, 'READY');
    expect(fixture.clock.at - began).toBeLessThan(HOUR_MS);
    expect(await states(id)).toEqual(['on_request complete', 'on_request complete', 'before_restore complete']);
    expect(running).toBeLessThan(backup + 5);
    expect(await read(id)).toBe('before');
  });

  it('takes over a backup that waits for its next attempt', async () => {
    const id = await ready();
    await write(id, 'before');
    const backup = await backUp(id);
    fixture.hosts.loseAnswer('copy-start', 1, false);
    await fixture.backUp(id);
    await fixture.settle(actor, 0);
    expect((await states(id)).at(-1)).toBe('on_request waiting');
    const began = fixture.clock.at;
    await fixture.restore(id, backup);
    await fixture.until(actor, id, 'READY');
    expect(fixture.clock.at - began).toBeLessThan(HOUR_MS);
    expect(await states(id)).toEqual(['on_request complete', 'before_restore complete']);
  });

  it('leaves space for the next restore', async () => {
    const id = await ready();
    await write(id, 'before');
    const backup = await backUp(id);
    const second = await backUp(id);
    await damage(id);
    await fixture.restore(id, backup);
    await fixture.until(actor, id, 'READY');
    await write(id, 'after');
    await fixture.restore(id, second);
    await fixture.until(actor, id, 'READY');
    expect(await read(id)).toBe('before');
  });
});

describe('failures before a removal', () => {
  it.each([
    ['the balance ran out', (id: number) => fixture.deplete(id)],
    ['its owner deleted it', (id: number) => fixture.request(id, 'delete')],
  ])('skip the last backup if %s and the server does not respond for an hour', async (_, end) => {
    const id = await ready();
    fixture.hosts.switchOff(await addressOf(id), true);
    const began = fixture.clock.at;
    await end(id);
    await fixture.until(actor, id, 'DESTROYED');
    expect(fixture.clock.at - began).toBeLessThan(2 * HOUR_MS);
    expect(await states(id)).toEqual(['last failed']);
  });

  it('back up the previous data if a restore is running', async () => {
    const id = await ready();
    await write(id, 'before');
    const backup = await backUp(id);
    await fixture.restore(id, backup);
    await fixture.settle(actor);
    expect((await fixture.row(id)).status).toBe('RESTARTING');
    await fixture.deplete(id);
    await fixture.until(actor, id, 'DESTROYED');
    expect((await states(id)).at(-1)).toBe('last complete');
    const [restore] = await fixture.database.sql('select state from restores');
    expect(restore).toEqual({ state: 'failed' });
  });

  it('create no final backup at level 1', async () => {
    const id = await ready(1);
    await fixture.deplete(id);
    await fixture.until(actor, id, 'DESTROYED');
    expect(await states(id)).toEqual([]);
  });
});
