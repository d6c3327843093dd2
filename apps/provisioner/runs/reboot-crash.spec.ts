import { beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '@moorage/domain';
import { type CrashPoints, crashPoints, fixturesOfSuite, type ProvisionerFixture, untilFinished } from '../testing';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
beforeAll(async () => {
  fixture = await openFixture();
});

const ROUNDS_MAX = 20;
const DEATHS_PER_ROUND = 10;

describe('crash of a provisioner', () => {
  it('at any checkpoint of a reboot leaves work that others finish, and boots the server once', async () => {
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
    const { instance_ip } = await fixture.until(await fixture.actor(), id, 'READY');

    for (let round = 0, before = -1; died.size > before; round++) {
      expect(round).toBeLessThan(ROUNDS_MAX);
      before = died.size;
      await fixture.reboot(id);
      left = DEATHS_PER_ROUND;
      await untilFinished(fixture, id, points);
      left = 0;
      const { failure_reason } = await fixture.row(id);
      expect([failure_reason, fixture.hosts.at(instance_ip ?? '')?.marks.boots]).toEqual([null, String(round + 2)]);
      fixture.clock.at += HOUR_MS;
    }
    for (const place of ['run.begin.committed', 'work.finish.effected']) expect(died).toContain(place);
  }, 300_000);
});
