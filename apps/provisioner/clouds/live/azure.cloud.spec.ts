import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { billedApartHourly, HOUR_MS } from '@moorage/domain';
import { seededRandom } from '@moorage/server';
import { cloudSuite } from '@moorage/tests/suites/cloud.suite';
import { azureRefusal, fakeAzure, type FakeAzure } from '@moorage/tests/fakes/clouds/fake-azure';
import { PLAIN_FAULTS } from '@moorage/tests/fakes/clouds/fake-http';
import { fixtureClock } from '@moorage/tests/services/provisioner/fixture-clock';
import { AzureCloud } from './azure.cloud';

const SECRET = 'azure-canary-secret';
const SUBSCRIPTION = '5c9f8d2e-0000-4000-8000-3f1f5b7e9a01';
const BOOT_MS = 20_000;
const PAGE = 3;
const clock = fixtureClock();
/** A clock that advances by the time waited for. */
const waiting = { ...clock, sleep: (ms: number) => Promise.resolve(void (clock.at += ms)) };
let fake: FakeAzure;
let cloud: AzureCloud;

const open = (clientSecret: string): AzureCloud =>
  new AzureCloud(
    {
      tenantId: 'tenant',
      clientId: 'client',
      clientSecret,
      subscriptionId: SUBSCRIPTION,
      baseUrl: fake.http.url,
      tokenUrl: `${fake.http.url}/token`,
      pricesBaseUrl: fake.http.url,
    },
    { random: seededRandom(39), clock: waiting },
  );

beforeEach(async () => {
  fake = await fakeAzure({
    now: () => clock.at,
    bootMs: BOOT_MS,
    subscription: SUBSCRIPTION,
    clientSecret: SECRET,
    page: PAGE,
  });
  cloud = open(SECRET);
});
afterEach(() => fake.http.close());

cloudSuite(
  'azure',
  {
    faults: [...PLAIN_FAULTS, 'fails_capacity', 'fails_quota', 'fails_refused', 'fails_other'],
    repeated: 'same_server',
    page: PAGE,
    larger: 'Standard_B2ms',
  },
  () =>
    Promise.resolve({
      cloud,
      region: 'westeurope',
      instance_type: 'Standard_B2s',
      ripen: () => Promise.resolve(void (clock.at += BOOT_MS)),
      fault: (call, fault, times) => Promise.resolve(fake.fleet.plant(call, fault, times)),
    }),
);

const labels = { 'managed-by': 'moorage', installation: 'i', deployment: 'a' } as const;
const spec = {
  name: 'moorage-a',
  region: 'westeurope',
  instance_type: 'Standard_B2s',
  user_data: '#cloud-config\n{}',
  labels,
};
const server = { region: 'westeurope', id: 'moorage-a' };
const group = { region: 'westeurope', id: 'rg-moorage-a' };
const UNAVAILABLE = azureRefusal(503, 'ServiceUnavailable', 'The service is temporarily unavailable.');

describe('Azure', () => {
  const steps = [
    'group',
    'networkSecurityGroups',
    'virtualNetworks',
    'publicIPAddresses',
    'networkInterfaces',
    'virtualMachines',
  ];
  for (const step of steps) {
    for (const isDone of [false, true]) {
      it(`continues a create interrupted at ${step}, which was ${isDone ? '' : 'not '}done`, async () => {
        fake.breaks.set(step, { answer: UNAVAILABLE, isDone });
        await expect(cloud.create(spec, 'a-1')).rejects.toMatchObject({ kind: 'transient' });
        const left = await cloud.find(labels, 'westeurope');
        const isCreated = step === 'virtualMachines' && isDone;
        if (step === 'group' && !isDone) expect(left).toEqual([]);
        else if (isCreated) expect(left).toMatchObject([{ id: 'moorage-a', state: 'booting' }]);
        else expect(left).toMatchObject([{ id: 'rg-moorage-a', state: 'booting', unfinished: true }]);
        expect(await cloud.get(server)).toEqual(isCreated ? left[0] : null);
        expect(await cloud.list('i')).toEqual(left);
        expect(await cloud.create(spec, 'a-1')).toMatchObject({ id: 'moorage-a', state: 'booting' });
        expect(await cloud.find(labels, 'westeurope')).toHaveLength(1);
        expect([fake.groups.size, fake.fleet.living().length]).toEqual([1, 1]);
      });
    }
  }

  it('removes the remains of an interrupted create', async () => {
    fake.breaks.set('networkInterfaces', { answer: UNAVAILABLE, isDone: true });
    await cloud.create(spec, 'a-1').catch(() => undefined);
    await cloud.delete(group);
    expect(await cloud.find(labels, 'westeurope')).toEqual([]);
    expect(fake.groups.size).toBe(0);
  });

  it('does not remove a server added to the group after it was shown as unfinished', async () => {
    await cloud.create(spec, 'a-1');
    await cloud.delete(group);
    expect(await cloud.get(server)).not.toBeNull();
  });

  const refusals = [
    ['SkuNotAvailable', 409, 'The requested size is currently not available.', 'capacity'],
    ['OperationNotAllowed', 409, 'results in exceeding approved Total Regional Cores quota.', 'quota'],
    ['RequestDisallowedByPolicy', 403, 'The resource was disallowed by policy.', 'permission'],
    ['InvalidParameter', 400, 'The requested VM size is invalid.', 'invalid'],
  ] as const;
  for (const [code, status, message, kind] of refusals) {
    it(`leaves nothing behind when the server is rejected after its network was created (${code})`, async () => {
      fake.breaks.set('virtualMachines', { answer: azureRefusal(status, code, message), isDone: false });
      await expect(cloud.create(spec, 'a-1')).rejects.toMatchObject({ kind, message: `${status} ${code} ${message}` });
      expect(await cloud.find(labels, 'westeurope')).toEqual([]);
    });
  }

  it('does not touch a group of the same name that another installation created', async () => {
    const theirs = { ...labels, installation: 'another' };
    await cloud.create({ ...spec, labels: theirs }, 'a-1');
    await expect(cloud.create(spec, 'a-1')).rejects.toMatchObject({ kind: 'conflict' });
    expect(await cloud.find(theirs, 'westeurope')).toHaveLength(1);
  });

  it('waits for a part that is not visible everywhere in Azure yet', async () => {
    const lagging = azureRefusal(404, 'ResourceGroupNotFound', 'Resource group could not be found.');
    fake.breaks.set('networkSecurityGroups', { answer: lagging, isDone: false });
    await expect(cloud.create(spec, 'a-1')).rejects.toMatchObject({ kind: 'transient' });
    expect(await cloud.create(spec, 'a-1')).toMatchObject({ id: 'moorage-a' });
  });

  it('waits for each part of the network', async () => {
    fake.partMs = 5_000;
    expect(await cloud.create(spec, 'a-1')).toMatchObject({ id: 'moorage-a' });
  });

  it('stops waiting for a part of the network that never gets ready, and resumes there the next time', async () => {
    fake.partMs = 90_000;
    await expect(cloud.create(spec, 'a-1')).rejects.toMatchObject({ kind: 'transient' });
    clock.at += 90_000;
    fake.partMs = 0;
    expect(await cloud.create(spec, 'a-1')).toMatchObject({ id: 'moorage-a' });
  });

  it('shows a server as stopping until its group is gone, and creates none of its name meanwhile', async () => {
    fake.removalMs = 120_000;
    await cloud.create(spec, 'a-1');
    await cloud.delete(server);
    await cloud.delete(server);
    const going = { id: 'moorage-a', state: 'stopping' };
    expect(await cloud.get(server)).toMatchObject(going);
    expect(await cloud.find(labels, 'westeurope')).toMatchObject([going]);
    expect(await cloud.list('i')).toMatchObject([going]);
    await expect(cloud.create(spec, 'a-1')).rejects.toMatchObject({ kind: 'conflict' });
    clock.at += 120_000;
    expect(await cloud.get(server)).toBeNull();
    expect(await cloud.list('i')).toEqual([]);
  });

  it('shows a server deleted manually out of its group as absent, and the group as a leftover', async () => {
    await cloud.create(spec, 'a-1');
    const [createdServer] = fake.fleet.living();
    await fake.fleet.remove(createdServer?.id ?? '', null);
    expect(await cloud.get(server)).toBeNull();
    expect(await cloud.list('i')).toMatchObject([{ id: 'rg-moorage-a', unfinished: true }]);
  });

  it('does not treat a missing subscription as a subscription without servers', async () => {
    fake.fleet.plant('get', 'forbidden', 1);
    await expect(cloud.get(server)).rejects.toMatchObject({ kind: 'permission' });
    const elsewhere = await fakeAzure({
      now: () => clock.at,
      bootMs: BOOT_MS,
      subscription: 'another',
      clientSecret: SECRET,
    });
    const lost = new AzureCloud(
      {
        tenantId: 't',
        clientId: 'c',
        clientSecret: SECRET,
        subscriptionId: SUBSCRIPTION,
        baseUrl: elsewhere.http.url,
        tokenUrl: `${elsewhere.http.url}/token`,
      },
      { random: seededRandom(1), clock: waiting },
    );
    // A 404 without Azure's error code for an absent resource.
    await expect(lost.get(server)).rejects.toMatchObject({ kind: 'invalid' });
    await elsewhere.http.close();
  });

  it('requests one token, and another shortly before it expires or once it is rejected', async () => {
    await cloud.projectId();
    await cloud.projectId();
    expect(fake.tokens.count).toBe(1);
    clock.at += HOUR_MS - 60_000;
    await cloud.projectId();
    expect(fake.tokens.count).toBe(2);
    fake.tokens.revoke();
    await expect(cloud.projectId()).rejects.toMatchObject({ kind: 'auth' });
    expect(await cloud.projectId()).toBe(SUBSCRIPTION);
    expect(fake.tokens.count).toBe(3);
  });

  it('does not expose its secret when rejected', async () => {
    const refused = await open('another-canary')
      .projectId()
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({
      kind: 'auth',
      message: '401 invalid_client Invalid client secret provided.',
    });
  });

  it('prices a server with disk and address by the on-demand Linux meter, and marks sold-out sizes', async () => {
    fake.soldOut.add('westeurope Standard_B2ms');
    const { regions } = await cloud.catalogue();
    expect(regions.map(({ name, displayName, countryCode }) => [name, displayName, countryCode])).toEqual([
      ['westeurope', 'West Europe (Netherlands)', 'nl'],
      ['northeurope', 'North Europe (Ireland)', 'ie'],
    ]);
    expect(
      regions[0]?.instanceTypes.map(({ name, cpu, memoryGb, available }) => [name, cpu, memoryGb, available]),
    ).toEqual([
      ['Standard_B2s', 2, 4, true],
      ['Standard_B2ms', 2, 8, false],
      ['Standard_B4ms', 4, 16, true],
    ]);
    expect(regions[0]?.instanceTypes[0]?.hourlyUsd).toBeCloseTo(0.048 + billedApartHourly('azure'), 10);
  });

  it('opens its ports to everyone and permits login only with the key of the user data', async () => {
    await cloud.create(spec, 'a-1');
    const [createdServer] = fake.fleet.living();
    expect(createdServer?.userData).toBe('#cloud-config\n{}');
    const bodies = new Map(
      fake.http.requests.map(({ method, path, body }) => [`${method} ${path.split('?')[0]?.split('/').at(-1)}`, body]),
    );
    expect(bodies.get('PUT nsg')).toMatchObject({
      properties: {
        securityRules: [
          { properties: { protocol: 'Tcp', destinationPortRanges: ['22', '80', '443', '8120'], access: 'Allow' } },
          { properties: { protocol: 'Udp', destinationPortRanges: ['443', '21820', '51820'], access: 'Allow' } },
        ],
      },
    });
    expect(bodies.get('PUT moorage-a')).toMatchObject({
      properties: {
        osProfile: {
          linuxConfiguration: {
            disablePasswordAuthentication: true,
            ssh: { publicKeys: [{ keyData: expect.stringMatching(/^ssh-ed25519 /) }] },
          },
        },
      },
    });
  });
});
