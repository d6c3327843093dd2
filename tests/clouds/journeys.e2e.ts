import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LiveName } from '@moorage/domain';
import { EVERY_FAKE, LIVE_NAMES } from '../services/provisioner/clouds';
import { eventuallyHolds } from '../crash/state-after-crash';
import { LONG_MS } from '../crash/kill';
import { type Person, until } from '../journeys/customer';
import {
  balanceOf,
  draftAt,
  type LiveProduct,
  orderAt,
  payingCustomer,
  resizeAt,
  startLiveProduct,
  untilOffered,
  untilStatus,
} from './live-product';

const TOP_UP = 200;

/** Live providers of each product. At least one provider stays simulated in each. */
const PRODUCTS: readonly (readonly LiveName[])[] = [LIVE_NAMES.filter((name) => name !== 'vultr'), ['vultr']];

describe.each(PRODUCTS.map((live) => ({ live, names: live.join(', ') })))('live at $names', ({ live }) => {
  let there: LiveProduct;
  let ada: Person;
  beforeAll(async () => {
    there = await startLiveProduct(['all-in-one'], live);
    ada = await payingCustomer(there, 'ada', TOP_UP);
    await untilOffered(there);
  }, LONG_MS);
  afterAll(() => there.stop());

  it.each(live)('offers %s at its cost plus the margin', async (name) => {
    const price = await ada.call('POST', '/deployments/pricing/calculate', draftAt(name));
    expect(price.body).toMatchObject({ hourly_cost: EVERY_FAKE[name].hourly });
  });

  it(
    'makes an order at each READY at the displayed price, resizes it, and leaves nothing behind after deletion',
    async () => {
      const ids = new Map<LiveName, number>();
      for (const name of live) ids.set(name, await orderAt(ada, name));
      for (const id of ids.values()) await untilStatus(ada, id, 'READY');
      for (const [name, id] of ids) {
        const servers = there.fakes.get(name)?.fleet.living() ?? [];
        expect([name, servers.length]).toEqual([name, 1]);
        const { region, instance_type, hourly } = EVERY_FAKE[name];
        expect(servers).toMatchObject([{ region, type: instance_type }]);
        await untilCharged(id, hourly);
      }
      const hourly = new Map<LiveName, number>();
      for (const [name, id] of ids) hourly.set(name, await resizeAt(ada, name, id));
      for (const [name, id] of ids) {
        await untilStatus(ada, id, 'READY');
        const deployment = await ada.call('GET', `/deployments/${id}`);
        expect([name, deployment.body]).toMatchObject([
          name,
          { instance_type: EVERY_FAKE[name].larger, failure: null },
        ]);
        const servers = there.fakes.get(name)?.fleet.living() ?? [];
        expect([name, servers.map(({ type }) => type)]).toEqual([name, [EVERY_FAKE[name].larger]]);
        await until(
          `the price of the larger size at ${name}`,
          async () => (await ada.call<{ hourly_cost: number }>('GET', `/deployments/${id}`)).body.hourly_cost,
          (cost) => cost === hourly.get(name),
        );
      }
      for (const id of ids.values()) expect((await ada.call('DELETE', `/deployments/${id}`)).status).toBe(200);
      for (const [name, id] of ids) {
        await untilStatus(ada, id, 'DESTROYED');
        expect([name, there.fakes.get(name)?.fleet.living()]).toEqual([name, []]);
      }
      // The price of an hour is that at its beginning, so what began in the first hour still has the first price.
      const spent = micros(TOP_UP) - micros(await balanceOf(ada));
      const [row] = await there.product.sql<{ owed: number }>(
        `select sum(-amount_micros)::int as owed from ledger_transactions where deployment_id is not null`,
      );
      expect(spent).toBe(row?.owed);
      expect(spent).toBeGreaterThanOrEqual(live.reduce((sum, name) => sum + micros(EVERY_FAKE[name].hourly), 0));
    },
    LONG_MS,
  );

  it(
    'leaves a consistent ledger and no credential in a log or a row',
    async () => {
      await eventuallyHolds(there.product, there.secrets);
      const audit = await there.product.ops('billing:audit', '--whole');
      expect(audit).toMatchObject({ code: 0 });
      for (const secret of there.secrets) expect(there.product.log()).not.toContain(secret);
    },
    LONG_MS,
  );

  /** Waits until the remaining hours of the day have been charged. */
  async function untilCharged(id: number, hourly: number): Promise<void> {
    const [row] = await there.product.sql<{ hours: number }>(
      `select (24 - extract(hour from billable_from at time zone 'UTC'))::int as hours from deployments where id = $1`,
      [id],
    );
    const charged = await until(
      'the first charge',
      () =>
        there.product.sql(
          'select type, amount_micros::int as micros from ledger_transactions where deployment_id = $1 order by id',
          [id],
        ),
      (rows) => rows.length > 0,
    );
    expect(charged).toEqual([{ type: 'charge', micros: -(row?.hours ?? 0) * micros(hourly) }]);
  }
});

const micros = (units: number): number => Math.round(units * 1e6);
