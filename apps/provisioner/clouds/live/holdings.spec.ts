import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HOLDING_KINDS } from '@moorage/domain';
import { LIVE_NAMES, openFake, type OpenFake } from '@moorage/tests/fakes/clouds/every-fake';
import { type FixtureClock, fixtureClock } from '@moorage/tests/services/provisioner/fixture-clock';
import { serverName } from '../cloud';

const OURS = 'mine';
const STRANGER = 'theirs';

describe.each(LIVE_NAMES)('leftovers at %s', (name) => {
  let clock: FixtureClock;
  let fake: OpenFake;
  beforeEach(async () => {
    clock = fixtureClock();
    fake = await openFake(name, clock, { page: 2 });
  });
  afterEach(async () => {
    await fake.http.close();
    // Requests that do not match AWS's own description.
    if ('violations' in fake) expect(fake.violations).toEqual([]);
  });

  const kinds = () => HOLDING_KINDS.filter((kind) => kind in fake.holdings.prices);
  const list = (installation = OURS) => fake.cloud.holdings.list(installation);

  it('are listed, one of each kind, with daily price and our labels', async () => {
    const planted = kinds().map((kind) => ({
      ...fake.holdings.plant({ kind, installation: OURS }),
      used_by: null,
      micros_per_day: fake.holdings.prices[kind],
      labels: expect.objectContaining({ 'managed-by': 'moorage' }),
    }));
    const found = await list();
    expect(found).toHaveLength(planted.length);
    expect(found).toEqual(expect.arrayContaining(planted.map((one) => expect.objectContaining(one))));
    for (const { kind, labels } of found) if (kind !== 'tag') expect(labels.installation).toBe(OURS);
  });

  it('are listed from the second page as well', async () => {
    const planted = [1, 2, 3].map(() => fake.holdings.plant({ kind: 'disk', installation: OURS }).id);
    expect((await list()).map(({ id }) => id).sort()).toEqual(planted.sort());
  });

  it('are removed on request and gone at the next check', async () => {
    for (const kind of kinds()) {
      const place = fake.holdings.plant({ kind, installation: OURS });
      expect([kind, await fake.cloud.holdings.remove(place, OURS)]).toEqual([kind, 'asked']);
      expect([kind, fake.holdings.has(place)]).toEqual([kind, false]);
      expect([kind, await fake.cloud.holdings.remove(place, OURS)]).toEqual([kind, 'gone']);
    }
    expect(await list()).toEqual([]);
  });

  it('of another installation are neither listed nor removed', async () => {
    for (const kind of kinds().filter((one) => one !== 'tag')) {
      const place = fake.holdings.plant({ kind, installation: STRANGER });
      expect([kind, await fake.cloud.holdings.remove(place, OURS)]).toEqual([kind, 'not_ours']);
      expect([kind, fake.holdings.has(place)]).toEqual([kind, true]);
    }
    expect(await list()).toEqual([]);
  });

  it('are shown as used and not removed while in use', async () => {
    for (const kind of fake.holdings.usable) {
      const place = fake.holdings.plant({ kind, installation: OURS, used: true });
      if (kind !== 'tag') expect((await list()).find(({ id }) => id === place.id)?.used_by).toMatch(/./);
      expect([kind, await fake.cloud.holdings.remove(place, OURS)]).toEqual([kind, 'in_use']);
      expect([kind, fake.holdings.has(place)]).toEqual([kind, true]);
    }
  });

  it('never include what running servers need', async () => {
    const { region, instance_type } = fake;
    const labels = { 'managed-by': 'moorage', installation: OURS, deployment: 'running' } as const;
    await fake.cloud.create(
      { name: serverName('running'), region, instance_type, user_data: '#cloud-config', labels },
      't',
    );
    clock.at += 60_000;
    const needed = (await list()).filter(({ used_by, kind }) => used_by === null && kind !== 'tag');
    expect(needed).toEqual([]);
    const [server] = await fake.cloud.list(OURS);
    expect(server?.instance_type).toBe(instance_type);
  });

  it('cannot be removed by an id unknown to the provider', async () => {
    for (const kind of kinds()) {
      expect(['not_ours', 'gone']).toContain(
        await fake.cloud.holdings.remove({ kind, region: fake.region, id: '../../accounts' }, OURS),
      );
    }
    expect(fake.http.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });
});
