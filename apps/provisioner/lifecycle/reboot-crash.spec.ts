import { beforeAll, describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '@moorage/domain';
import {
  CrashEverywhere,
  fixturesOfSuite,
  type ProvisionerFixture,
  untilFinished,
} from '@moorage/tests/services/provisioner';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
beforeAll(async () => {
  fixture = await openFixture();
});

const ROUNDS_MAX = 20;

describe('crash of a provisioner', () => {
  it('at any checkpoint of a reboot leaves work that others finish, and boots the server once', async () => {
    const crashes = new CrashEverywhere();
    const id = await fixture.order();
    const { instance_ip } = await fixture.until(await fixture.actor(), id, 'READY');

    for (let round = 0, before = -1; crashes.places.size > before; round++) {
      expect(round).toBeLessThan(ROUNDS_MAX);
      before = crashes.places.size;
      await fixture.reboot(id);
      await crashes.during(() => untilFinished(fixture, id, crashes.points));
      const { failure_reason } = await fixture.row(id);
      expect([failure_reason, fixture.hosts.at(instance_ip ?? '')?.marks.boots]).toEqual([null, String(round + 2)]);
      fixture.clock.at += HOUR_MS;
    }
    for (const place of ['run.begin.committed', 'work.finish.effected']) expect(crashes.places).toContain(place);
  }, 300_000);
});
