import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  backupSecrets,
  BUCKET_KEY,
  BUCKET_KEY_ID,
  BUCKET_PASSWORD,
  COPY_TO_BUCKET,
  type EventData,
  MAINTAIN_COPIES_WORK,
} from '@moorage/contracts';
import { BACKUP_MESSAGES, DAY_MS, HOUR_MS, type Instant, iso, MINUTE_MS } from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import {
  type CrashPoints,
  crashPoints,
  type FixtureActor,
  fixturesOfSuite,
  type ProvisionerFixture,
} from '@moorage/tests/services/provisioner';
import type { Repository } from '../copy-store';
import { backupsOf } from '@moorage/tests/services/provisioner/backups';
import { type Bucket, BucketError, BucketStore } from './bucket-store';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
let bucket: TestBucket;

/** A bucket in memory with failures set by the test. */
class TestBucket extends BucketStore {
  readonly snapshots: string[] = [];
  readonly seen: Bucket[] = [];
  checkFails: BucketError | null = null;
  copyFails: Error | null = null;
  whileCopying: () => Promise<void> = () => Promise.resolve();

  check(given: Bucket): Promise<void> {
    this.seen.push(given);
    return this.checkFails === null ? Promise.resolve() : Promise.reject(this.checkFails);
  }

  async copy(_: Bucket, { snapshotIds }: { repository: Repository; snapshotIds: readonly string[] }): Promise<void> {
    await this.whileCopying();
    if (this.copyFails !== null) throw this.copyFails;
    for (const id of snapshotIds) if (!this.snapshots.includes(id)) this.snapshots.push(id);
  }
}

beforeEach(async () => {
  fixture = await openFixture();
  bucket = new TestBucket();
  actor = await fixture.actor({ buckets: bucket });
});

const { backUp, copies, ready, tick } = backupsOf(
  () => fixture,
  () => actor,
);

/** Does the same as the api and writes the row, the keys and the work in one transaction. */
async function set(id: number): Promise<void> {
  const work = new WorkSchedule({ clock: fixture.clock });
  await fixture.owner.tx('set-bucket', async (tx) => {
    await tx.execute(
      `insert into backup_buckets (deployment_id, endpoint, region, bucket, folder, state)
       values ($1, 'https://s3.example.com', 'eu-central-1', 'janes-backups', '', 'checking')
       on conflict (deployment_id) do update set revision = backup_buckets.revision + 1, state = 'checking',
         failure_reason = null, copied_at = null, copied_backup_id = null`,
      [id],
    );
    for (const name of [BUCKET_KEY_ID, BUCKET_KEY, BUCKET_PASSWORD])
      await actor.secrets.put(tx, backupSecrets(id), name, `the ${name}`);
    await work.schedule(tx, { kind: COPY_TO_BUCKET, key: String(id), due_at: fixture.clock.at });
  });
}

interface Row {
  readonly state: string;
  readonly failures: number;
  readonly failure_reason: string | null;
  readonly copied_backup_id: number | null;
  readonly copying_since: Instant | null;
  readonly retry_at: Instant | null;
}
const rowOf = async (id: number): Promise<Row | undefined> =>
  (await fixture.database.sql<Row>('select * from backup_buckets where deployment_id = $1', [id]))[0];
const namesOf = (id: number): Promise<string[]> =>
  fixture.owner.tx('names', (tx) => actor.secrets.names(tx, backupSecrets(id)));
const reported = (): Promise<EventData<'deployment.backup_bucket_changed'>[]> =>
  fixture.database
    .sql<{ data: EventData<'deployment.backup_bucket_changed'> }>(
      `select data from outbox where event_name = 'deployment.backup_bucket_changed' order by sequence`,
    )
    .then((rows) => rows.map(({ data }) => data));

async function readyWithBucket(): Promise<number> {
  const id = await ready();
  await set(id);
  await fixture.settle(actor, MINUTE_MS);
  return id;
}

describe("customer's own bucket", () => {
  it('is checked with its keys and receives each complete backup', async () => {
    const id = await readyWithBucket();
    expect(await rowOf(id)).toMatchObject({ state: 'ready', copied_backup_id: null, copying_since: null });
    expect(bucket.seen[0]).toMatchObject({
      endpoint: 'https://s3.example.com',
      bucket: 'janes-backups',
      keyId: 'the bucket_access_key_id',
      key: 'the bucket_secret_access_key',
      password: 'the bucket_password',
      ref: (await fixture.row(id)).ref,
    });
    await backUp(id);
    const second = await backUp(id);
    expect(bucket.snapshots.sort()).toEqual((await copies(id)).sort());
    expect(await rowOf(id)).toMatchObject({ state: 'ready', copied_backup_id: second, copying_since: null });
  });

  it('starts with the newest backup when configured later', async () => {
    const id = await ready();
    await backUp(id);
    const newest = await backUp(id);
    await set(id);
    await fixture.settle(actor, MINUTE_MS);
    expect(bucket.snapshots).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ copied_backup_id: newest });
  });

  it('reports why it failed its check and is not retried', async () => {
    bucket.checkFails = new BucketError(BACKUP_MESSAGES.bucket_refused);
    const id = await readyWithBucket();
    expect(await rowOf(id)).toMatchObject({
      state: 'failed',
      failure_reason: 'The storage does not accept these keys.',
      retry_at: null,
    });
    await fixture.settle(actor, DAY_MS);
    expect(bucket.seen).toHaveLength(1);
    // The owner opens the screen.
    expect(await reported()).toMatchObject([{ state: 'failed', worked_before: false }]);
  });

  it('is retried with growing pauses after a failure, reported once, and catches up', async () => {
    const id = await readyWithBucket();
    bucket.copyFails = new BucketError(BACKUP_MESSAGES.bucket_full);
    await backUp(id);
    const missed = await backUp(id);
    await fixture.settle(actor, 12 * HOUR_MS);
    // Five attempts for the first backup, and one for the second backup, which followed in the meantime.
    const row = await rowOf(id);
    expect(row).toMatchObject({ state: 'failed', retry_at: null, copied_backup_id: null });
    expect(row?.failures).toBe(5);
    expect((await reported()).filter(({ worked_before }) => worked_before)).toMatchObject([
      { state: 'failed', bucket: 'janes-backups', failure: { code: 'backup.bucket_full' } },
    ]);

    bucket.copyFails = null;
    const next = await backUp(id);
    expect(next).toBeGreaterThan(missed);
    expect(await rowOf(id)).toMatchObject({
      state: 'ready',
      failures: 0,
      copied_backup_id: next,
      failure_reason: null,
    });
    bucket.copyFails = new BucketError(BACKUP_MESSAGES.bucket_full);
    await backUp(id);
    expect((await reported()).filter(({ worked_before }) => worked_before)).toHaveLength(2);
  });

  it('does not delay the regular backups, however long a copy takes', async () => {
    const id = await readyWithBucket();
    let isCopying = (): void => undefined;
    let goOn = (): void => undefined;
    const begun = new Promise<void>((resolve) => (isCopying = resolve));
    bucket.whileCopying = () =>
      new Promise((resolve) => {
        goOn = resolve;
        isCopying();
      });
    const other = await fixture.actor({ buckets: bucket });
    await backUpWithout(id);
    const copying = other.messaging.workTick(COPY_TO_BUCKET);
    await begun;
    expect(await rowOf(id)).toMatchObject({ copying_since: expect.any(Number) });
    await backUpWithout(id);
    expect(await copies(id)).toHaveLength(2);
    goOn();
    await copying;
    bucket.whileCopying = () => Promise.resolve();
    await fixture.settle(actor, MINUTE_MS);
    expect(bucket.snapshots).toHaveLength(2);
  });

  it('protects a regular copy from removal while it is being copied', async () => {
    const id = await readyWithBucket();
    await backUp(id);
    await fixture.database.sql('update backup_buckets set copying_since = $2 where deployment_id = $1', [
      id,
      iso(fixture.clock.at),
    ]);
    await fixture.database.sql('update backup_repositories set ends_at = $2, tend_at = $2 where deployment_id = $1', [
      id,
      iso(fixture.clock.at),
    ]);
    await tick();
    expect(await copies(id)).toHaveLength(1);
    // The copy has exceeded its maximum duration.
    fixture.clock.at += 6 * HOUR_MS;
    await tick();
    expect(await copies(id)).toHaveLength(0);
  });

  it('waits while maintenance of the regular copies runs', async () => {
    const id = await ready();
    await backUp(id);
    await fixture.database.sql(
      `insert into work (kind, key, due_at, created_at, leased_until, fencing_token)
       values ($1, $2, $3, $3, $4, 1)`,
      [MAINTAIN_COPIES_WORK, String(id), iso(fixture.clock.at), iso(fixture.clock.at + MINUTE_MS)],
    );
    await set(id);
    await fixture.settle(actor);
    expect(bucket.seen).toEqual([]);
    await fixture.settle(actor, 6 * MINUTE_MS);
    expect(bucket.snapshots).toHaveLength(1);
  });

  it('is not blamed for data missing in the platform storage', async () => {
    const id = await readyWithBucket();
    const { ref } = await fixture.row(id);
    bucket.copyFails = new BucketError(BACKUP_MESSAGES.bucket_failed);
    await backUpWithout(id);
    for (const snapshot of await copies(id)) fixture.copies.remove(ref, snapshot);
    await fixture.settle(actor, MINUTE_MS);
    expect(await rowOf(id)).toMatchObject({ state: 'ready', failures: 0, copying_since: null });
    expect((await reported()).filter(({ state }) => state === 'failed')).toEqual([]);
  });

  it('keeps the settings of its owner after a change or removal during a copy', async () => {
    const id = await readyWithBucket();
    bucket.whileCopying = async () => {
      bucket.whileCopying = () => Promise.resolve();
      bucket.checkFails = new BucketError(BACKUP_MESSAGES.bucket_refused);
      await set(id);
    };
    await backUp(id);
    expect(await rowOf(id)).toMatchObject({ state: 'failed', copied_backup_id: null });
    bucket.checkFails = null;
    bucket.whileCopying = async () => {
      await fixture.database.sql('delete from backup_buckets where deployment_id = $1', [id]);
    };
    await backUp(id);
    expect(await rowOf(id)).toBeUndefined();
  });

  it('is removed with its keys when the repository is removed', async () => {
    const id = await readyWithBucket();
    await backUp(id);
    expect(await namesOf(id)).toEqual(expect.arrayContaining([BUCKET_KEY_ID, BUCKET_KEY, BUCKET_PASSWORD]));
    await fixture.database.sql('update backup_repositories set ends_at = $2, tend_at = $2 where deployment_id = $1', [
      id,
      iso(fixture.clock.at),
    ]);
    await tick();
    await fixture.settle(actor, HOUR_MS);
    expect(await rowOf(id)).toBeUndefined();
    expect(await namesOf(id)).toEqual([]);
    // The content of the bucket remains.
    expect(bucket.snapshots).toHaveLength(1);
  });
});

describe('provisioner that crashes during a copy', () => {
  it('leaves work at any checkpoint that another process finishes without copying twice', async () => {
    const id = await readyWithBucket();
    const died = new Set<string>();
    for (let round = 0, before = -1; died.size > before && round < 20; round++) {
      before = died.size;
      await backUpWithout(id);
      for (let isDead = true; isDead;) {
        let isOne = false;
        const points: CrashPoints = crashPoints((name) => {
          if (isOne || died.has(name)) return false;
          died.add(name);
          return (isOne = true);
        });
        const one = await fixture.actor({ points, buckets: bucket });
        await fixture.settle(one, 10 * MINUTE_MS).catch((error: unknown) => {
          if (!one.points.dead) throw error;
        });
        isDead = one.points.dead;
        await one.db.close();
      }
      expect(bucket.snapshots).toEqual(expect.arrayContaining(await copies(id)));
      expect(new Set(bucket.snapshots).size).toBe(bucket.snapshots.length);
      expect(await rowOf(id)).toMatchObject({ state: 'ready', copying_since: null });
    }
    for (const place of ['bucket.read.committed', 'work.finish.effected']) expect(died).toContain(place);
  }, 120_000);
});

/** Takes a complete backup that has not been copied into the bucket yet. */
async function backUpWithout(id: number): Promise<void> {
  const backup = (await fixture.backUp(id)) ?? 0;
  const isComplete = async (): Promise<boolean> => {
    const [row] = await fixture.database.sql<{ state: string }>('select state from backups where id = $1', [backup]);
    return row?.state === 'complete';
  };
  for (let turns = 0; !(await isComplete()); turns++) {
    expect(turns).toBeLessThan(100);
    if ((await actor.messaging.workTick('back-up')) === 0) fixture.clock.at += 10_000;
  }
}
