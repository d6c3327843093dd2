import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { billedApartHourly, HOUR_MS } from '@moorage/domain';
import { seededRandom } from '@moorage/server';
import { cloudSuite } from '@moorage/tests/suites/cloud.suite';
import { fakeGcp, type FakeGcp, GCP_FAILURES } from '@moorage/tests/fakes/clouds/fake-gcp';
import { PLAIN_FAULTS } from '@moorage/tests/fakes/clouds/fake-http';
import { fixtureClock } from '@moorage/tests/services/provisioner/fixture-clock';
import { GcpCloud } from './gcp.cloud';

const BOOT_MS = 20_000;
const PAGE = 3;
const clock = fixtureClock();
/** A clock that advances by the time waited for. */
const waiting = { ...clock, sleep: (ms: number) => Promise.resolve(void (clock.at += ms)) };
let fake: FakeGcp;
let cloud: GcpCloud;

const open = (key: string): GcpCloud =>
  new GcpCloud(
    { key, baseUrl: fake.http.url, tokenUrl: `${fake.http.url}/token` },
    { random: seededRandom(39), clock: waiting },
  );

beforeEach(async () => {
  fake = await fakeGcp({ now: () => clock.at, bootMs: BOOT_MS, project: 'moorage-test', page: PAGE });
  cloud = open(fake.key);
});
afterEach(() => fake.http.close());

cloudSuite('gcp', { faults: PLAIN_FAULTS, repeated: 'same_server', page: PAGE, larger: 'e2-medium' }, () =>
  Promise.resolve({
    cloud,
    region: 'europe-north1',
    instance_type: 'e2-small',
    ripen: () => Promise.resolve(void (clock.at += BOOT_MS)),
    fault: (call, fault, times) => Promise.resolve(fake.fleet.plant(call, fault, times)),
  }),
);

const labels = { 'managed-by': 'moorage', installation: 'i', deployment: 'a' } as const;
const spec = {
  name: 'moorage-a',
  region: 'europe-west3',
  instance_type: 'e2-small',
  user_data: '#cloud-config\n{}',
  labels,
};

describe('Google Cloud', () => {
  it('creates a server in the next zone when the first is full', async () => {
    fake.soldOut.add('europe-west3-a');
    expect(await cloud.create(spec, 'a-1')).toMatchObject({ id: 'europe-west3-b/moorage-a', region: 'europe-west3' });
    expect(await cloud.find(labels, 'europe-west3')).toHaveLength(1);
  });

  it('creates a server in the next zone when the first does not have its size', async () => {
    fake.soldOut.add('europe-west3-a e2-small');
    expect(await cloud.create(spec, 'a-1')).toMatchObject({ id: 'europe-west3-b/moorage-a' });
  });

  it('finds the server in another zone when requested again, whichever zone has capacity', async () => {
    fake.soldOut.add('europe-west3-a');
    await cloud.create(spec, 'a-1');
    fake.soldOut.clear();
    expect(await cloud.create(spec, 'a-1')).toMatchObject({ id: 'europe-west3-b/moorage-a' });
    expect(fake.fleet.living()).toHaveLength(1);
  });

  it('does not adopt a server of the same name that another installation created', async () => {
    await cloud.create({ ...spec, labels: { ...labels, installation: 'another' } }, 'a-1');
    await expect(cloud.create(spec, 'a-1')).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('is sold out when every zone is full', async () => {
    fake.soldOut.add('europe-west3-a').add('europe-west3-b');
    await expect(cloud.create(spec, 'a-1')).rejects.toMatchObject({ kind: 'capacity' });
    expect(await cloud.find(labels, 'europe-west3')).toEqual([]);
  });

  const failures = [
    [GCP_FAILURES.quota, 'quota'],
    [GCP_FAILURES.refused, 'invalid'],
    [GCP_FAILURES.other, 'transient'],
    [{ code: 'RATE_LIMIT_EXCEEDED', message: 'Rate limit exceeded.' }, 'rate_limit'],
    [{ code: 'PERMISSIONS_ERROR', message: 'Required permission.' }, 'permission'],
  ] as const;
  for (const [failure, kind] of failures) {
    it(`reports why an accepted operation failed (${failure.code})`, async () => {
      fake.operationMs = 5_000;
      fake.nextFailure = failure;
      await expect(cloud.create(spec, 'a-1')).rejects.toMatchObject({
        kind,
        message: `${failure.code} ${failure.message}`,
      });
    });
  }

  it('follows a slow operation, and shows the server if it is ready earlier', async () => {
    fake.operationMs = 10_000;
    expect(await cloud.create(spec, 'a-1')).toMatchObject({ id: 'europe-west3-a/moorage-a' });
    fake.operationMs = 10 * 60_000;
    const slow = { ...spec, name: 'moorage-b' };
    expect(await cloud.create(slow, 'b-1')).toMatchObject({ id: 'europe-west3-a/moorage-b' });
  });

  it('rejects a list that omits a zone as incomplete', async () => {
    await cloud.create(spec, 'a-1');
    fake.unreachable.add('europe-north1-a');
    await expect(cloud.list('i')).rejects.toMatchObject({ kind: 'transient' });
    await expect(cloud.find(labels, 'europe-west3')).rejects.toMatchObject({ kind: 'transient' });
  });

  it('does not treat a missing project as a project without this server', async () => {
    const stranger = JSON.stringify({ ...(JSON.parse(fake.key) as object), project_id: 'another' });
    const place = { region: 'europe-west3', id: 'europe-west3-a/moorage-a' };
    await expect(open(stranger).get(place)).rejects.toMatchObject({ kind: 'account' });
  });

  it('uses one firewall for all servers, and creates or repairs it after manual changes', async () => {
    await cloud.create(spec, 'a-1');
    const rules = fake.firewalls.get('moorage');
    expect(rules).toMatchObject({
      sourceRanges: ['0.0.0.0/0'],
      targetTags: ['moorage'],
      allowed: [
        { IPProtocol: 'tcp', ports: ['22', '80', '443', '8120'] },
        { IPProtocol: 'udp', ports: ['443', '21820', '51820'] },
      ],
    });
    fake.firewalls.set('moorage', { ...rules, disabled: true, allowed: [{ IPProtocol: 'tcp', ports: ['22'] }] });
    await cloud.create({ ...spec, name: 'moorage-b' }, 'b-1');
    // Servers run behind it, so it must exist at all times.
    expect(fake.http.requests.filter(({ method, path }) => method === 'DELETE' && path.includes('firewalls'))).toEqual(
      [],
    );
    expect(fake.firewalls.get('moorage')).toEqual(rules);
    fake.firewalls.clear();
    await cloud.create({ ...spec, name: 'moorage-c' }, 'c-1');
    expect(fake.firewalls.get('moorage')).toEqual(rules);
    const before = fake.http.requests.filter(({ path }) => path.includes('/firewalls')).length;
    await cloud.create({ ...spec, name: 'moorage-d' }, 'd-1');
    expect(fake.http.requests.filter(({ path }) => path.includes('/firewalls')).length).toBe(before + 1);
  });

  it('prices a server with disk and address, and offers what is available in any zone', async () => {
    fake.soldOut.add('europe-west3-a e2-small').add('europe-west3-a e2-medium').add('europe-west3-b e2-medium');
    const { regions } = await cloud.catalogue();
    expect(regions.map(({ name, countryCode }) => [name, countryCode])).toEqual([
      ['europe-west3', 'de'],
      ['europe-north1', 'fi'],
    ]);
    expect(regions[0]?.instanceTypes.map(({ name, memoryGb, available }) => [name, memoryGb, available])).toEqual([
      ['e2-micro', 1, true],
      ['e2-small', 2, true],
      ['e2-medium', 4, false],
      ['e2-standard-2', 8, false],
      ['e2-standard-4', 16, false],
    ]);
    expect(regions[0]?.instanceTypes[0]?.hourlyUsd).toBeCloseTo(0.01079 + billedApartHourly('gcp'), 10);
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
    expect(await cloud.projectId()).toBe('111');
  });

  it('does not expose a malformed or rejected key', async () => {
    const canaries = [
      '{"private_key":"canary"}',
      'canary',
      JSON.stringify({ ...(JSON.parse(fake.key) as object), private_key: 'canary' }),
    ];
    for (const key of canaries) {
      const refused = await open(key)
        .projectId()
        .catch((error: unknown) => error);
      expect(refused).toMatchObject({ kind: 'auth', message: expect.not.stringContaining('canary') });
    }
    const stranger = JSON.stringify({ ...(JSON.parse(fake.key) as object), client_email: 'somebody@else' });
    await expect(open(stranger).projectId()).rejects.toMatchObject({
      kind: 'auth',
      message: '401 invalid_client Invalid client secret provided.',
    });
  });

  it('permits login only with the key of the user data', async () => {
    await cloud.create(spec, 'a-1');
    const [createdServer] = fake.fleet.living();
    expect(createdServer?.userData).toBe('#cloud-config\n{}');
    const order = fake.http.requests.find(({ method, path }) => method === 'POST' && path.endsWith('/instances'));
    expect(order?.body).toMatchObject({
      tags: { items: ['moorage'] },
      metadata: {
        items: expect.arrayContaining([
          { key: 'block-project-ssh-keys', value: 'TRUE' },
          { key: 'enable-oslogin', value: 'FALSE' },
        ]),
      },
    });
  });
});
