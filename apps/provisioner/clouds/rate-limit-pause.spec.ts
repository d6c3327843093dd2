import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '@moorage/domain';
import { type Db, SILENT } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { fixtureClock, START } from '@moorage/tests/services/provisioner/fixture-clock';
import { takeBudget } from './budget';
import { type Cloud, CloudError } from './cloud';
import { notConfiguredCloud } from './not-configured';
import { withRateLimitPause } from './rate-limit-pause';

let database: TestDatabase;
let one: Db;
let other: Db;
beforeAll(async () => {
  database = await testDatabase();
  one = await database.open({ service: 'provisioner' });
  other = await database.open({ service: 'provisioner' });
});
afterAll(() => database.drop());

const clock = fixtureClock();
/** A provider with responses set by the test, and a count of its requests. */
let requested: number;
let answer: () => Promise<string>;
const provider = (budgetKey: string): Cloud => ({
  ...notConfiguredCloud('hetzner', 'is not asked here'),
  budgetKey,
  projectId: () => {
    requested += 1;
    return answer();
  },
});
const tooMany = (retry_after_ms: number | null) => () =>
  Promise.reject(new CloudError('rate_limit', 'limit reached', retry_after_ms));

beforeEach(async () => {
  await database.sql('delete from cloud_budgets');
  clock.at = START;
  requested = 0;
  answer = () => Promise.resolve('ours');
});

describe('pause after a provider rate limit', () => {
  it('stops requests of all processes until the time the provider named, and returns the remaining time', async () => {
    const first = withRateLimitPause(provider('a'), { db: one, clock, log: SILENT });
    const second = withRateLimitPause(provider('a'), { db: other, clock, log: SILENT });
    answer = tooMany(5 * MINUTE_MS);
    await expect(first.projectId()).rejects.toMatchObject({ kind: 'rate_limit', retry_after_ms: 5 * MINUTE_MS });
    clock.at += MINUTE_MS;
    answer = () => Promise.resolve('ours');
    await expect(second.projectId()).rejects.toMatchObject({ kind: 'rate_limit', retry_after_ms: 4 * MINUTE_MS });
    await expect(first.list('installation')).rejects.toMatchObject({ kind: 'rate_limit' });
    expect(requested).toBe(1);
    const take = (db: Db) => db.tx('test', (tx) => takeBudget(tx, provider('a'), { creates: 1 }, clock.at));
    expect(await take(one)).toBe(START + 5 * MINUTE_MS);
    clock.at = START + 5 * MINUTE_MS;
    expect(await second.projectId()).toBe('ours');
    expect(await take(other)).toBeNull();
  });

  it('lasts for the longest of the named times, even if a shorter time arrives later', async () => {
    // Both requests were sent before the limit was reached.
    const waits = [5 * MINUTE_MS, MINUTE_MS];
    const release: (() => void)[] = [];
    answer = async () => {
      await new Promise<void>((go) => release.push(go));
      return tooMany(waits.shift() ?? null)();
    };
    const calls = [one, other].map((db) => withRateLimitPause(provider('a'), { db, clock, log: SILENT }).projectId());
    const ends = Promise.allSettled(calls);
    while (release.length < 2) await new Promise((resolve) => setImmediate(resolve));
    release.forEach((go) => go());
    await ends;
    await expect(withRateLimitPause(provider('a'), { db: one, clock, log: SILENT }).projectId()).rejects.toMatchObject({
      retry_after_ms: 5 * MINUTE_MS,
    });
  });

  it('does not affect requests with another token', async () => {
    answer = tooMany(null);
    await expect(withRateLimitPause(provider('a'), { db: one, clock, log: SILENT }).projectId()).rejects.toMatchObject({
      kind: 'rate_limit',
    });
    answer = () => Promise.resolve('theirs');
    expect(await withRateLimitPause(provider('b'), { db: one, clock, log: SILENT }).projectId()).toBe('theirs');
  });

  it('lasts a minute if no time is named, and other errors cause no pause', async () => {
    const cloud = withRateLimitPause(provider('a'), { db: one, clock, log: SILENT });
    answer = () => Promise.reject(new CloudError('transient', 'bad gateway'));
    await expect(cloud.projectId()).rejects.toMatchObject({ kind: 'transient' });
    answer = tooMany(null);
    await expect(cloud.projectId()).rejects.toMatchObject({ kind: 'rate_limit', retry_after_ms: null });
    clock.at += MINUTE_MS - 1;
    await expect(cloud.projectId()).rejects.toMatchObject({ retry_after_ms: 1 });
    expect(requested).toBe(2);
  });
});
