import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Settings } from '@moorage/runtime';
import { seededRandom } from '@moorage/server';
import { cloudSuite } from '@moorage/tests/suites/cloud.suite';
import { fakeEc2, type FakeEc2 } from '@moorage/tests/fakes/clouds/fake-ec2';
import { PLAIN_FAULTS } from '@moorage/tests/fakes/clouds/fake-http';
import { fixtureClock } from '@moorage/tests/services/provisioner/fixture-clock';
import { AwsCloud } from './aws.cloud';
import { openLiveCloud } from './live-clouds';

const KEY = 'AKIACANARY';
const SECRET = 'aws-canary-secret';
const BOOT_MS = 20_000;
const PAGE = 3;
const REGION = 'eu-central-1';
const clock = fixtureClock();
let fake: FakeEc2;
let cloud: AwsCloud;

const cloudWith = (accessKeyId: string): AwsCloud =>
  new AwsCloud({ accessKeyId, secretAccessKey: SECRET, baseUrl: fake.http.url, pricesBaseUrl: fake.http.url });

beforeEach(async () => {
  fake = await fakeEc2({ now: () => clock.at, bootMs: BOOT_MS, accessKeyId: KEY, page: PAGE });
  cloud = cloudWith(KEY);
});
afterEach(async () => {
  await fake.http.close();
  // Every request matches AWS's own description of its API.
  expect(fake.violations).toEqual([]);
});

const faults = [...PLAIN_FAULTS, 'fails_capacity', 'fails_quota', 'fails_refused', 'fails_other'] as const;
cloudSuite('aws', { faults, repeated: 'same_server', page: PAGE, larger: 't3.2xlarge' }, () =>
  Promise.resolve({
    cloud,
    region: REGION,
    instance_type: 't3.medium',
    ripen: () => Promise.resolve(void (clock.at += BOOT_MS)),
    fault: (call, fault, times) => Promise.resolve(fake.fleet.plant(call, fault, times)),
  }),
);

const spec = (ref: string, region = REGION) => ({
  name: `moorage-${ref}`,
  region,
  instance_type: 't3.medium',
  user_data: '#cloud-config\n{}',
  labels: { 'managed-by': 'moorage', installation: 'i', deployment: ref } as const,
});
const placeOf = ({ region, id }: { readonly region: string; readonly id: string }) => ({ region, id });
const formOf = (action: string): Record<string, string> =>
  fake.http.requests.map(({ body }) => body as Record<string, string>).findLast(({ Action }) => Action === action) ??
  {};

describe('AWS', () => {
  it('creates and removes servers elsewhere and knows its account while us-east-1 is down', async () => {
    const account = await cloud.projectId();
    fake.down.add('us-east-1');
    const createdServer = await cloud.create(spec('a'), 'a-1');
    expect(await cloud.projectId()).toBe(account);
    expect(await cloud.find(spec('a').labels, REGION)).toHaveLength(1);
    await cloud.delete(placeOf(createdServer));
    expect(await cloud.find(spec('a').labels, REGION)).toEqual([]);
    // Servers in that region are not absent.
    await expect(cloud.list('i')).rejects.toMatchObject({ kind: 'transient' });
  });

  it('launches the newest Ubuntu with user data, no key, a disk deleted with the server and metadata by session only', async () => {
    await cloud.create(spec('a'), 'a-1');
    const form = formOf('RunInstances');
    expect(form).toMatchObject({
      ImageId: 'ami-20261015-eu-central-1',
      ClientToken: 'a-1-t3.medium',
      'MetadataOptions.HttpTokens': 'required',
      'CreditSpecification.CpuCredits': 'standard',
      'BlockDeviceMapping.1.DeviceName': '/dev/sda1',
      'BlockDeviceMapping.1.Ebs.VolumeType': 'gp3',
      'BlockDeviceMapping.1.Ebs.VolumeSize': '30',
      'BlockDeviceMapping.1.Ebs.DeleteOnTermination': 'true',
      'TagSpecification.1.ResourceType': 'instance',
      'TagSpecification.2.ResourceType': 'volume',
      'TagSpecification.2.Tag.4.Value': 'a',
    });
    expect(form).not.toHaveProperty('KeyName');
    expect(fake.fleet.living()).toMatchObject([{ name: 'moorage-a', userData: '#cloud-config\n{}' }]);
  });

  it('uses one group per region, restores lost rules, keeps others, and recreates a deleted group', async () => {
    await cloud.create(spec('a'), 'a-1');
    await cloud.create(spec('b'), 'b-1');
    await cloud.create(spec('c', 'us-east-1'), 'c-1');
    expect(fake.groups.map(({ region, name }) => [region, name])).toEqual([
      ['eu-central-1', 'moorage'],
      ['us-east-1', 'moorage'],
    ]);
    const rules = fake.groups[0]?.rules ?? new Set();
    const before = [...rules];
    expect(before).toContain('udp 51820 51820 ::/0');
    rules.delete('tcp 443 443 0.0.0.0/0');
    rules.delete('udp 51820 51820 ::/0');
    rules.add('tcp 9100 9100 10.0.0.0/8');
    await cloud.create(spec('d'), 'd-1');
    expect([...rules].sort()).toEqual([...before, 'tcp 9100 9100 10.0.0.0/8'].sort());
    fake.groups.length = 0;
    await cloud.create(spec('e'), 'e-1');
    expect([...(fake.groups[0]?.rules ?? [])].sort()).toEqual([...before].sort());
  });

  it('uses a group that another process created first', async () => {
    await cloud.create(spec('a'), 'a-1');
    fake.hiddenReads = 1;
    await cloud.create(spec('b'), 'b-1');
    expect(formOf('CreateSecurityGroup')).toMatchObject({ GroupName: 'moorage', VpcId: 'vpc-eu-central-1' });
    expect(fake.groups).toHaveLength(1);
    expect(fake.fleet.living()).toHaveLength(2);
    // It waits while the group is not visible yet.
    fake.hiddenReads = 2;
    await expect(cloud.create(spec('c'), 'c-1')).rejects.toMatchObject({ kind: 'transient' });
  });

  it('lists every region enabled in the account', async () => {
    await cloud.create(spec('a', 'us-east-1'), 'a-1');
    await cloud.create(spec('b'), 'b-1');
    expect((await cloud.list('i')).map(({ name, region }) => [name, region])).toEqual([
      ['moorage-a', 'us-east-1'],
      ['moorage-b', 'eu-central-1'],
    ]);
    expect(fake.http.requests.some(({ body }) => JSON.stringify(body).includes('me-south-1'))).toBe(false);
  });

  it('reports a token as taken if it was used for another request or for a terminated server', async () => {
    const createdServer = await cloud.create(spec('a'), 'a-1');
    await expect(cloud.create(spec('b'), 'a-1')).rejects.toMatchObject({ kind: 'conflict' });
    await cloud.delete(placeOf(createdServer));
    await expect(cloud.create(spec('a'), 'a-1')).rejects.toMatchObject({ kind: 'conflict' });
    expect(fake.fleet.living()).toEqual([]);
  });

  it.each([
    ['shutting-down', 'stopping'],
    ['stopping', 'stopped'],
    ['stopped', 'stopped'],
  ])('shows a server that is %s as %s', async (state, shown) => {
    const createdServer = await cloud.create(spec('a'), 'a-1');
    fake.states.set(createdServer.id, state);
    expect(await cloud.get(placeOf(createdServer))).toMatchObject({ state: shown, failure: null });
  });

  it.each([
    ['Client.UserInitiatedShutdown', 'account'],
    ['Client.InstanceInitiatedShutdown', 'itself'],
    ['Server.ScheduledStop', 'provider'],
    ['Client.Unknown', undefined],
  ])('says for %s that a server was stopped by %s', async (reason, by) => {
    const createdServer = await cloud.create(spec('a'), 'a-1');
    fake.states.set(createdServer.id, 'stopped');
    fake.reasons.set(createdServer.id, reason);
    expect((await cloud.get(placeOf(createdServer)))?.stopped_by).toBe(by);
  });

  it('shows a failed launch until its removal is requested, also if it failed afterwards', async () => {
    fake.fleet.plant('create', 'fails_capacity', 1);
    const createdServer = await cloud.create(spec('a'), 'a-1');
    clock.at += BOOT_MS;
    expect(await cloud.list('i')).toMatchObject([
      {
        state: 'failed',
        failure: { kind: 'capacity', message: expect.stringContaining('InsufficientInstanceCapacity') },
      },
    ]);
    await cloud.delete(placeOf(createdServer));
    await cloud.delete(placeOf(createdServer));
    expect([await cloud.list('i'), await cloud.get(placeOf(createdServer))]).toEqual([[], null]);
  });

  it('cannot launch after the default network was deleted, and knows its account by another network', async () => {
    const account = await cloud.projectId();
    fake.withoutVpc.add('us-east-1');
    expect(await cloud.projectId()).toBe(account);
    await expect(cloud.create(spec('a', 'us-east-1'), 'a-1')).rejects.toMatchObject({
      kind: 'invalid',
      message: 'the account has no default VPC in us-east-1',
    });
    ['eu-central-1', 'ap-south-2', 'xx-nowhere-9'].forEach((region) => fake.withoutVpc.add(region));
    await expect(cloud.projectId()).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('distinguishes a sold-out size from an unknown size, and retries another size with the same token', async () => {
    fake.soldOut.add(`${REGION} t3.medium`);
    await expect(cloud.create(spec('a'), 'a-1')).rejects.toMatchObject({ kind: 'capacity' });
    await expect(cloud.create({ ...spec('a'), instance_type: 't9.huge' }, 'a-1')).rejects.toMatchObject({
      kind: 'invalid',
      message: "400 InvalidParameterValue Invalid value 't9.huge' for InstanceType.",
    });
    await cloud.create({ ...spec('a'), instance_type: 't3.small' }, 'a-1');
    expect(fake.fleet.living()).toMatchObject([{ name: 'moorage-a', type: 't3.small' }]);
  });

  it.each(['eu.example.com/', '../us-east-1', ''])('sends no request for the region %j', async (region) => {
    await expect(cloud.create(spec('a', region), 'a-1')).rejects.toMatchObject({ kind: 'invalid' });
    expect(fake.http.requests).toEqual([]);
  });

  it('rejects a response longer than any list', async () => {
    const createdServer = await cloud.create(spec('a'), 'a-1');
    fake.fleet.plant('get', 'oversized', 1);
    await expect(cloud.get(placeOf(createdServer))).rejects.toMatchObject({
      kind: 'transient',
      message: 'POST 127.0.0.1: the response is too long',
    });
  });

  it('prices its sizes with disk and address in the regions with a known country', async () => {
    const { regions } = await cloud.catalogue();
    expect(regions.map(({ name, displayName, countryCode }) => [name, displayName, countryCode])).toEqual([
      ['us-east-1', 'N. Virginia', 'us'],
      ['eu-central-1', 'Frankfurt', 'de'],
      ['ap-south-2', 'Hyderabad', 'in'],
    ]);
    expect(regions[0]?.instanceTypes.map(({ name }) => name)).toContain('t3.micro');
    // The price list contains a size that is not offered, which is omitted.
    expect(regions[1]?.instanceTypes).toEqual([
      {
        name: 't3.small',
        displayName: 't3.small',
        cpu: 2,
        memoryGb: 2,
        diskGb: 30,
        hourlyUsd: expect.closeTo(0.0323, 4),
        available: true,
      },
      {
        name: 't3.medium',
        displayName: 't3.medium',
        cpu: 2,
        memoryGb: 4,
        diskGb: 30,
        hourlyUsd: expect.closeTo(0.0563, 4),
        available: true,
      },
      {
        name: 't3.2xlarge',
        displayName: 't3.2xlarge',
        cpu: 8,
        memoryGb: 32,
        diskGb: 30,
        hourlyUsd: expect.closeTo(0.3923, 4),
        available: true,
      },
    ]);
  });

  it('is enabled by its settings if both parts of the key are set', async () => {
    const parts = { random: seededRandom(39), clock };
    const settings = {
      AWS_ACCESS_KEY_ID: KEY,
      AWS_BASE_URL: fake.http.url,
      AWS_PRICES_BASE_URL: fake.http.url,
    } as Settings;
    expect(openLiveCloud('aws', settings, parts)).toBeNull();
    const opened = openLiveCloud('aws', { ...settings, AWS_SECRET_ACCESS_KEY: SECRET }, parts);
    expect((await opened?.catalogue())?.regions).toHaveLength(3);
  });

  it('uses its own credentials and addresses regardless of the environment', async () => {
    const other = {
      AWS_ACCESS_KEY_ID: 'AKIAOTHER',
      AWS_SECRET_ACCESS_KEY: 'other',
      AWS_REGION: 'me-south-1',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
      AWS_MAX_ATTEMPTS: '5',
    };
    const before = Object.keys(other).map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, other);
    try {
      fake.fleet.plant('get', 'server_error', 1);
      await expect(cloud.get({ region: REGION, id: 'i-0000000f' })).rejects.toMatchObject({ kind: 'transient' });
      expect(fake.http.requests).toHaveLength(1);
      expect(await cloud.projectId()).toBe('123456789012');
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  it('does not expose its key when rejected', async () => {
    const refused = await cloudWith('AKIASTRANGER')
      .projectId()
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({
      kind: 'auth',
      message: '401 AuthFailure AWS was not able to validate the provided access credentials',
    });
    expect(cloudWith(KEY).budgetKey).not.toContain(KEY);
  });
});
