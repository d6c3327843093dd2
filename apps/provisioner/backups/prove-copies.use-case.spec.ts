import { beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '@moorage/domain';
import { STACK_ROOT } from '../ssh/command';
import { type FixtureActor, fixturesOfSuite, type ProvisionerFixture } from '@moorage/tests/services/provisioner';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
let id: number;
let ref: string;

beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor();
});

/** Creates a deployment at level 2 with a copy of each of the last days. */
async function backedUp(days: number): Promise<void> {
  id = await fixture.order({ support_level: 2 });
  const row = await fixture.until(actor, id, 'READY');
  ({ ref } = row);
  const machine = fixture.hosts.at(row.instance_ip ?? '');
  if (machine === null) throw new Error('no machine');
  const data = Buffer.from('three sites').toString('base64');
  machine.files[`${STACK_ROOT}/${ref}/config/db/db.sqlite`] = { mode: 0o600, data };
  await tick();
  await pass(days);
}

/** Creates the same deployment with one copy, taken immediately. */
async function backedUpNow(): Promise<void> {
  await backedUp(0);
  await fixture.backUp(id);
  await fixture.settle(actor, 60_000);
}

/** Advances two minutes with their ticks, because the second tick may have to handle the results of the first. */
async function tick(): Promise<void> {
  for (let minute = 0; minute < 2; minute++) {
    await actor.provisioner.backups.run();
    await fixture.settle(actor, 60_000);
  }
}

async function pass(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    fixture.clock.at += DAY_MS;
    await tick();
  }
}

interface Row {
  readonly tested_at: number | null;
  readonly test_failure: { readonly code: string } | null;
  readonly test_bytes: string | null;
  readonly test_ms: number | null;
  readonly checked_at: number | null;
  readonly check_failure: { readonly code: string } | null;
}
async function repository(): Promise<Row> {
  const [row] = await fixture.database.sql<Row>('select * from backup_repositories where deployment_id = $1', [id]);
  if (row === undefined) throw new Error('no repository');
  return row;
}
const events = async (name: string): Promise<{ data: Record<string, unknown> }[]> =>
  (
    await fixture.database.sql<{ envelope: { data: Record<string, unknown> } }>(
      'select to_jsonb(o) as envelope from outbox o where event_name = $1 order by id',
      [name],
    )
  ).map(({ envelope }) => envelope);
const openAlerts = async (): Promise<string[]> =>
  (
    await fixture.database.sql<{ kind: string; subject: string }>(
      `select kind, subject from operator_alerts where resolved_at is null and kind like 'backup%' order by kind`,
    )
  ).map(({ kind, subject }) => `${kind} ${subject}`);

/** Truncates all existing copies. */
function damage(): void {
  for (const snapshot of fixture.copies.list(ref))
    fixture.copies.write(ref, snapshot, (fixture.copies.read(ref, snapshot) ?? '').slice(0, -20));
}

describe('restore test', () => {
  it('restores the newest copy the day after the first backup and every month afterwards', async () => {
    await backedUpNow();
    expect((await repository()).tested_at).toBeNull();
    await pass(1);
    const first = await repository();
    expect(first).toMatchObject({ test_failure: null, test_bytes: expect.stringMatching(/^[1-9]/), test_ms: 0 });
    await pass(29);
    expect((await repository()).tested_at).toEqual(first.tested_at);
    await pass(2);
    expect((await repository()).tested_at).not.toEqual(first.tested_at);
  });

  it('reports each failure to operators, and the first to the owner', async () => {
    await backedUpNow();
    damage();
    fixture.clock.at += DAY_MS;
    await work();
    expect((await repository()).test_failure).toMatchObject({ code: 'backup.test_failed' });
    expect(await openAlerts()).toContain(`backup_damaged ${id}`);
    fixture.clock.at += DAY_MS;
    await work();
    const reported = await events('deployment.backup_damaged');
    expect(reported).toHaveLength(1);
    expect(reported[0]?.data).toMatchObject({ deployment_id: id, failure: { code: 'backup.test_failed', facts: {} } });
    fixture.copies.drop(ref);
    await fixture.database.sql(`delete from backups where deployment_id = $1`, [id]);
    await fixture.backUp(id);
    await fixture.settle(actor, 60_000);
    fixture.clock.at += DAY_MS;
    await work();
    expect((await repository()).test_failure).toBeNull();
    expect(await openAlerts()).toEqual([]);
  });

  it('is skipped when turned off', async () => {
    actor = await fixture.actor({ backups: { testsOf: () => false } });
    await backedUp(3);
    expect((await repository()).tested_at).toBeNull();
  });
});

/** Runs the daily check without a daily backup. */
async function work(): Promise<void> {
  await fixture.database.sql(
    `insert into work (kind, key, due_at, created_at) values ('keep-copies', $1, $2, $2)
     on conflict (kind, key) do update set due_at = $2`,
    [String(id), new Date(fixture.clock.at).toISOString()],
  );
  await fixture.settle(actor);
}

describe('copy check', () => {
  it('reports a damaged copy to operators and the owner', async () => {
    actor = await fixture.actor({ backups: { testsOf: () => false } });
    await backedUp(3);
    damage();
    await pass(7);
    expect((await repository()).check_failure).toMatchObject({ code: 'backup.check_failed' });
    expect(await openAlerts()).toContain(`backup_damaged ${id}`);
    expect(await events('deployment.backup_damaged')).toHaveLength(1);
  });
});

describe('copy that is missing at the target', () => {
  it('is noticed on the next day', async () => {
    actor = await fixture.actor({ backups: { testsOf: () => false } });
    await backedUp(2);
    const [oldest = ''] = fixture.copies.list(ref);
    fixture.copies.remove(ref, oldest);
    await pass(1);
    expect((await repository()).check_failure).toMatchObject({ code: 'backup.check_failed' });
    expect(await openAlerts()).toContain(`backup_damaged ${id}`);
  });
});

describe('copies that exceed the storage of their level', () => {
  it('are removed oldest first except the newest, and the owner is notified once a week', async () => {
    actor = await fixture.actor({ backups: { quotaOf: () => 1 } });
    await backedUp(5);
    expect(fixture.copies.list(ref)).toHaveLength(1);
    const removed = await fixture.database.sql<{ removed_because: string; id: number }>(
      `select id, removed_because from backups where state = 'removed' order by id`,
    );
    const [stored] = await fixture.database.sql<{ id: number }>(`select id from backups where state = 'complete'`);
    expect(removed.map(({ removed_because }) => removed_because)).toEqual(Array(4).fill('quota'));
    expect(stored?.id).toBeGreaterThan(removed.at(-1)?.id ?? 0);
    expect(await events('deployment.backup_quota_exceeded')).toHaveLength(1);
    await pass(5);
    const reported = await events('deployment.backup_quota_exceeded');
    expect(reported).toHaveLength(2);
    expect(reported[0]?.data).toMatchObject({ deployment_id: id, quota_bytes: 1, used_bytes: expect.any(Number) });
  });
});
