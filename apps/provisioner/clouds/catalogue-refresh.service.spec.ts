import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { offersOf, type StoredOffer } from '@moorage/database';
import {
  builtInCosts,
  builtInOffer,
  CLOUD_NAMES,
  cloudSetup,
  HOUR_MS,
  MINUTE_MS,
  Money,
  standInOffer,
} from '@moorage/domain';
import { cloudSetupOf, parseSettings, type ServiceBase } from '@moorage/runtime';
import { type Db, SILENT } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { CatalogueRefresh, refreshSoon } from './catalogue-refresh.service';
import type { Cloud, Clouds } from './cloud';
import { fixtureClock } from '@moorage/tests/services/provisioner/fixture-clock';
import { createMemoryClouds, type MemoryClouds } from '@moorage/tests/fakes/memory-clouds';

let database: TestDatabase;
let db: Db;
let clock: ReturnType<typeof fixtureClock>;
let memory: MemoryClouds;
beforeAll(async () => {
  database = await testDatabase();
  db = await database.open({ service: 'provisioner' });
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.sql('delete from catalogues');
  clock = fixtureClock();
  memory = createMemoryClouds({ clock });
});

const settings = parseSettings({ CLOUD_AWS: 'off', CLOUD_VULTR: 'off' });
const reported: (object | undefined)[] = [];
const log = { ...SILENT, warn: (_message: string, facts?: object) => void reported.push(facts) };
const refresh = (clouds: Clouds = memory.clouds): Promise<void> =>
  new CatalogueRefresh(db, clock, clouds, { settings } as ServiceBase, log).run();
const rows = () =>
  database.sql<{ provider: string; source: string | null; refreshed_at: number | null; due_at: number }>(
    'select provider, source, refreshed_at, due_at from catalogues order by provider',
  );

describe('stored provider catalogue', () => {
  it('holds the response of every offered provider and is refreshed after six hours', async () => {
    await refresh();
    const first = await rows();
    const offered = CLOUD_NAMES.filter((name) => name !== 'aws' && name !== 'vultr');
    expect(first.map(({ provider }) => provider)).toEqual([...offered].sort());
    const setup = cloudSetupOf(settings);
    const offers = await db.tx('test', (tx) => offersOf(tx, setup, { now: clock.at }));
    expect(offers.map(({ offer }) => offer)).toEqual(offered.map(builtInOffer));
    clock.at += 5 * HOUR_MS;
    await refresh();
    expect(await rows()).toEqual(first);
    clock.at += HOUR_MS;
    await refresh();
    expect((await rows()).map(({ refreshed_at }) => refreshed_at)).toEqual(first.map(() => clock.at));
  });

  it('stays unchanged if a provider does not respond, and is retried after ten minutes', async () => {
    await refresh();
    const before = (await rows()).find(({ provider }) => provider === 'hetzner');
    clock.at += 6 * HOUR_MS;
    memory.fault('hetzner', 'catalogue', 'server_error', 1);
    await refresh();
    const after = (await rows()).find(({ provider }) => provider === 'hetzner');
    expect(after).toEqual({ ...before, due_at: clock.at + 10 * MINUTE_MS });
    expect((await rows()).find(({ provider }) => provider === 'gcp')?.refreshed_at).toBe(clock.at);
    clock.at += 10 * MINUTE_MS;
    await refresh();
    expect((await rows()).find(({ provider }) => provider === 'hetzner')?.refreshed_at).toBe(clock.at);
  });

  it('stays unchanged after an unusable response, and other errors are not swallowed', async () => {
    await refresh();
    const before = (await rows()).find(({ provider }) => provider === 'hetzner');
    const answering = (cloud: Cloud['catalogue']): Clouds => ({
      of: (name) => (name === 'hetzner' ? { ...memory.clouds.of(name), catalogue: cloud } : memory.clouds.of(name)),
    });
    clock.at += 6 * HOUR_MS;
    const [region] = builtInCosts('hetzner').regions;
    if (region === undefined) throw new Error('no region');
    const free = {
      ...region,
      instanceTypes: region.instanceTypes.map((type) => ({ ...type, hourlyUsd: 0 })),
    };
    await refresh(answering(async () => ({ provider: 'hetzner', regions: [free] })));
    const after = (await rows()).find(({ provider }) => provider === 'hetzner');
    expect(after).toEqual({ ...before, due_at: clock.at + 10 * MINUTE_MS });
    clock.at += 10 * MINUTE_MS;
    await expect(refresh(answering(() => Promise.reject(new TypeError('a bug'))))).rejects.toThrow('a bug');
  });

  it('drops and logs regions and sizes that cannot be sold, and keeps the others', async () => {
    const [first, second, third] = builtInCosts('hetzner').regions;
    if (first === undefined || second === undefined || third === undefined) throw new Error('no regions');
    const [free, ...others] = first.instanceTypes;
    if (free === undefined) throw new Error('no sizes');
    const answer = {
      provider: 'hetzner' as const,
      regions: [
        { ...first, instanceTypes: [{ ...free, hourlyUsd: 0 }, ...others] },
        { ...second, displayName: 'x'.repeat(101) },
        third,
      ],
    };
    reported.length = 0;
    await refresh({
      of: (name) =>
        name === 'hetzner'
          ? { ...memory.clouds.of(name), catalogue: () => Promise.resolve(answer) }
          : memory.clouds.of(name),
    });
    const stored = await database.sql<{ regions: { name: string; instance_types: { name: string }[] }[] }>(
      `select regions from catalogues where provider = 'hetzner'`,
    );
    expect(stored[0]?.regions.map(({ name, instance_types }) => [name, instance_types.length])).toEqual([
      [first.name, others.length],
      [third.name, third.instanceTypes.length],
    ]);
    const dropped = `${first.name}/${free.name}, ${second.name}`;
    expect(reported).toEqual([{ provider: 'hetzner', count: 2, dropped }]);
  });

  it('is refreshed soon after a size sold out, but not twice within ten minutes', async () => {
    await refresh();
    const start = clock.at;
    const due = async () => (await rows()).find(({ provider }) => provider === 'gcp')?.due_at;
    await db.tx('test', (tx) => refreshSoon(tx, 'gcp', start + MINUTE_MS));
    expect(await due()).toBe(start + 10 * MINUTE_MS);
    await database.sql(`update catalogues set due_at = $1 where provider = 'gcp'`, [
      new Date(start + 6 * HOUR_MS).toISOString(),
    ]);
    await db.tx('test', (tx) => refreshSoon(tx, 'gcp', start + 20 * MINUTE_MS));
    expect(await due()).toBe(start + 20 * MINUTE_MS);
  });
});

describe('catalogue for sale', () => {
  const margin = { percent: 10, minHourlyUsd: 0 };
  const live = cloudSetup({ sandbox: false, chosen: {}, margins: { hetzner: margin } });
  const dearer = JSON.stringify([
    {
      name: 'fsn1',
      display_name: 'Falkenstein',
      country_code: 'de',
      instance_types: [{ name: 'cpx22', display_name: 'CPX 22', cpu: 2, memory_gb: 4, hourly_micros: '99000' }],
    },
  ]);
  const store = (source: string, at: number, regions = dearer) =>
    database.sql(
      `insert into catalogues (provider, source, regions, refreshed_at, due_at) values ('hetzner', $1, $2, $3, $3)`,
      [source, regions, new Date(at).toISOString()],
    );
  beforeEach(() =>
    database.sql(
      `insert into provider_breakers (provider, project_id, pinned_at, proven_at, confirmed_project_id)
       values ('hetzner', 'p', now(), now(), 'p')
       on conflict (provider) do update set proven_at = now(), refused_at = null, confirmed_project_id = 'p'`,
    ),
  );
  const offer = async (): Promise<StoredOffer | undefined> =>
    (await db.tx('test', (tx) => offersOf(tx, live, { now: clock.at })))[0];

  it('is the response of a live provider from the last two days', async () => {
    await store('live', clock.at - 47 * HOUR_MS);
    const found = await offer();
    expect(found).toMatchObject({ source: 'live', priced_at: clock.at - 47 * HOUR_MS });
    expect(found?.offer.regions[0]?.instanceTypes[0]).toMatchObject({ name: 'cpx22', hourlyCost: Money.of(0.099) });
  });

  it.each([
    'proven_at = null',
    'refused_at = now()',
    'confirmed_project_id = null',
    "confirmed_project_id = 'another'",
  ])('is empty with invalid credentials or an unconfirmed project: %s', async (bad) => {
    await store('live', clock.at);
    await database.sql(`update provider_breakers set ${bad}`);
    expect(await offer()).toBeUndefined();
  });

  it.each([
    ['older', () => store('live', clock.at - 48 * HOUR_MS), 48 * HOUR_MS],
    ['from a time when the provider was simulated', () => store('built_in', clock.at), null],
    ['of a format this version does not know', () => store('live', clock.at, '[{"name": "fsn1"}]'), 0],
    ['missing', async () => undefined, null],
  ])('is the built-in catalogue with our margin if the stored catalogue is %s', async (_, put, age) => {
    await put();
    expect(await offer()).toEqual({
      offer: standInOffer('hetzner', margin),
      source: 'built_in',
      priced_at: age === null ? null : clock.at - age,
    } satisfies StoredOffer);
  });
});
