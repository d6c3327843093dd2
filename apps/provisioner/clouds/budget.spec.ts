import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@moorage/domain';
import type { Db } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { START } from '@moorage/tests/services/provisioner';
import { takeBudget } from './budget';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await testDatabase();
  db = await database.open({ service: 'provisioner' });
});
afterAll(() => database.drop());
beforeEach(() => database.sql('delete from cloud_budgets'));

const HETZNER = { name: 'hetzner', budgetKey: 'a' } as const;
const DIGITALOCEAN = { name: 'digitalocean', budgetKey: 'a' } as const;
const LINODE = { name: 'linode', budgetKey: 'a' } as const;
const take = (cloud: Parameters<typeof takeBudget>[1], cost: Parameters<typeof takeBudget>[2], at: number) =>
  db.tx('test', (tx) => takeBudget(tx, cloud, cost, at));

describe('request budget of a token', () => {
  it.each([
    ['3600 calls an hour', HETZNER, { calls: 8 }, 3_600, HOUR_MS],
    ['250 calls a minute', DIGITALOCEAN, { calls: 3 }, 250, MINUTE_MS],
    ['10 creates in 30 seconds', LINODE, { creates: 1 }, 10, 30 * SECOND_MS],
  ] as const)('never exceeds %s and serves every request', async (_, cloud, cost, most, window_ms) => {
    const each = 'calls' in cost ? cost.calls : cost.creates;
    const sent: number[] = [];
    let at = START;
    while (sent.length * each < 1.5 * most) {
      const again = await take(cloud, cost, at);
      if (again === null) sent.push(at);
      else {
        expect(again).toBeGreaterThan(at);
        at = again;
      }
    }
    for (const from of sent) {
      expect(sent.filter((one) => one >= from && one < from + window_ms).length * each).toBeLessThanOrEqual(most);
    }
    expect(at - START).toBeLessThan(2 * window_ms);
  });

  it('is counted for each token separately', async () => {
    expect(await take(LINODE, { creates: 2 }, START)).toBeNull();
    expect(await take(LINODE, { creates: 1 }, START)).toBe(START + 3_750);
    expect(await take({ name: 'linode', budgetKey: 'b' }, { creates: 2 }, START)).toBeNull();
  });

  it.each([
    ['at a provider without a limit', { name: 'vultr', budgetKey: 'a' }, { creates: 500 }],
    ['for requests the provider does not count', LINODE, { calls: 500 }],
    ['without a budget key', { name: 'linode', budgetKey: null }, { creates: 500 }],
  ] as const)('is unlimited %s', async (_, cloud, cost) => {
    expect(await take(cloud, cost, START)).toBeNull();
    expect(await database.sql('select 1 from cloud_budgets')).toEqual([]);
  });
});
