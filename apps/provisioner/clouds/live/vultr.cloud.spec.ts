import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { seededRandom } from '@moorage/server';
import { cloudSuite } from '@moorage/tests/suites/cloud.suite';
import { PLAIN_FAULTS } from '@moorage/tests/fakes/clouds/fake-http';
import { fakeVultr, type FakeVultr } from '@moorage/tests/fakes/clouds/fake-vultr';
import { fixtureClock } from '@moorage/tests/services/provisioner/fixture-clock';
import { OPEN_RULES } from './open-ports';
import { VultrCloud } from './vultr.cloud';

const KEY = 'vultr-canary-key';
const BOOT_MS = 20_000;
const PAGE = 3;
const clock = fixtureClock();
let fake: FakeVultr;
let cloud: VultrCloud;

const opened = (apiKey: string, seed = 39): VultrCloud =>
  new VultrCloud({ apiKey, baseUrl: fake.http.url }, { random: seededRandom(seed), clock });

beforeEach(async () => {
  fake = await fakeVultr({ now: () => clock.at, bootMs: BOOT_MS, apiKey: KEY, page: PAGE });
  cloud = opened(KEY);
});
afterEach(() => fake.http.close());

cloudSuite(
  'vultr',
  { faults: PLAIN_FAULTS, repeated: 'second_server', page: PAGE, larger: 'vc2-4c-8gb', shrinks: false },
  () =>
    Promise.resolve({
      cloud,
      region: 'fra',
      instance_type: 'vc2-2c-4gb',
      ripen: () => Promise.resolve(void (clock.at += BOOT_MS)),
      fault: (call, fault, times) => Promise.resolve(fake.fleet.plant(call, fault, times)),
    }),
);

const spec = (ref: string) => ({
  name: `moorage-${ref}`,
  region: 'fra',
  instance_type: 'vc2-2c-4gb',
  user_data: '#cloud-config\n{}',
  labels: { 'managed-by': 'moorage', installation: 'i', deployment: ref } as const,
});
const ports = (): string[] | undefined =>
  fake.groups[0]?.rules.map(({ protocol, port }) => `${protocol} ${port}`).sort();
const OURS = OPEN_RULES.map(({ protocol, port }) => `${protocol.toUpperCase()} ${port}`).sort();

describe('Vultr', () => {
  it('uses one firewall group and one key, and repairs manual changes of the rules', async () => {
    await cloud.create(spec('a'), 'a-1');
    expect(ports()).toEqual(OURS);
    const [group] = fake.groups;
    if (group === undefined) throw new Error('there is no group');
    group.rules = [
      ...group.rules.slice(2),
      { id: 1, ip_type: 'v4', protocol: 'TCP', port: '3306', subnet: '0.0.0.0', subnet_size: 0 },
    ];
    await cloud.create(spec('b'), 'b-1');
    expect(ports()).toEqual(OURS);
    expect([fake.groups.length, fake.keys.length]).toEqual([1, 1]);
    expect(fake.fleet.living().map(({ userData }) => userData)).toEqual(['#cloud-config\n{}', '#cloud-config\n{}']);
  });

  it('recognises its account by what is left of the group, the key and the servers', async () => {
    const project = await cloud.projectId();
    await cloud.create(spec('a'), 'a-1');
    fake.groups.length = 0;
    expect(await cloud.projectId()).toBe(project);
    fake.keys.length = 0;
    expect(await cloud.projectId()).toBe(project);
    await cloud.create(spec('b'), 'b-1');
    expect([fake.groups.length, fake.keys.length]).toEqual([1, 1]);
    expect(await cloud.projectId()).toBe(project);
  });

  it('returns the same name for two concurrent calls', async () => {
    const [one, other] = await Promise.all([cloud.projectId(), opened(KEY, 40).projectId()]);
    expect([await cloud.projectId(), await opened(KEY, 40).projectId()]).toEqual([one, one]);
    expect(other).toBe(one);
    expect(fake.groups).toHaveLength(1);
  });

  it.each([
    [{ status: 'pending', power_status: 'running', server_status: 'none' }, 'booting'],
    [{ status: 'active', power_status: 'stopped', server_status: 'installingbooting' }, 'booting'],
    [{ status: 'active', power_status: 'running', server_status: 'installingbooting' }, 'running'],
    [{ status: 'active', power_status: 'stopped', server_status: 'ok' }, 'stopped'],
    [{ status: 'suspended', power_status: 'running', server_status: 'ok' }, 'stopped'],
    [{ status: 'resizing', power_status: 'running', server_status: 'ok' }, 'booting'],
  ])('reads %j as %s', async (shown, state) => {
    const rest = { id: 'a', label: 'moorage-a', region: 'fra', main_ip: '0.0.0.0', tags: [] };
    const instance = { ...rest, ...shown, date_created: '2026-12-01T10:00:00+00:00' };
    fake.http.answerNext({ status: 200, body: { instance } });
    expect(await cloud.get({ region: 'fra', id: 'a' })).toMatchObject({ state, address: null });
  });

  it('prices a month of 730 hours and marks sold-out sizes per region', async () => {
    fake.soldOut.add('fra vc2-2c-4gb');
    const { regions } = await cloud.catalogue();
    expect(regions.map(({ name, countryCode }) => [name, countryCode])).toEqual([
      ['fra', 'de'],
      ['ewr', 'us'],
    ]);
    expect(regions.map(({ instanceTypes }) => instanceTypes.map(({ name, available }) => [name, available]))).toEqual([
      [
        ['vc2-1c-1gb', true],
        ['vc2-2c-4gb', false],
        ['vc2-4c-8gb', true],
      ],
      [
        ['vc2-1c-1gb', true],
        ['vc2-2c-4gb', true],
      ],
    ]);
    expect(regions[0]?.instanceTypes[1]?.hourlyUsd).toBeCloseTo(20 / 730, 10);
    await expect(cloud.create(spec('a'), 'a-1')).rejects.toMatchObject({ kind: 'capacity' });
  });

  it('prefers the hourly price of the plan', async () => {
    const plan = {
      id: 'vc2-1c-1gb',
      vcpu_count: 1,
      ram: 1024,
      monthly_cost: 5,
      hourly_cost: 0.007,
      locations: ['fra'],
    };
    fake.http.answerNext({ body: { regions: [{ id: 'fra', city: 'Frankfurt', country: 'DE' }] } });
    fake.http.answerNext({ body: { plans: [plan] } });
    fake.http.answerNext({ body: { available_plans: ['vc2-1c-1gb'] } });
    const { regions } = await cloud.catalogue();
    expect(regions[0]?.instanceTypes.map(({ hourlyUsd }) => hourlyUsd)).toEqual([0.007]);
  });

  it.each([
    [400, 'Server add failed: You have reached the maximum number of active virtual machines.', 'quota'],
    [400, 'Server add failed: Plan is not available in the selected region.', 'capacity'],
    [400, 'Unable to destroy server: This server is currently locked.', 'conflict'],
    [403, 'Unauthorized IP address: 192.0.2.1', 'auth'],
    [403, 'Forbidden', 'permission'],
    [503, 'Service unavailable', 'transient'],
    [400, 'Invalid OS ID.', 'invalid'],
  ])('classifies %d "%s" as %s', async (status, error, kind) => {
    fake.http.answerNext({ status, body: { error, status } });
    await expect(cloud.projectId()).rejects.toMatchObject({ kind, message: `${status} ${error}` });
  });

  it('does not expose its key when rejected', async () => {
    const refused = await opened('another-canary')
      .projectId()
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ kind: 'auth', message: '401 Invalid API token.' });
  });
});
