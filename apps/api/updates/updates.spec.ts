import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ActivityAnswer,
  type DeploymentUpdatesAnswer,
  event,
  type ReleaseRolloutAnswer,
} from '@moorage/contracts';
import { DAY_MS, DEFAULT_UPDATE_SETTINGS, HOUR_MS, iso, type Ring, type RolloutState } from '@moorage/domain';
import { copied } from '@moorage/tests/services/api/backups';
import { eventsOf, type Neighbours, neighbours, ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { AutomaticUpdates } from './automatic-updates.service';

const NEXT = '1.24.0-2';
let harness: ApiHarness;
let others: Neighbours;
let admin: TestAccount;
let account: TestAccount;
let id: number;
let created = 0;
beforeAll(async () => {
  harness = await apiHarness();
  others = await neighbours(harness);
  admin = await harness.admin();
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.database.sql('delete from release_rollouts');
  account = await harness.user();
  await harness.pay(account, 2000);
  id = await running();
});

async function running(who: TestAccount = account): Promise<number> {
  const { id: ordering } = await ordered(harness, who, { domain: `harbour${created++}.example.com` });
  await others.moveTo(ordering, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
  return ordering;
}

const read = async (who = account): Promise<DeploymentUpdatesAnswer> =>
  (await harness.http.get(`/api/deployments/${id}/updates`).set(who.auth)).body as DeploymentUpdatesAnswer;
const update = (body: object = { version: NEXT }, who = account) =>
  harness.http.post(`/api/deployments/${id}/update`).set(who.auth).send(body);
const choose = (settings: object = {}, who = account) =>
  harness.http
    .put(`/api/deployments/${id}/update-settings`)
    .set(who.auth)
    .send({ ...DEFAULT_UPDATE_SETTINGS, ...settings });
const list = async (): Promise<ReleaseRolloutAnswer[]> =>
  (await harness.http.get('/api/admin/releases').set(admin.auth)).body as ReleaseRolloutAnswer[];
const changedAt = async (version = NEXT): Promise<string | null> =>
  (await list()).find((each) => each.package === 'pangolin' && each.version === version)?.changed_at ?? null;
/** Decides about a version after reading the list, or after having read it earlier. */
const decide = async (ring: Ring, state: RolloutState = 'rolling', version = NEXT, seen?: string | null) =>
  harness.http
    .put(`/api/admin/releases/pangolin/${version}`)
    .set(admin.auth)
    .send({ ring, state, expected_changed_at: seen === undefined ? await changedAt(version) : seen });
async function refuses(
  request: PromiseLike<{ status: number; body: unknown }>,
  status: number,
  code: string,
): Promise<void> {
  const answer = await request;
  expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ code })]);
}
const releaseOf = async (deployment = id): Promise<string | null> =>
  (
    await harness.database.sql<{ release: string | null }>('select release from deployments where id = $1', [
      deployment,
    ])
  )[0]?.release ?? null;
const statusOf = async (): Promise<string | undefined> =>
  (await harness.database.sql<{ status: string }>('select status from deployments where id = $1', [id]))[0]?.status;

/** Records a restore that can be undone for a day. */
async function restored(): Promise<void> {
  const undoUntil = iso((await harness.deps.db.tx('test.now', (tx) => harness.deps.clock.now(tx))) + DAY_MS);
  await harness.database.sql(
    `insert into restores (deployment_id, backup_id, taken_at, kind, state, requested_at, finished_at, undo_until, tidy_at)
     values ($1, $2, now(), 'in_place', 'done', now(), now(), $3, $3)`,
    [id, await copied(harness, id), undoUntil],
  );
}

describe('versions of a deployment', () => {
  it('are the one that is offered to everybody when it is created, and what is newer', async () => {
    expect(await releaseOf()).toBe('1.24.0');
    expect(await read()).toMatchObject({
      running: { version: '1.24.0', kind: 'minor' },
      newer: [],
      next: null,
      waits_for_owner: false,
      settings: DEFAULT_UPDATE_SETTINGS,
      last: null,
    });
    await decide('all');
    const { newer, next, unreachable_s } = await read();
    expect([newer.map(({ version, kind }) => [version, kind]), next, unreachable_s]).toEqual([
      [[NEXT, 'patch']],
      NEXT,
      120,
    ]);
    expect(newer[0]?.changes[0]).toMatchObject({ en: expect.stringContaining('Traefik'), de: expect.any(String) });
    expect(await releaseOf(await running())).toBe(NEXT);
  });

  it('are offered by rings, first to administrators', async () => {
    await harness.pay(admin, 2000);
    const own = await running(admin);
    await decide('own');
    expect((await read()).next).toBeNull();
    const { body } = await harness.http.get(`/api/deployments/${own}/updates`).set(admin.auth);
    expect((body as DeploymentUpdatesAnswer).next).toBe(NEXT);
    expect(await releaseOf(await running(admin))).toBe(NEXT);
  });

  it('are hidden from others', async () => {
    const stranger = await harness.user();
    expect((await harness.http.get(`/api/deployments/${id}/updates`).set(stranger.auth)).status).toBe(404);
    expect((await update({ version: NEXT }, stranger)).status).toBe(404);
    expect((await choose({}, stranger)).status).toBe(404);
  });
});

describe('update', () => {
  beforeEach(() => decide('all'));

  it('restarts the deployment with a change for the provisioner', async () => {
    const { status, body } = await update();
    expect([status, body]).toMatchObject([200, { status: 'RESTARTING' }]);
    expect((await eventsOf(harness, id)).at(-1)).toBe('deployment.change_requested');
    expect((await read()).last).toMatchObject({
      state: 'running',
      from: '1.24.0',
      to: NEXT,
      is_automatic: false,
      was_undone: false,
    });
    expect(await releaseOf()).toBe('1.24.0');
    await refuses(update(), 409, 'DEPLOYMENT_STATE');
  });

  it.each([
    ['that does not exist', '9.9.9'],
    ['that runs already', '1.24.0'],
  ])('to a version %s is refused', async (_, version) => {
    await refuses(update({ version }), 422, 'FIELDS_INVALID');
    expect(await statusOf()).toBe('READY');
  });

  it('to a version that is not offered is refused', async () => {
    await decide('all', 'stopped');
    await refuses(update(), 422, 'FIELDS_INVALID');
  });

  it('is refused while the version is held', async () => {
    await choose({ is_held: true });
    await refuses(update(), 409, 'DEPLOYMENT_STATE');
    await choose();
    expect((await update()).status).toBe(200);
  });

  it('ends the undo of an earlier restore, whose data belongs to the previous version', async () => {
    expect((await read()).ends_undo).toBe(false);
    await restored();
    expect((await read()).ends_undo).toBe(true);
    await update();
    expect((await read()).ends_undo).toBe(false);
    const [restore] = await harness.database.sql('select undo_until, tidy_at from restores where deployment_id = $1', [
      id,
    ]);
    expect(restore).toEqual({ undo_until: null, tidy_at: expect.any(Number) });
  });

  it('of a customer needs a reason from staff, which the owner is told', async () => {
    await refuses(update({ version: NEXT }, admin), 422, 'FIELDS_INVALID');
    expect((await update({ version: NEXT, reason: 'A hole in Traefik.' }, admin)).status).toBe(200);
  });
});

describe('history', () => {
  const happened = async (): Promise<(string | null)[]> => {
    await harness.run();
    const { body } = await harness.http.get(`/api/users/self/activity?deployment_id=${id}`).set(account.auth);
    return (body as { activity: ActivityAnswer[] }).activity.map(({ what, by }) => `${by}: ${what.detail}`);
  };

  it.each([
    ['done', 'Updated from version 1.24.0 to 1.24.0-2'],
    ['undone', 'Update to version 1.24.0-2 failed and was undone, version 1.24.0 runs again'],
    ['not_begun', 'Update to version 1.24.0-2 failed before it began, version 1.24.0 keeps running'],
    ['not_undone', "Update to version 1.24.0-2 failed and couldn't be undone"],
  ] as const)('names the versions of an update that is %s', async (outcome, text) => {
    const data = { deployment_id: id, user_id: account.id, client_name: 'harbour', from: '1.24.0', to: NEXT };
    await others.append(event('deployment.update_ended', id, { ...data, outcome, is_automatic: false, failure: null }));
    expect((await happened())[0]).toBe(`system: ${text}`);
  });

  it.each([
    ['done', 'Server rebooted'],
    ['failed', 'Reboot of the server failed'],
  ] as const)('has the end of a reboot that is %s', async (outcome, text) => {
    await others.append(event('deployment.reboot_ended', id, { deployment_id: id, user_id: account.id, outcome }));
    expect((await happened())[0]).toBe(`system: ${text}`);
  });
});

describe('choice about updates', () => {
  it('is stored with its window', async () => {
    const settings = { automatic: 'patch', days: [0], hour: 4, hours: 1, time_zone: 'Europe/Berlin' } as const;
    const { status, body } = await choose(settings);
    expect([status, (body as DeploymentUpdatesAnswer).settings]).toEqual([200, { ...settings, is_held: false }]);
    const { from, to } = (body as DeploymentUpdatesAnswer).window;
    expect(Date.parse(to) - Date.parse(from)).toBe(HOUR_MS);
    expect(new Date(from).getUTCDay()).toBe(0);
  });

  it.each([
    ['an unknown time zone', { time_zone: 'Mars/Olympus' }],
    ['no day', { days: [] }],
    ['the same day twice', { days: [1, 1] }],
    ['an hour that does not exist', { hour: 24 }],
    ['an unknown kind', { automatic: 'major' }],
  ])('is refused with %s', async (_, change) => {
    expect((await choose(change)).status).toBe(422);
  });

  it.each([
    [[], 'days must not be empty.'],
    [[1, 1], 'Each entry may be listed only once.'],
  ])('explains what is wrong with the days %j', async (days, detail) => {
    expect((await choose({ days })).body).toMatchObject({ detail });
  });

  it.each(['DESTROYING', 'DESTROYED'])('is refused for a deployment that is %s', async (status) => {
    await harness.database.sql(
      `update deployments set status = $2, desired = 'destroyed', destroy_reason = 'deleted', billable_to = now()
       where id = $1`,
      [id, status],
    );
    await refuses(choose(), 409, 'DEPLOYMENT_STATE');
  });
});

describe('automatic update', () => {
  const pass = () => harness.api.app.get(AutomaticUpdates, { strict: false }).pass();
  const open = { automatic: 'patch', days: [0, 1, 2, 3, 4, 5, 6], hour: 12, hours: 2, time_zone: 'UTC' } as const;
  beforeEach(async () => {
    // Updates of earlier tests count towards those that may be under way.
    await harness.database.sql(
      `update deployment_changes set state = 'done', finished_at = now() where state = 'running'`,
    );
    await decide('all');
  });

  it('begins in its window', async () => {
    // The clock of the harness shows 12:20 UTC.
    await choose(open);
    await pass();
    expect([await statusOf(), (await read()).last]).toMatchObject(['RESTARTING', { to: NEXT, is_automatic: true }]);
  });

  it('waits for its window', async () => {
    await choose({ ...open, hour: 15 });
    await pass();
    expect(await statusOf()).toBe('READY');
    const [row] = await harness.database.sql<{ due_at: number }>(
      'select due_at from update_settings where deployment_id = $1',
      [id],
    );
    expect(iso(row?.due_at ?? 0).slice(11, 16)).toBe('15:00');
  });

  it.each([
    ['while the version is held', { ...open, is_held: true }],
    ['of another kind', { ...open, automatic: 'security' as const }],
    ['unless it is wanted', { ...open, automatic: 'off' as const }],
  ])('does not begin %s', async (_, settings) => {
    await choose(settings);
    await pass();
    expect(await statusOf()).toBe('READY');
  });

  it('leaves out the windows in which a restore can still be undone', async () => {
    await choose(open);
    await restored();
    await pass();
    expect(await statusOf()).toBe('READY');
    harness.pass(2 * DAY_MS);
    await pass();
    expect([await statusOf(), (await read()).last]).toMatchObject(['RESTARTING', { is_automatic: true }]);
  });

  it('is not tried again by itself after it had to be undone', async () => {
    await harness.database.sql(
      `insert into deployment_changes (deployment_id, kind, state, before, after, requested_at, finished_at, taken_back_at)
       values ($1, 'update', 'failed', '{"release":"1.24.0","version":"1.24.0"}', $2, now(), now(), now())`,
      [id, JSON.stringify({ release: NEXT })],
    );
    await choose(open);
    await pass();
    expect(await statusOf()).toBe('READY');
  });

  it('does not begin while five others to the same version are under way', async () => {
    const busy = [];
    for (let n = 0; n < 6; n++) {
      id = await running();
      if (n < 5) busy.push(id);
      await harness.database.sql(`update deployments set release = '1.24.0' where id = $1`, [id]);
      await choose(open);
      await pass();
    }
    expect(await statusOf()).toBe('READY');
    await harness.database.sql(
      `update deployment_changes set state = 'done', finished_at = now() where deployment_id = any($1::int[])`,
      [busy],
    );
    harness.pass(10 * 60_000);
    await pass();
    expect(await statusOf()).toBe('RESTARTING');
  });

  it('is put off after an error, so that others get their turn', async () => {
    const failures = () => harness.logged().split('a deployment could not be looked at in its window').length - 1;
    const zone = (name: string) =>
      harness.database.sql('update update_settings set time_zone = $2 where deployment_id = $1', [id, name]);
    await choose(open);
    await zone('Mars/Base');
    await pass();
    await pass();
    expect([await statusOf(), failures()]).toEqual(['READY', 1]);
    await zone('UTC');
    harness.pass(6 * 60_000);
    await pass();
    expect(await statusOf()).toBe('RESTARTING');
  });
});

describe('rollouts', () => {
  it('begin with nobody, and show the outcome of updates', async () => {
    const pangolin = (await list()).filter((release) => release.package === 'pangolin');
    expect(pangolin.map(({ version, ring, is_first }) => [version, ring, is_first])).toEqual([
      [NEXT, 'none', false],
      ['1.24.0', 'all', true],
    ]);
    const { status, body } = await decide('few');
    expect([status, body]).toMatchObject([200, { ring: 'few', state: 'rolling', changed_by: admin.username }]);
    await decide('all');
    const outcome = async () => (await list()).find(({ version }) => version === NEXT);
    const before = await outcome();
    await update();
    expect(await outcome()).toMatchObject({ running: (before?.running ?? 0) + 1, done: before?.done });
  });

  it('are only decided by administrators who have seen the latest change', async () => {
    await decide('own');
    await refuses(decide('few', 'rolling', NEXT, null), 409, 'RELEASE_CHANGED');
    const seen = await changedAt();
    harness.pass(1_000);
    expect((await decide('own', 'stopped')).status).toBe(200);
    await refuses(decide('few', 'rolling', NEXT, seen), 409, 'RELEASE_CHANGED');
    expect((await list()).find(({ version }) => version === NEXT)).toMatchObject({ ring: 'own', state: 'stopped' });
  });

  it('are not decided by an administrator who expects an earlier decision about an undecided version', async () => {
    await refuses(decide('few', 'rolling', NEXT, iso(0)), 409, 'RELEASE_CHANGED');
    expect(await changedAt()).toBeNull();
  });

  it('show what the comparison of their images has found', async () => {
    await harness.database.sql(
      `insert into image_checks (image, attempted_at, checked_at, newest) values
         ('docker.io/traefik:v3.7.12', now(), now(), 'v3.7.15'), ('docker.io/traefik:v3.7.14', now(), now(), 'v3.7.15')`,
    );
    const pangolin = (await list()).filter((release) => release.package === 'pangolin');
    expect(pangolin.map(({ images }) => images.map(({ image, newest }) => [image, newest]))).toEqual([
      [['docker.io/traefik:v3.7.14', 'v3.7.15']],
      [['docker.io/traefik:v3.7.12', null]],
    ]);
  });

  it('can be stopped and withdrawn, but not the first version', async () => {
    await decide('all');
    expect((await decide('all', 'withdrawn')).body).toMatchObject({ state: 'withdrawn' });
    expect((await read()).newer).toEqual([]);
    for (const state of ['rolling', 'stopped'] as const) await refuses(decide('all', state), 422, 'FIELDS_INVALID');
    await refuses(decide('all', 'withdrawn', '1.24.0'), 422, 'FIELDS_INVALID');
    await refuses(decide('all', 'rolling', '9.9.9'), 404, 'NOT_FOUND');
  });

  it('count failures anew when they roll again', async () => {
    await decide('all');
    await decide('all', 'stopped');
    harness.pass(DAY_MS);
    await decide('few');
    const [row] = await harness.database.sql<{ counted_from: number; changed_at: number }>(
      'select counted_from, changed_at from release_rollouts',
    );
    expect(row?.counted_from).toBe(row?.changed_at);
  });
});
