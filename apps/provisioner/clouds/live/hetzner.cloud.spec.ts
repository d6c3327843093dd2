import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { seededRandom } from '@moorage/server';
import { cloudSuite } from '@moorage/tests/suites/cloud.suite';
import { PLAIN_FAULTS } from '@moorage/tests/fakes/clouds/fake-http';
import { fakeHetzner, type FakeHetzner } from '@moorage/tests/fakes/clouds/fake-hetzner';
import { fixtureClock } from '@moorage/tests/services/provisioner/fixture-clock';
import { HetznerCloud } from './hetzner.cloud';

const TOKEN = 'hetzner-canary-token';
const BOOT_MS = 20_000;
const PAGE = 3;
const clock = fixtureClock();
let fake: FakeHetzner;
let cloud: HetznerCloud;

beforeEach(async () => {
  fake = await fakeHetzner({ now: () => clock.at, bootMs: BOOT_MS, token: TOKEN, page: PAGE });
  cloud = new HetznerCloud(
    { token: TOKEN, baseUrl: fake.http.url, usdPerEur: 1.1 },
    { random: seededRandom(39), clock },
  );
});
afterEach(() => fake.http.close());

cloudSuite('hetzner', { faults: PLAIN_FAULTS, repeated: 'name_taken', page: PAGE, larger: 'cpx32' }, () =>
  Promise.resolve({
    cloud,
    region: 'fsn1',
    instance_type: 'cpx22',
    ripen: () => Promise.resolve(void (clock.at += BOOT_MS)),
    fault: (call, fault, times) => Promise.resolve(fake.fleet.plant(call, fault, times)),
  }),
);

const spec = (ref: string) => ({
  name: `moorage-${ref}`,
  region: 'fsn1',
  instance_type: 'cpx22',
  user_data: '#cloud-config\n{}',
  labels: { 'managed-by': 'moorage', installation: 'i', deployment: ref } as const,
});

describe('Hetzner', () => {
  it('uses one firewall and one key for all servers, and creates or repairs them after manual changes', async () => {
    await cloud.create(spec('a'), 'a-1');
    await cloud.create(spec('b'), 'b-1');
    const [firewall] = fake.firewalls;
    expect([fake.firewalls.length, fake.keys.length]).toEqual([1, 1]);
    const project = await cloud.projectId();
    const rules = firewall?.rules;
    if (firewall !== undefined) firewall.rules = [];
    fake.keys.length = 0;
    await cloud.create(spec('c'), 'c-1');
    expect(firewall?.rules).toEqual(rules);
    fake.firewalls.length = 0;
    await cloud.create(spec('d'), 'd-1');
    expect([fake.firewalls.length, fake.keys.length]).toEqual([1, 1]);
    expect(await cloud.projectId()).toBe(project);
  });

  it('recognises its project by what is left of it', async () => {
    const project = await cloud.projectId();
    await cloud.create(spec('a'), 'a-1');
    fake.firewalls.length = 0;
    fake.keys.length = 0;
    expect(await cloud.projectId()).toBe(project);
  });

  it('prices a server with its address in dollars, and marks sold-out sizes', async () => {
    fake.soldOut.add('fsn1 cpx22');
    const { regions } = await cloud.catalogue();
    expect(regions.map(({ name, countryCode }) => [name, countryCode])).toEqual([
      ['fsn1', 'de'],
      ['hel1', 'fi'],
    ]);
    expect(regions[0]?.instanceTypes.map(({ name, available }) => [name, available])).toEqual([
      ['cpx12', true],
      ['cpx22', false],
      ['cpx32', true],
    ]);
    expect(regions[0]?.instanceTypes[1]?.hourlyUsd).toBeCloseTo((0.032 + 0.0008) * 1.1, 10);
  });

  it('does not expose its token when rejected', async () => {
    const stranger = new HetznerCloud(
      { token: 'another-canary', baseUrl: fake.http.url, usdPerEur: 1 },
      { random: seededRandom(1), clock },
    );
    const refused = await stranger.projectId().catch((error: unknown) => error);
    expect(refused).toMatchObject({ kind: 'auth', message: '401 unauthorized the token you have provided is invalid' });
  });
});
