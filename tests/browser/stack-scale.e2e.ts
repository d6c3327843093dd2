import { describe, expect, it } from '@jest/globals';
import { MAIN_APPEARANCE, withBrowser } from './browser';
import { newcomerInTheBrowser } from './first-deployment';
import { customers, order, serversOf } from '../crash/customers';
import { eventuallyHolds } from '../crash/state-after-crash';
import { LONG_MS } from '../crash/kill';
import { firstDeployment } from '../journeys/first-deployment';
import { until } from '../journeys/customer';
import { startStack } from '../stack/stack';

const SCALE = { provisioner: 3, billing: 3, api: 2 };

const there = withBrowser(() => startStack({ scale: SCALE }));

describe('Docker stack with three provisioners, three billing processes and two api processes', () => {
  it(
    'takes a user from sign-up to a destroyed deployment',
    async () => {
      const { product: stack } = there();
      await firstDeployment(stack, 'ada');
    },
    LONG_MS,
  );

  newcomerInTheBrowser(there, { looks: [MAIN_APPEARANCE] });

  it(
    'handles the deployments of many customers once each',
    async () => {
      const { product: stack } = there();
      const all = await customers(
        stack,
        Array.from({ length: 6 }, () => 50_000),
      );
      const ids: number[] = [];
      for (const [n, customer] of all.entries())
        for (const part of ['a', 'b']) ids.push(await order(customer, `many-${n}-${part}`));
      await until(
        'all of them ready',
        () => stack.sql('select id, status from deployments where id = any($1) and status <> $2', [ids, 'READY']),
        (rows) => rows.length === 0,
      );
      for (const id of ids) expect(await serversOf(stack, id)).toEqual({ seen: 1, living: 1 });
      for (const [service, count] of Object.entries(SCALE))
        expect((await stack.containers(service)).length).toBe(count);
      const worked = (await stack.metrics('provisioner')).filter((text) =>
        /^moorage_run_step_duration_seconds_count\{.*outcome="done"\} [1-9]/m.test(text),
      );
      expect(worked.length).toBe(SCALE.provisioner);
      await eventuallyHolds(stack);
      expect(await stack.ops('billing:audit', '--whole')).toMatchObject({ code: 0 });
    },
    LONG_MS,
  );
});
