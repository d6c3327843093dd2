import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EVERY_FAKE, LIVE_NAMES, openFake, type OpenFake } from '@moorage/tests/fakes/clouds/every-fake';
import { fixtureClock } from '@moorage/tests/services/provisioner/fixture-clock';
import { serverName } from '../cloud';
import type { RightCheck } from '../rights';

describe.each(LIVE_NAMES)('permissions at %s', (name) => {
  let fake: OpenFake;
  beforeEach(async () => {
    fake = await openFake(name, fixtureClock());
  });
  afterEach(() => fake.http.close());

  const notAllowed = (rights: readonly RightCheck[]) =>
    rights.filter(({ state }) => state !== 'allowed').map((right) => `${right.name} ${right.state}`);

  it('are all verified without creating a resource', async () => {
    const { rights } = await fake.cloud.check();
    expect(notAllowed(rights)).toEqual([]);
    expect(rights.map((right) => right.name)).toContain(EVERY_FAKE[name].right);
    expect(fake.fleet.living()).toEqual([]);
  });

  it('report exactly the permission that was removed', async () => {
    const { rights } = await fake.cloud.check();
    for (const right of rights) {
      fake.http.removedRights.add(right.name);
      const found = await fake.cloud.check();
      expect(notAllowed(found.rights)).toEqual([`${right.name} missing`]);
      fake.http.removedRights.clear();
    }
  });

  it('are not verified during a provider outage, and none is reported as missing', async () => {
    const { rights } = await fake.cloud.check();
    fake.http.cutAfter(0);
    const found = await fake.cloud.check().then(
      (check) => check.rights,
      () => [],
    );
    fake.http.cutAfter(Infinity);
    expect(rights.length).toBeGreaterThan(1);
    expect(found.filter(({ state }) => state !== 'unknown')).toEqual([]);
  });

  it('leave every server unchanged and count it in the quota', async () => {
    const labels = { 'managed-by': 'moorage', installation: 'i', deployment: 'a' } as const;
    const { region, instance_type } = fake;
    await fake.cloud.create(
      { name: serverName('a'), region, instance_type, user_data: '#cloud-config', labels },
      'a-1',
    );
    const before = fake.fleet.living();
    const { quota } = await fake.cloud.check();
    expect(fake.fleet.living()).toEqual(before);
    const wanted = EVERY_FAKE[name].quota;
    if (wanted === null) expect(quota).toBeNull();
    else expect(quota).toContainEqual(wanted);
  });
});
