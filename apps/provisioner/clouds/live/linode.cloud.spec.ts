import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { seededRandom } from '@moorage/server';
import { cloudSuite } from '@moorage/tests/suites/cloud.suite';
import { PLAIN_FAULTS } from '@moorage/tests/fakes/clouds/fake-http';
import { fakeLinode, type FakeLinode } from '@moorage/tests/fakes/clouds/fake-linode';
import { fixtureClock } from '@moorage/tests/services/provisioner/fixture-clock';
import { LinodeCloud } from './linode.cloud';

const TOKEN = 'linode-canary-token';
const BOOT_MS = 20_000;
const PAGE = 3;
const clock = fixtureClock();
let fake: FakeLinode;
let cloud: LinodeCloud;

const opened = (token: string): LinodeCloud =>
  new LinodeCloud({ token, baseUrl: fake.http.url }, { random: seededRandom(39), clock });

beforeEach(async () => {
  fake = await fakeLinode({ now: () => clock.at, bootMs: BOOT_MS, token: TOKEN, page: PAGE });
  cloud = opened(TOKEN);
});
afterEach(() => fake.http.close());

cloudSuite('linode', { faults: PLAIN_FAULTS, repeated: 'name_taken', page: PAGE, larger: 'g6-dedicated-2' }, () =>
  Promise.resolve({
    cloud,
    region: 'eu-central',
    instance_type: 'g6-standard-2',
    ripen: () => Promise.resolve(void (clock.at += BOOT_MS)),
    fault: (call, fault, times) => Promise.resolve(fake.fleet.plant(call, fault, times)),
  }),
);

const spec = (ref: string) => ({
  name: `moorage-${ref}`,
  region: 'eu-central',
  instance_type: 'g6-standard-2',
  user_data: '#cloud-config\n{}',
  labels: { 'managed-by': 'moorage', installation: 'i', deployment: ref } as const,
});
const ordered = (): Record<string, unknown>[] =>
  fake.http.requests
    .filter(({ method, path }) => method === 'POST' && path === '/linode/instances')
    .map(({ body }) => body as Record<string, unknown>);

describe('Linode', () => {
  it('uses one firewall for all servers and repairs it after manual changes', async () => {
    await cloud.create(spec('a'), 'a-1');
    await cloud.create(spec('b'), 'b-1');
    const [firewall] = fake.firewalls;
    if (firewall === undefined) throw new Error('there is no firewall');
    const { rules } = firewall;
    firewall.rules = { ...rules, inbound_policy: 'ACCEPT' };
    firewall.status = 'disabled';
    await cloud.create(spec('c'), 'c-1');
    expect(firewall).toMatchObject({ rules, status: 'enabled' });
    expect(fake.firewalls).toHaveLength(1);
    expect(ordered().map(({ firewall_id }) => firewall_id)).toEqual([firewall.id, firewall.id, firewall.id]);
  });

  it('moves existing servers behind the firewall that replaces a deleted firewall', async () => {
    const createdServer = await cloud.create(spec('a'), 'a-1');
    fake.firewalls.length = 0;
    await cloud.create(spec('b'), 'b-1');
    expect(fake.firewalls.map(({ linodes }) => linodes)).toEqual([[Number(createdServer.id)]]);
  });

  it('gives every server its user data and its own root password, which is not stored', async () => {
    await cloud.create(spec('a'), 'a-1');
    await cloud.create(spec('b'), 'b-1');
    expect(fake.fleet.living().map(({ userData }) => userData)).toEqual(['#cloud-config\n{}', '#cloud-config\n{}']);
    const [first, second] = ordered().map(({ root_pass }) => String(root_pass));
    expect(first).toMatch(/^.{64}$/);
    expect(second).not.toBe(first);
  });

  it.each(['2026-12-01T10:00:00', '2026-12-01T10:00:00Z', '2026-12-01T11:00:00+01:00'])(
    'reads %s as the same time, in UTC without a zone',
    async (created) => {
      const rest = { id: 1, label: 'moorage-a', region: 'eu-central', status: 'running', ipv4: [], tags: [] };
      fake.http.answerNext({ body: { ...rest, created } });
      expect(await cloud.get({ region: 'eu-central', id: '1' })).toMatchObject({
        created_at: Date.parse('2026-12-01T10:00:00Z'),
        state: 'running',
        address: null,
      });
    },
  );

  it.each([
    ['provisioning', 'booting'],
    ['booting', 'booting'],
    ['rebuilding', 'booting'],
    ['running', 'running'],
    ['shutting_down', 'stopped'],
    ['offline', 'stopped'],
    ['billing_suspension', 'stopped'],
    ['deleting', 'stopping'],
  ])('reads %s as %s', async (status, state) => {
    const rest = { id: 1, label: 'moorage-a', region: 'eu-central', ipv4: ['192.0.2.1'], tags: [] };
    fake.http.answerNext({ body: { ...rest, status, created: '2026-12-01T10:00:00' } });
    expect(await cloud.get({ region: 'eu-central', id: '1' })).toMatchObject({ state, address: '192.0.2.1' });
  });

  it('waits until Linode accepts requests again', async () => {
    const reset = String(Math.floor(clock.at / 1000) + 90);
    fake.http.answerNext({ status: 429, headers: { 'x-ratelimit-reset': reset }, body: { errors: [] } });
    await expect(cloud.projectId()).rejects.toMatchObject({ kind: 'rate_limit', retry_after_ms: 90_000 });
  });

  it('prefers the price of a region and marks sold-out sizes per region', async () => {
    fake.soldOut.add('eu-central g6-standard-2');
    const { regions } = await cloud.catalogue();
    expect(regions.map(({ name, countryCode }) => [name, countryCode])).toEqual([
      ['eu-central', 'de'],
      ['eu-west', 'gb'],
      ['br-gru', 'br'],
    ]);
    const standard = regions.map(({ instanceTypes }) => instanceTypes.find(({ name }) => name === 'g6-standard-2'));
    expect(standard.map((type) => [type?.hourlyUsd, type?.available])).toEqual([
      [0.036, false],
      [0.036, true],
      [0.05, true],
    ]);
    expect(regions[0]?.instanceTypes.map(({ name }) => name)).toEqual([
      'g6-nanode-1',
      'g6-standard-2',
      'g6-dedicated-2',
    ]);
    await expect(cloud.create(spec('a'), 'a-1')).rejects.toMatchObject({ kind: 'capacity' });
  });

  it.each([
    [400, 'Account Limit reached. Please open a support ticket.', 'quota'],
    [400, 'A limit on your account is preventing the deployment of the selected Linode plan.', 'quota'],
    [400, 'This plan is not available in the selected region', 'capacity'],
    [400, 'Linode busy.', 'conflict'],
    [401, 'Your OAuth token is not authorized to use this endpoint.', 'permission'],
    [401, 'Invalid Token', 'auth'],
    [503, 'Linode is currently unavailable', 'transient'],
    [400, 'root_pass is too weak', 'invalid'],
  ])('classifies %d "%s" as %s', async (status, reason, kind) => {
    fake.http.answerNext({ status, body: { errors: [{ reason }] } });
    await expect(cloud.projectId()).rejects.toMatchObject({ kind, message: `${status} ${reason}` });
  });

  it('does not expose its token when rejected', async () => {
    const refused = await opened('another-canary')
      .projectId()
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ kind: 'auth', message: '401 Invalid Token' });
  });
});
