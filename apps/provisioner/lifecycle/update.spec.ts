import { beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR_MS, SECOND_MS } from '@moorage/domain';
import { type HostState } from '../clouds/sandbox/host-state';
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

/** The second release of the package that the fixture orders, and an image that only it has. */
const NEXT = '1.24.0-2';
const NEW_IMAGE = 'traefik:v3.7.14';
const OLD_IMAGE = 'traefik:v3.7.12';

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
const change = async (id: number) =>
  (
    await sql<{ state: string; failure_reason: string | null; taken_back_at: number | null }>(
      'select state, failure_reason, taken_back_at from deployment_changes where deployment_id = $1 order by id desc',
      id,
    )
  )[0];

const outcomes = async (id: number): Promise<string[]> =>
  (
    await sql<{ outcome: string }>(
      `select data ->> 'outcome' as outcome from outbox
       where event_name = 'deployment.update_ended' and aggregate_id = $1::text order by sequence`,
      id,
    )
  ).map(({ outcome }) => outcome);

async function hostOf(id: number): Promise<HostState> {
  const host = fixture.hosts.at((await fixture.row(id)).instance_ip ?? '');
  if (host === null) throw new Error('the server does not run');
  return host;
}

/** Returns the file of a deployment as text, or null if there is none. */
async function file(id: number, path: string): Promise<string | null> {
  const { ref } = await fixture.row(id);
  const data = (await hostOf(id)).files[`/opt/moorage/${ref}/${path}`]?.data;
  return data === undefined ? null : Buffer.from(data, 'base64').toString();
}
const compose = (id: number) => file(id, 'docker-compose.yml');
const database = (id: number) => file(id, 'config/db/db.sqlite');

/** Returns the folders beside the data that an update may leave behind. */
async function leftovers(id: number): Promise<string[]> {
  const { ref } = await fixture.row(id);
  return Object.keys((await hostOf(id)).files).filter((path) => path.startsWith(`/opt/moorage/${ref}/.restored/`));
}

async function untilOver(id: number): Promise<void> {
  while ((await fixture.row(id)).status === 'RESTARTING') await fixture.settle(actor, SECOND_MS);
}

describe('update', () => {
  it('runs the images of the next release, which migrates the data', async () => {
    const id = await ready();
    const before = await fixture.row(id);
    await fixture.update(id, NEXT);
    const after = await fixture.until(actor, id, 'READY');
    expect(after).toMatchObject({
      release: NEXT,
      failure_reason: null,
      restart_from: null,
      billable_from: before.billable_from,
    });
    expect([await runs(id), (await change(id))?.state]).toEqual([['update done'], 'done']);
    expect(await outcomes(id)).toEqual(['done']);
    expect(await compose(id)).toContain(NEW_IMAGE);
    expect(await database(id)).toContain(`Migrated by`);
    expect(await leftovers(id)).toEqual([]);
    const { projects } = await hostOf(id);
    expect(Object.values(projects).flatMap(({ services }) => Object.values(services))).not.toContain('stopped');
  });

  it('takes a backup of the previous release first, where the level has backups', async () => {
    const id = await ready({ support_level: 2 });
    await fixture.update(id, NEXT);
    await fixture.until(actor, id, 'READY');
    expect(await sql('select kind, state, release from backups where deployment_id = $1', id)).toEqual([
      { kind: 'before_update', state: 'complete', release: null },
    ]);
    await fixture.backUp(id);
    await fixture.settle(actor);
    expect(await sql('select release from backups where deployment_id = $1 order by id desc limit 1', id)).toEqual([
      { release: NEXT },
    ]);
  });

  it('changes nothing if the backup fails', async () => {
    const id = await ready({ support_level: 2 });
    await fixture.update(id, NEXT);
    for (let n = 0; n < 3; n += 1) await turn(actor);
    await sql(
      `update backups set state = 'failed', finished_at = requested_at, failure_reason = 'Disk full.' where deployment_id = $1`,
      id,
    );
    await untilOver(id);
    const { status, release, failure_reason } = await fixture.row(id);
    expect([status, release]).toEqual(['READY', null]);
    expect(failure_reason).toMatch(/update was not started.*could not be backed up/s);
    expect([await runs(id), await change(id)]).toMatchObject([
      ['update failed'],
      { state: 'failed', taken_back_at: null },
    ]);
    expect(await compose(id)).toContain(OLD_IMAGE);
  });

  it('that never becomes healthy returns to the previous release with the data from before', async () => {
    const id = await ready();
    (await hostOf(id)).marks.unhealthy = NEW_IMAGE;
    await fixture.update(id, NEXT);
    await untilOver(id);
    const { status, release, failure_reason } = await fixture.row(id);
    expect([status, release]).toEqual(['READY', null]);
    expect(failure_reason).toContain(
      'The update was undone. The deployment runs version 1.24.0 with the data from before.',
    );
    expect(await runs(id)).toEqual(['update failed', 'undo-update done']);
    expect(await change(id)).toMatchObject({ state: 'failed', taken_back_at: expect.any(Number) });
    expect(await compose(id)).toContain(OLD_IMAGE);
    expect(await database(id)).toBe('The simulated database "database".\n');
    expect(await leftovers(id)).toEqual([]);
    expect(await outcomes(id)).toEqual(['undone']);
  });

  it('without a certificate afterwards returns to the previous release', async () => {
    const id = await ready();
    fixture.authority = 'no';
    await fixture.update(id, NEXT);
    while ((await change(id))?.state === 'running') await fixture.settle(actor, SECOND_MS);
    fixture.authority = null;
    await untilOver(id);
    expect(await runs(id)).toEqual(['update failed', 'undo-update done']);
    expect((await fixture.row(id)).release).toBeNull();
  });

  it('that fails before the data was kept starts the previous release again', async () => {
    const id = await ready();
    fixture.hosts.loseAnswer('keep-data', 100, false);
    await fixture.update(id, NEXT);
    await untilOver(id);
    const { status, release } = await fixture.row(id);
    expect([status, release, await runs(id)]).toEqual(['READY', null, ['update failed', 'undo-update done']]);
    expect(await compose(id)).toContain(OLD_IMAGE);
    expect(await change(id)).toMatchObject({ state: 'failed', taken_back_at: null });
    expect(await outcomes(id)).toEqual(['not_begun']);
  });

  it('removes the copy of the data at a later attempt if the first one fails', async () => {
    const id = await ready();
    fixture.hosts.loseAnswer('tidy-update', 2, false);
    await fixture.update(id, NEXT);
    await untilOver(id);
    expect([(await fixture.row(id)).release, await runs(id)]).toEqual([NEXT, ['update done']]);
    expect(await leftovers(id)).toEqual([]);
  });

  it('succeeds even if the copy of the data cannot be removed', async () => {
    const id = await ready();
    fixture.hosts.loseAnswer('tidy-update', 100, false);
    await fixture.update(id, NEXT);
    await untilOver(id);
    const { status, release, failure_reason } = await fixture.row(id);
    expect([status, release, failure_reason, await runs(id)]).toEqual(['READY', NEXT, null, ['update done']]);
    expect([(await change(id))?.state, await outcomes(id)]).toEqual(['done', ['done']]);
    expect(await leftovers(id)).not.toEqual([]);
  });

  it('succeeds even if every provisioner is down for an hour while the copy is removed', async () => {
    const id = await ready();
    fixture.hosts.loseAnswer('tidy-update', 100, true);
    await fixture.update(id, NEXT);
    const removed = async () =>
      (await sql("select 1 from deployment_steps where deployment_id = $1 and step = 'tidy-update'", id)).length > 0;
    while (!(await removed())) await turn(actor);
    fixture.clock.at += HOUR_MS;
    await untilOver(id);
    expect([(await fixture.row(id)).release, await runs(id)]).toEqual([NEXT, ['update done']]);
    expect(await compose(id)).toContain(NEW_IMAGE);
  });

  it('is undone even if what remains of it cannot be removed', async () => {
    const id = await ready();
    (await hostOf(id)).marks.unhealthy = NEW_IMAGE;
    fixture.hosts.loseAnswer('tidy-update', 100, false);
    await fixture.update(id, NEXT);
    await untilOver(id);
    expect([(await fixture.row(id)).status, await runs(id)]).toEqual(['READY', ['update failed', 'undo-update done']]);
    expect(await outcomes(id)).toEqual(['undone']);
  });

  it('to a release that is no longer known changes nothing', async () => {
    const id = await ready();
    await fixture.update(id, '9.9.9');
    await untilOver(id);
    expect([await runs(id), (await fixture.row(id)).status]).toEqual([['update failed'], 'READY']);
    expect(await compose(id)).toContain(OLD_IMAGE);
  });

  it('stops the rollout of its release at the second one that had to be undone', async () => {
    await fixture.database.sql(
      `insert into release_rollouts (package, version, ring, state, counted_from, changed_at)
       values ('pangolin', $1, 'all', 'rolling', $2, $2)`,
      [NEXT, new Date(fixture.clock.at).toISOString()],
    );
    const rollout = async () =>
      (await fixture.database.sql<{ state: string }>('select state from release_rollouts'))[0];
    for (const state of ['rolling', 'stopped']) {
      const id = await ready({ domain: `${state}.example.com` });
      (await hostOf(id)).marks.unhealthy = NEW_IMAGE;
      await fixture.update(id, NEXT);
      await untilOver(id);
      expect((await rollout())?.state).toBe(state);
    }
    // A server that can't keep its data is not the fault of the release.
    await fixture.database.sql(`update release_rollouts set state = 'rolling', counted_from = $1`, [
      new Date(fixture.clock.at).toISOString(),
    ]);
    for (const name of ['one', 'two']) {
      const id = await ready({ domain: `${name}.example.com` });
      fixture.hosts.loseAnswer('keep-data', 100, false);
      await fixture.update(id, NEXT);
      await untilOver(id);
      fixture.hosts.loseAnswer('keep-data', 0, false);
    }
    expect((await rollout())?.state).toBe('rolling');
    expect(await fixture.database.sql('select kind, subject, facts from operator_alerts')).toEqual([
      { kind: 'release_stopped', subject: `pangolin ${NEXT}`, facts: { failures: 2 } },
    ]);
  });

  it('ends with the deployment if it is deleted meanwhile', async () => {
    const id = await ready();
    await fixture.update(id, NEXT);
    for (let n = 0; n < 4; n += 1) await turn(actor);
    await fixture.prepareDeletion(id);
    while (!['DESTROYED', 'DELETED'].includes((await fixture.row(id)).status)) await fixture.settle(actor, SECOND_MS);
    expect([(await change(id))?.state, await outcomes(id)]).toEqual(['failed', []]);
  });
});

describe('restore of a backup from before an update', () => {
  /** Returns a deployment that was updated, and the backup from before. */
  async function updated(): Promise<{ id: number; backup: number }> {
    const id = await ready({ support_level: 2 });
    await fixture.update(id, NEXT);
    await fixture.until(actor, id, 'READY');
    const [backup] = await sql<{ id: number }>('select id from backups where deployment_id = $1', id);
    return { id, backup: backup?.id ?? 0 };
  }

  it('runs the release of its data, and an undo runs the later one again', async () => {
    const { id, backup } = await updated();
    await fixture.restore(id, backup);
    await fixture.until(actor, id, 'READY');
    expect((await fixture.row(id)).release).toBeNull();
    expect([await compose(id), await database(id)]).toEqual([
      expect.stringContaining(OLD_IMAGE),
      'The simulated database "database".\n',
    ]);
    await fixture.undoRestore(id);
    await fixture.until(actor, id, 'READY');
    expect((await fixture.row(id)).release).toBe(NEXT);
    expect([await compose(id), await database(id)]).toEqual([
      expect.stringContaining(NEW_IMAGE),
      expect.stringContaining('Migrated by'),
    ]);
  });

  it('returns to the later release if the earlier one does not become healthy', async () => {
    const { id, backup } = await updated();
    (await hostOf(id)).marks.unhealthy = OLD_IMAGE;
    await fixture.restore(id, backup);
    await untilOver(id);
    expect(await runs(id)).toEqual(['update done', 'restore failed', 'undo-restore done']);
    expect((await fixture.row(id)).release).toBe(NEXT);
    expect([await compose(id), await database(id)]).toEqual([
      expect.stringContaining(NEW_IMAGE),
      expect.stringContaining('Migrated by'),
    ]);
  });
});
