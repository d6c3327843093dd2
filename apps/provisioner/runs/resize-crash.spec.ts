import { beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '@moorage/domain';
import { type CrashPoints, crashPoints, fixturesOfSuite, type ProvisionerFixture, untilFinished } from '../testing';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
beforeAll(async () => {
  fixture = await openFixture();
});

const ROUNDS_MAX = 30;
const DEATHS_PER_ROUND = 10;

describe('crash of a provisioner', () => {
  it('at any checkpoint of a resize leaves work that others finish, and confirms each size once', async () => {
    const died = new Set<string>();
    let left = 0;
    const points = (): CrashPoints =>
      crashPoints((name) => {
        if (left === 0 || died.has(name)) return false;
        died.add(name);
        left -= 1;
        return true;
      });
    const id = await fixture.order();
    await fixture.until(await fixture.actor(), id, 'READY');

    for (let round = 0, before = -1; died.size > before; round++) {
      expect(round).toBeLessThan(ROUNDS_MAX);
      before = died.size;
      const size = round % 2 === 0 ? 'cpx32' : 'cpx22';
      await fixture.resize(id, size);
      left = DEATHS_PER_ROUND;
      await untilFinished(fixture, id, points);
      left = 0;
      const { ref, failure_reason, instance_type } = await fixture.row(id);
      const [found] = fixture.memory.living().filter(({ labels }) => labels.deployment === ref);
      expect([instance_type, found?.instance_type, found?.state, failure_reason]).toEqual([
        size,
        size,
        'running',
        null,
      ]);
      const [confirmed] = await fixture.database.sql(
        `select count(*)::int from outbox where event_name = 'deployment.resized'`,
      );
      expect(confirmed).toEqual({ count: round + 1 });
      fixture.clock.at += HOUR_MS;
    }
    for (const place of ['resize-server.read.committed', 'work.finish.effected']) expect(died).toContain(place);
  }, 300_000);
});
