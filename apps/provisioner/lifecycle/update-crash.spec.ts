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
const NEXT = '1.24.0-2';
const NEW_IMAGE = 'traefik:v3.7.14';

describe('crash of a provisioner', () => {
  it('at any checkpoint of an update leaves work that others finish, whether it succeeds or is undone', async () => {
    const crashes = new CrashEverywhere();

    for (let round = 0, before = -1; crashes.places.size > before || round % 2 === 1; round++) {
      expect(round).toBeLessThan(ROUNDS_MAX);
      before = round % 2 === 0 ? crashes.places.size : before;
      const id = await fixture.order({ domain: `harbour${round}.example.com` });
      const ready = await fixture.until(await fixture.actor(), id, 'READY');
      const host = fixture.hosts.at(ready.instance_ip ?? '');
      const isUnhealthy = round % 2 === 1;
      if (isUnhealthy && host !== null) host.marks.unhealthy = NEW_IMAGE;
      await fixture.update(id, NEXT);
      await crashes.during(() => untilFinished(fixture, id, crashes.points));
      const { ref, release, failure_reason } = await fixture.row(id);
      const text = (path: string): string =>
        Buffer.from(host?.files[`/opt/moorage/${ref}/${path}`]?.data ?? '', 'base64').toString();
      expect([release, failure_reason !== null]).toEqual(isUnhealthy ? [null, true] : [NEXT, false]);
      expect(text('docker-compose.yml').includes(NEW_IMAGE)).toBe(!isUnhealthy);
      expect(text('config/db/db.sqlite').match(/Migrated by/g) ?? []).toHaveLength(isUnhealthy ? 0 : 1);
      const services = Object.values(host?.projects ?? {}).flatMap((project) => Object.values(project.services));
      expect(services).not.toContain('stopped');
      fixture.clock.at += HOUR_MS;
    }
    for (const place of ['keep-data.read.committed', 'put-back-data.read.committed', 'work.finish.effected'])
      expect(crashes.places).toContain(place);
  }, 300_000);
});
