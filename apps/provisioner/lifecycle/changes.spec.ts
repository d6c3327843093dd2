import { beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE_MS, SECOND_MS } from '@moorage/domain';
import {
  type FixtureActor,
  type ProvisionerFixture,
  fixturesOfSuite,
  expectServers,
  turn,
} from '@moorage/tests/services/provisioner';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor();
});

const runs = async (id: number): Promise<string[]> =>
  (
    await fixture.database.sql<{ plan: string; state: string }>(
      'select plan, state from runs where deployment_id = $1 order by id',
      [id],
    )
  ).map(({ plan, state }) => `${plan} ${state}`);

const secretsOf = (id: number) =>
  fixture.database.sql('select * from secrets where owner = $1 order by name', [`deployment:${id}`]);

/** Returns all files of the stack on its server as text. */
async function stackOf(id: number): Promise<string> {
  const { instance_ip, ref } = await fixture.row(id);
  const files = fixture.hosts.at(instance_ip ?? '')?.files ?? {};
  return Object.entries(files)
    .filter(([path]) => path.startsWith(`/opt/moorage/${ref}/`))
    .map(([, { data = '' }]) => Buffer.from(data, 'base64').toString())
    .join('\n');
}

/** Makes DNS correct only for names below this domain. */
const onlyRight = (domain: string): void => {
  fixture.dnsRight = (host) => host.endsWith(domain);
};

describe('cancellation by the owner', () => {
  it('in CREATING never requests a server', async () => {
    const id = await fixture.order();
    await fixture.cancel(id);
    const gone = await fixture.until(actor, id, 'DESTROYED');
    expect(gone).toMatchObject({ billable_from: null, destroy_reason: 'deleted' });
    expect(gone.deleted_at).not.toBeNull();
    expect(fixture.memory.createdFor(gone.ref)).toBe(0);
  });

  it.each([
    ['before its server has booted', () => fixture.memory.fault('any', 'create', 'never_boots', 1)],
    ['while it is being prepared', () => fixture.hosts.loseAnswer('bootstrap', 1, false)],
    ['while its stack is starting', () => fixture.hosts.loseAnswer('start-stack', 1, true)],
    ['while its software is starting', () => fixture.hosts.loseAnswer('check-health', 1, false)],
  ] as const)(
    'in PROVISIONING, %s: removes everything that was created, and nothing was charged',
    async (_, interrupt) => {
      interrupt();
      const id = await fixture.order();
      await fixture.settle(actor);
      await fixture.settle(actor, SECOND_MS);
      expect((await fixture.row(id)).status).toBe('PROVISIONING');
      await fixture.cancel(id);
      const gone = await fixture.until(actor, id, 'DESTROYED');
      expect(gone).toMatchObject({ server_exists: false, billable_from: null, failure_reason: null });
      expect(gone.deleted_at).not.toBeNull();
      expectServers(fixture, gone.ref, 0);
      expect(await secretsOf(id)).toEqual([]);
      expect(await runs(id)).toEqual(['create cancelled', 'destroy done']);
    },
  );

  it('in DNS_VALIDATION takes effect at once instead of after the next DNS check', async () => {
    fixture.dnsRight = () => false;
    const id = await fixture.order();
    await fixture.until(actor, id, 'DNS_VALIDATION');
    await fixture.settle(actor, 3 * MINUTE_MS);
    const asked_at = fixture.clock.at;
    await fixture.cancel(id);
    await fixture.until(actor, id, 'DESTROYING');
    expect(fixture.clock.at).toBe(asked_at);
    const gone = await fixture.until(actor, id, 'DESTROYED');
    expect(gone.billable_to).toBe(asked_at);
    expectServers(fixture, gone.ref, 0);
    expect(await secretsOf(id)).toEqual([]);
  });

  it('works while the stack gets another domain', async () => {
    fixture.dnsRight = () => false;
    const id = await fixture.order();
    await fixture.until(actor, id, 'DNS_VALIDATION');
    await fixture.changeDomain(id, 'example.org');
    await turn(actor);
    await fixture.cancel(id);
    const gone = await fixture.until(actor, id, 'DESTROYED');
    expectServers(fixture, gone.ref, 0);
  });
});

describe('domain change', () => {
  it('cancels the run of the old domain, rebuilds the stack and validates DNS while DNS is pending', async () => {
    onlyRight('example.org');
    const id = await fixture.order();
    const before = await fixture.until(actor, id, 'DNS_VALIDATION');
    await fixture.settle(actor, MINUTE_MS);
    const secrets = await secretsOf(id);
    expect(await stackOf(id)).toContain('admin.example.com');

    await fixture.changeDomain(id, 'example.org');
    const ready = await fixture.until(actor, id, 'READY');
    expect(await runs(id)).toEqual(['create cancelled', 'change-domain done']);
    expect(await stackOf(id)).toContain('admin.example.org');
    expect(await stackOf(id)).not.toContain('admin.example.com');
    expect(await secretsOf(id)).toEqual(secrets);
    expect(ready).toMatchObject({
      stack_outdated: false,
      admin_subdomain: 'admin',
      billable_from: before.billable_from,
      billable_to: null,
      instance_ip: before.instance_ip,
    });
    const [{ records } = { records: [] }] = await fixture.database.sql<{ records: { host: string }[] }>(
      'select records from dns_checks where deployment_id = $1',
      [id],
    );
    expect(records.map(({ host }) => host)).toContain('admin.example.org');
    expect(fixture.memory.createdFor(ready.ref)).toBe(1);
  });

  it('keeps the router down until DNS points to the server', async () => {
    fixture.authority = 'no';
    const id = await fixture.order();
    await fixture.until(actor, id, 'DNS_FAILED');
    const { instance_ip: address } = await fixture.row(id);
    expect(fixture.hosts.routerIsUp(address ?? '')).toBe(true);
    fixture.dnsRight = () => false;
    await fixture.changeDomain(id, 'example.org');
    while (!(await fixture.steps(id)).slice(-1).includes('validate-dns waiting'))
      await fixture.settle(actor, SECOND_MS);
    expect(fixture.hosts.routerIsUp(address ?? '')).toBe(false);
    fixture.authority = null;
    onlyRight('example.org');
    await fixture.until(actor, id, 'READY');
    expect(fixture.hosts.routerIsUp(address ?? '')).toBe(true);
  });

  it('validates at once after DNS has failed', async () => {
    onlyRight('example.org');
    const id = await fixture.order();
    await fixture.until(actor, id, 'DNS_FAILED');
    await fixture.changeDomain(id, 'example.org');
    const ready = await fixture.until(actor, id, 'READY');
    expect(ready.failure_reason).toBeNull();
    expect(await runs(id)).toEqual(['create failed', 'change-domain done']);
  });

  it('discards resolver answers for the previous domain that arrive afterwards', async () => {
    const id = await fixture.order();
    fixture.duringDnsQuery = async () => {
      fixture.duringDnsQuery = () => Promise.resolve();
      await fixture.changeDomain(id, 'example.org');
      fixture.dnsRight = () => false;
    };
    fixture.dnsRight = () => true;
    await fixture.until(actor, id, 'DNS_VALIDATION');
    while (!(await runs(id)).includes('change-domain running')) expect(await turn(actor)).toBe(true);
    expect(await fixture.database.sql('select * from dns_checks')).toEqual([]);
    expect((await fixture.row(id)).status).toBe('DNS_VALIDATION');
    onlyRight('example.org');
    await fixture.until(actor, id, 'READY');
    expect(await stackOf(id)).toContain('admin.example.org');
  });

  it('replaces an unfinished first change with a second one', async () => {
    fixture.dnsRight = () => false;
    const id = await fixture.order();
    await fixture.until(actor, id, 'DNS_VALIDATION');
    await fixture.changeDomain(id, 'example.org');
    await fixture.settle(actor, 2 * MINUTE_MS);
    expect((await runs(id)).at(-1)).toBe('change-domain running');
    await fixture.changeDomain(id, 'example.net');
    onlyRight('example.net');
    await fixture.until(actor, id, 'READY');
    expect(await runs(id)).toEqual(['create cancelled', 'change-domain cancelled', 'change-domain done']);
    expect(await stackOf(id)).toContain('admin.example.net');
  });

  it.each([
    ['its owner retries', (id: number) => fixture.request(id, 'retry_dns')],
    ['the platform checks again automatically', () => Promise.resolve()],
  ] as const)('that could not be sent to the server is sent when %s', async (_, act) => {
    fixture.dnsRight = () => false;
    const id = await fixture.order();
    const { instance_ip: address } = await fixture.until(actor, id, 'DNS_VALIDATION');
    fixture.hosts.switchOff(address ?? '', true);
    await fixture.changeDomain(id, 'example.org');
    expect(await fixture.until(actor, id, 'DNS_FAILED')).toMatchObject({ stack_outdated: true });
    fixture.hosts.switchOff(address ?? '', false);
    onlyRight('example.org');
    await act(id);
    await fixture.until(actor, id, 'READY');
    expect(await runs(id)).toEqual(['create cancelled', 'change-domain failed', 'change-domain done']);
    expect(await stackOf(id)).toContain('admin.example.org');
  });

  it('needs no event because the sweep finds it by its row', async () => {
    fixture.dnsRight = () => false;
    const id = await fixture.order();
    await fixture.until(actor, id, 'DNS_FAILED');
    await fixture.changeDomain(id, 'example.org');
    await fixture.database.sql('delete from outbox');
    onlyRight('example.org');
    await actor.provisioner.recovery.run();
    await fixture.until(actor, id, 'READY');
    expect(await stackOf(id)).toContain('admin.example.org');
  });

  it('keeps the network kind of the server across any number of runs', async () => {
    fixture.dnsRight = () => false;
    const id = await fixture.order();
    await fixture.until(actor, id, 'DNS_FAILED');
    await fixture.database.sql(`update runs set memory = memory || '{"ipv6": true}' where plan = 'create'`);
    await fixture.database.sql(
      `insert into runs (deployment_id, plan, steps, state, memory, started_at, finished_at)
       select $1, 'validate-dns', array['validate-dns'], 'failed', '{}', now(), now() from generate_series(1, 30)`,
      [id],
    );
    await fixture.changeDomain(id, 'example.org');
    await fixture.until(actor, id, 'DNS_FAILED');
    const [run] = await fixture.database.sql(`select memory ->> 'ipv6' as ipv6 from runs where plan = 'change-domain'`);
    expect(run).toEqual({ ipv6: 'true' });
  });
});
