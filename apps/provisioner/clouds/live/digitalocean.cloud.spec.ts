import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { seededRandom } from '@moorage/server';
import { cloudSuite } from '@moorage/tests/suites/cloud.suite';
import { fakeDigitalOcean, type FakeDigitalOcean } from '@moorage/tests/fakes/clouds/fake-digitalocean';
import { PLAIN_FAULTS } from '@moorage/tests/fakes/clouds/fake-http';
import { fixtureClock } from '@moorage/tests/services/provisioner/fixture-clock';
import { DigitalOceanCloud } from './digitalocean.cloud';
import { NOBODYS_KEY } from './dummy-ssh-key';

const TOKEN = 'digitalocean-canary-token';
const BOOT_MS = 20_000;
const PAGE = 3;
const clock = fixtureClock();
let fake: FakeDigitalOcean;
let cloud: DigitalOceanCloud;

const opened = (token: string): DigitalOceanCloud =>
  new DigitalOceanCloud({ token, baseUrl: fake.http.url }, { random: seededRandom(39), clock });

beforeEach(async () => {
  fake = await fakeDigitalOcean({ now: () => clock.at, bootMs: BOOT_MS, token: TOKEN, page: PAGE });
  cloud = opened(TOKEN);
});
afterEach(() => fake.http.close());

cloudSuite('digitalocean', { faults: PLAIN_FAULTS, repeated: 'second_server', page: PAGE, larger: 's-4vcpu-8gb' }, () =>
  Promise.resolve({
    cloud,
    region: 'fra1',
    instance_type: 's-2vcpu-4gb',
    ripen: () => Promise.resolve(void (clock.at += BOOT_MS)),
    fault: (call, fault, times) => Promise.resolve(fake.fleet.plant(call, fault, times)),
  }),
);

const spec = (ref: string) => ({
  name: `moorage-${ref}`,
  region: 'fra1',
  instance_type: 's-2vcpu-4gb',
  user_data: '#cloud-config\n{}',
  labels: { 'managed-by': 'moorage', installation: 'i', deployment: ref } as const,
});
const paths = (): string[] => fake.http.requests.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`);

describe('DigitalOcean', () => {
  it('creates tag, firewall and key for the first server, and needs three calls for each further server', async () => {
    await cloud.create(spec('a'), 'a-1');
    expect(paths()).toEqual([
      'GET /v2/firewalls',
      'POST /v2/tags',
      'POST /v2/firewalls',
      `GET /v2/account/keys/${encodeURIComponent(NOBODYS_KEY.fingerprint)}`,
      'POST /v2/account/keys',
      'POST /v2/droplets',
    ]);
    fake.http.requests.length = 0;
    await cloud.create(spec('b'), 'b-1');
    expect(paths()).toHaveLength(3);
    expect([fake.firewalls.length, fake.keys.length]).toEqual([1, 1]);
    expect(fake.fleet.living().map(({ userData }) => userData)).toEqual(['#cloud-config\n{}', '#cloud-config\n{}']);
  });

  it.each([
    ['opened further', { inbound_rules: [{ protocol: 'tcp', ports: '0', sources: { addresses: ['0.0.0.0/0'] } }] }],
    ['detached from the servers', { tags: [] }],
    ['closed for outbound requests of the servers', { outbound_rules: [] }],
  ])('repairs a firewall that was %s', async (_what, changed) => {
    await cloud.create(spec('a'), 'a-1');
    const [firewall] = fake.firewalls;
    if (firewall === undefined) throw new Error('there is no firewall');
    const before = firewall.rule;
    firewall.rule = { ...before, ...changed };
    await cloud.create(spec('b'), 'b-1');
    expect(firewall.rule).toEqual(before);
    expect(fake.firewalls).toHaveLength(1);
  });

  it('finds its firewall on a later page, and leaves an equivalent firewall unchanged', async () => {
    await cloud.create(spec('a'), 'a-1');
    const [ours] = fake.firewalls;
    if (ours === undefined) throw new Error('there is no firewall');
    const outbound = (ours.rule.outbound_rules as object[]).map((rule) => ({ ...rule, ports: 'all' }));
    ours.rule = { ...ours.rule, inbound_rules: [...(ours.rule.inbound_rules as object[])].reverse() };
    ours.rule = { ...ours.rule, outbound_rules: outbound };
    for (let n = 0; n < PAGE; n++) fake.firewalls.unshift({ id: `other-${n}`, rule: { name: `other-${n}`, tags: [] } });
    fake.http.requests.length = 0;
    await cloud.create(spec('b'), 'b-1');
    expect(paths().filter((path) => path.includes('firewalls'))).toEqual(['GET /v2/firewalls', 'GET /v2/firewalls']);
  });

  it('marks sold-out sizes per region, and omits sizes and regions that are not for sale', async () => {
    fake.soldOut.add('fra1 s-2vcpu-4gb');
    const { regions } = await cloud.catalogue();
    expect(regions.map(({ name, countryCode }) => [name, countryCode])).toEqual([
      ['fra1', 'de'],
      ['nyc3', 'us'],
    ]);
    expect(regions[0]?.instanceTypes.map(({ name, available }) => [name, available])).toEqual([
      ['s-1vcpu-1gb', true],
      ['s-2vcpu-4gb', false],
      ['s-4vcpu-8gb', true],
    ]);
    expect(regions[0]?.instanceTypes[1]).toMatchObject({
      displayName: 'Basic 2 vCPU / 4 GB',
      cpu: 2,
      memoryGb: 4,
      hourlyUsd: 0.03571,
    });
    await expect(cloud.create(spec('a'), 'a-1')).rejects.toMatchObject({ kind: 'capacity' });
  });

  it('waits until DigitalOcean accepts requests again', async () => {
    const reset = String(Math.floor(clock.at / 1000) + 90);
    const body = { id: 'too_many_requests', message: 'API rate limit exceeded.' };
    fake.http.answerNext({ status: 429, headers: { 'ratelimit-reset': reset }, body });
    await expect(cloud.projectId()).rejects.toMatchObject({ kind: 'rate_limit', retry_after_ms: 90_000 });
  });

  it('uses the account as the project if there is no team', async () => {
    fake.http.answerNext({ body: { account: { uuid: 'account' } } });
    expect(await cloud.projectId()).toBe('account');
  });

  it.each([
    ['Region is not available', 'capacity'],
    ['size is unavailable', 'capacity'],
    ['Droplet creation in this region is temporarily disabled.', 'capacity'],
    ['creating this/these droplet(s) will exceed your droplet limit', 'quota'],
    ['Size This size is currently restricted please send an additional payment to unlock.', 'quota'],
    ['Droplet already has a pending event.', 'conflict'],
    ['The image you specified is not available in the selected region, you can transfer it.', 'invalid'],
    ['You specified an invalid size for Droplet creation.', 'invalid'],
  ])('classifies "%s" as %s', async (message, kind) => {
    fake.http.answerNext({ status: 422, body: { id: 'unprocessable_entity', message } });
    await expect(cloud.projectId()).rejects.toMatchObject({ kind, message: `422 unprocessable_entity ${message}` });
  });

  it('does not expose its token when rejected', async () => {
    const refused = await opened('another-canary')
      .projectId()
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ kind: 'auth', message: '401 unauthorized Unable to authenticate you' });
  });
});
