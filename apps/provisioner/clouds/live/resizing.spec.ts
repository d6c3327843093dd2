import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PROVIDERS, SECOND_MS } from '@moorage/domain';
import { seededRandom } from '@moorage/server';
import { EVERY_FAKE, LIVE_NAMES, openFake, type OpenFake } from '@moorage/tests/fakes/clouds/every-fake';
import { fakeAzure } from '@moorage/tests/fakes/clouds/fake-azure';
import { fakeDigitalOcean } from '@moorage/tests/fakes/clouds/fake-digitalocean';
import { fakeEc2 } from '@moorage/tests/fakes/clouds/fake-ec2';
import { fakeGcp } from '@moorage/tests/fakes/clouds/fake-gcp';
import { fakeHetzner } from '@moorage/tests/fakes/clouds/fake-hetzner';
import type { FakeCloud } from '@moorage/tests/fakes/clouds/fake-http';
import { type FixtureClock, fixtureClock } from '@moorage/tests/services/provisioner/fixture-clock';
import { type Cloud, type ResizeProgress, serverName, type ServerPlace } from '../cloud';
import { AwsCloud } from './aws.cloud';
import { AzureCloud } from './azure.cloud';
import { DigitalOceanCloud } from './digitalocean.cloud';
import { GcpCloud } from './gcp.cloud';
import { HetznerCloud } from './hetzner.cloud';

const BOOT_MS = 20 * SECOND_MS;
const CALLS_MAX = 12;
/** Number of interrupted calls. */
const INTERRUPTED_CALLS = 25;
const TOKEN = 'canary';

let clock: FixtureClock;
let fake: FakeCloud;
let cloud: Cloud;
beforeEach(() => {
  clock = fixtureClock();
  Object.assign(clock, { sleep: (ms: number) => Promise.resolve(void (clock.at += ms)) });
});
afterEach(() => fake.http.close());

const created = async (region: string, instance_type: string): Promise<ServerPlace> => {
  const labels = { 'managed-by': 'moorage', installation: 'i', deployment: 'a' } as const;
  const spec = { name: serverName('a'), region, instance_type, user_data: '#cloud-config\n{}', labels };
  const { id } = await cloud.create(spec, 'a-1');
  clock.at += 60 * SECOND_MS;
  return { region, id };
};
const step = (place: ServerPlace, instance_type: string, grow_disk = false): Promise<ResizeProgress> =>
  cloud.resize(place, { instance_type, grow_disk });
/** Repeats the call until the resize is done or fails. */
const resize = async (place: ServerPlace, size: string): Promise<string | null> => {
  for (let calls = 1; calls <= CALLS_MAX; calls += 1) {
    const progress = await step(place, size);
    if (progress.state === 'done') return progress.address;
    clock.at += BOOT_MS;
  }
  throw new Error(`the server does not get the size ${size}`);
};
const sent = (): unknown[] => fake.http.requests.filter(({ method }) => method !== 'GET').map(({ path }) => path);

describe.each(LIVE_NAMES)('resizing at %s', (name) => {
  const { larger } = EVERY_FAKE[name];
  let place: ServerPlace;
  let opened: OpenFake;
  beforeEach(async () => {
    fake = opened = await openFake(name, clock);
    ({ cloud } = opened);
    place = await created(opened.region, opened.instance_type);
  });

  it('is done, although the process ends after each request in turn', async () => {
    for (let calls = 0; calls < INTERRUPTED_CALLS; calls += 1) {
      fake.http.cutAfter(calls % 5);
      await step(place, larger).catch(() => undefined);
      fake.http.cutAfter(Infinity);
      clock.at += BOOT_MS;
    }
    await resize(place, larger);
    expect(fake.fleet.living().map(({ id, type }) => ({ id, type }))).toEqual([
      { id: fake.fleet.living()[0]?.id, type: larger },
    ]);
    expect(await cloud.get(place)).toMatchObject({ state: 'running', instance_type: larger });
  });

  it('changes the public address only where the rules say so', async () => {
    const before = (await cloud.get(place))?.address;
    const after = await resize(place, larger);
    expect(after !== before).toBe(PROVIDERS[name].resizing.changesAddress);
  });

  it('changes nothing at a server of this size', async () => {
    const before = sent().length;
    expect(await step(place, opened.instance_type)).toMatchObject({ state: 'done' });
    expect(
      sent()
        .slice(before)
        .filter((path) => path !== '/' && path !== '/token'),
    ).toEqual([]);
  });
});

describe('an operating system that ignores a shutdown', () => {
  it.each(['hetzner', 'digitalocean'] as const)('loses its power at %s after a minute', async (name) => {
    const opened =
      name === 'hetzner'
        ? await fakeHetzner({ now: () => clock.at, bootMs: BOOT_MS, token: TOKEN })
        : await fakeDigitalOcean({ now: () => clock.at, bootMs: BOOT_MS, token: TOKEN });
    fake = opened;
    const parts = { random: seededRandom(39), clock };
    const baseUrl = fake.http.url;
    cloud =
      name === 'hetzner'
        ? new HetznerCloud({ token: TOKEN, baseUrl, usdPerEur: 1.1 }, parts)
        : new DigitalOceanCloud({ token: TOKEN, baseUrl }, parts);
    const place = name === 'hetzner' ? await created('fsn1', 'cpx22') : await created('fra1', 's-2vcpu-4gb');
    opened.deaf.add(place.id);
    await step(place, EVERY_FAKE[name].larger);
    clock.at += 59 * SECOND_MS;
    await step(place, EVERY_FAKE[name].larger);
    expect(await cloud.get(place)).toMatchObject({ state: 'running' });
    clock.at += SECOND_MS;
    await step(place, EVERY_FAKE[name].larger);
    expect(await cloud.get(place)).toMatchObject({ state: 'stopped' });
    await resize(place, EVERY_FAKE[name].larger);
  });
});

describe('a resize that a provider accepted and could not complete', () => {
  const settings = () => ({ now: () => clock.at, bootMs: BOOT_MS });

  it('is reported by the action of Hetzner, and the previous size runs again', async () => {
    const hetzner = await fakeHetzner({ ...settings(), token: TOKEN });
    fake = hetzner;
    cloud = new HetznerCloud(
      { token: TOKEN, baseUrl: fake.http.url, usdPerEur: 1.1 },
      { random: seededRandom(39), clock },
    );
    const place = await created('fsn1', 'cpx22');
    hetzner.nextFailure = { code: 'resource_unavailable', message: 'no host has room' };
    await expect(resize(place, 'cpx32')).rejects.toMatchObject({ kind: 'capacity' });
    await resize(place, 'cpx22');
    // The failure of the first attempt does not end the second.
    await resize(place, 'cpx32');
  });

  it('is reported by the action of DigitalOcean, and the previous size runs again', async () => {
    const digitalocean = await fakeDigitalOcean({ ...settings(), token: TOKEN });
    fake = digitalocean;
    cloud = new DigitalOceanCloud({ token: TOKEN, baseUrl: fake.http.url }, { random: seededRandom(39), clock });
    const place = await created('fra1', 's-2vcpu-4gb');
    digitalocean.nextFails = true;
    await expect(resize(place, 's-4vcpu-8gb')).rejects.toMatchObject({ kind: 'capacity' });
    await resize(place, 's-2vcpu-4gb');
    await resize(place, 's-4vcpu-8gb');
  });

  it.each([
    ['capacity', 'capacity'],
    ['quota', 'quota'],
  ] as const)('is reported by Azure (%s), and the previous size runs again', async (failure, kind) => {
    const azure = await fakeAzure({ ...settings(), subscription: 's', clientSecret: TOKEN });
    fake = azure;
    cloud = new AzureCloud(
      {
        tenantId: 't',
        clientId: 'c',
        clientSecret: TOKEN,
        subscriptionId: 's',
        baseUrl: fake.http.url,
        tokenUrl: `${fake.http.url}/token`,
      },
      { random: seededRandom(39), clock },
    );
    const place = await created('westeurope', 'Standard_B2s');
    azure.nextStartFailure = failure;
    await expect(resize(place, 'Standard_B2ms')).rejects.toMatchObject({ kind });
    expect(await cloud.get(place)).toMatchObject({ state: 'stopped', instance_type: 'Standard_B2ms' });
    await resize(place, 'Standard_B2s');
  });

  it('is reported by the operation of Google, and the previous size runs again', async () => {
    const gcp = await fakeGcp({ ...settings(), project: 'p' });
    fake = gcp;
    cloud = new GcpCloud(
      { key: gcp.key, baseUrl: fake.http.url, tokenUrl: `${fake.http.url}/token` },
      { random: seededRandom(39), clock },
    );
    const place = await created('europe-west3', 'e2-small');
    gcp.operationMs = 5 * SECOND_MS;
    gcp.nextFailure = { code: 'ZONE_RESOURCE_POOL_EXHAUSTED', message: 'The zone has not enough resources.' };
    await expect(resize(place, 'e2-medium')).rejects.toMatchObject({ kind: 'capacity' });
    await resize(place, 'e2-small');
  });
});

describe('CPU credits at AWS', () => {
  it('stay at the standard after a resize, because others are charged separately', async () => {
    const ec2 = await fakeEc2({ now: () => clock.at, bootMs: BOOT_MS, accessKeyId: TOKEN });
    fake = ec2;
    cloud = new AwsCloud({ accessKeyId: TOKEN, secretAccessKey: 'secret', baseUrl: fake.http.url });
    const place = await created('eu-central-1', 't3.medium');
    await resize(place, 't3.2xlarge');
    expect(ec2.credits.get(place.id)).toBe('standard');
    expect(ec2.violations).toEqual([]);
  });
});
