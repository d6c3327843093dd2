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

const ROUNDS_MAX = 30;

describe('crash of a provisioner', () => {
  it('at any checkpoint of a resize leaves work that others finish, and confirms each size once', async () => {
    const crashes = new CrashEverywhere();
    const id = await fixture.order();
    await fixture.until(await fixture.actor(), id, 'READY');

    for (let round = 0, before = -1; crashes.places.size > before; round++) {
      expect(round).toBeLessThan(ROUNDS_MAX);
      before = crashes.places.size;
      const size = round % 2 === 0 ? 'cpx32' : 'cpx22';
      await fixture.resize(id, size);
      await crashes.during(() => untilFinished(fixture, id, crashes.points));
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
    for (const place of ['resize-server.read.committed', 'work.finish.effected'])
      expect(crashes.places).toContain(place);
  }, 300_000);
});
