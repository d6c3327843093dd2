import { beforeEach, describe, expect, it } from '@jest/globals';
import { iso, MINUTE_MS } from '@moorage/domain';
import { type FixtureActor, fixturesOfSuite, type ProvisionerFixture, USER } from '@moorage/tests/services/provisioner';
import { MemoryPlatformDns } from './memory-platform-dns';
import { type PlatformDns, PlatformDnsError } from './platform-dns';

const NAME = 'shop.apps.example.net';
const { signal } = new AbortController();

/** The zone, with a name server that can be down. */
class Zone implements PlatformDns {
  readonly memory = new MemoryPlatformDns();
  isDown = false;
  list = () => this.unlessDown(() => this.memory.list());
  put = (record: { name: string; address: string }) => this.unlessDown(() => this.memory.put(record));
  remove = (name: string) => this.unlessDown(() => this.memory.remove(name));

  async lines(): Promise<string[]> {
    return (await this.memory.list()).map(
      ({ name, addresses, wildcard }) => `${name} ${addresses.join()} ${wildcard.join()}`,
    );
  }

  private unlessDown<T>(call: () => Promise<T>): Promise<T> {
    return this.isDown ? Promise.reject(new PlatformDnsError('transient', 'no answer')) : call();
  }
}

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
let zone: Zone;

beforeEach(async () => {
  fixture = await openFixture();
  zone = new Zone();
  actor = await fixture.actor({ platformDns: zone });
  // Validation sees what the name server answers.
  fixture.dnsRight = () => isSet;
  isSet = true;
});
let isSet = true;

async function give(id: number, name = NAME): Promise<void> {
  await fixture.database.sql(
    'insert into platform_names (name, account_id, deployment_id, given_at) values ($1, $2, $3, $4)',
    [name, USER, id, iso(fixture.clock.at)],
  );
}

async function ordered(): Promise<number> {
  const id = await fixture.order({ domain: NAME });
  await give(id);
  return id;
}

async function ready(): Promise<number> {
  const id = await ordered();
  await fixture.until(actor, id, 'READY');
  return id;
}

const addressOf = async (id: number): Promise<string> => (await fixture.row(id)).instance_ip ?? '';
const sweep = () => actor.provisioner.platformRecords.run(signal);
const released = async (): Promise<boolean> =>
  (await fixture.database.sql<{ released_at: string | null }>('select released_at from platform_names'))[0]
    ?.released_at != null;
const alerts = () => fixture.database.sql(`select kind from operator_alerts where resolved_at is null`);

describe('records of a platform name', () => {
  it('are set by the run that creates the server, before the software is uploaded', async () => {
    const id = await ready();
    const address = await addressOf(id);
    expect(await zone.lines()).toEqual([`${NAME} ${address} ${address}`]);
    const [run] = await fixture.database.sql<{ steps: string[] }>('select steps from runs where deployment_id = $1', [
      id,
    ]);
    expect(run?.steps.slice(0, 4)).toEqual(['create-server', 'wait-for-ssh', 'set-records', 'preflight']);
  });

  it('are not touched for a typed domain', async () => {
    const id = await fixture.order({ domain: 'example.com' });
    await fixture.until(actor, id, 'READY');
    expect(await zone.lines()).toEqual([]);
    await fixture.request(id, 'delete');
    await fixture.until(actor, id, 'DESTROYED');
  });

  it('are removed before the server, and the name is released', async () => {
    const id = await ready();
    await fixture.request(id, 'delete');
    await fixture.until(actor, id, 'DESTROYED');
    expect([await zone.lines(), await released()]).toEqual([[], true]);
  });

  it('are set by the sweep if the name server was down during the creation', async () => {
    zone.isDown = true;
    isSet = false;
    const id = await ordered();
    await fixture.until(actor, id, 'DNS_VALIDATION');
    expect(await zone.lines()).toEqual([]);
    await sweep();
    expect(await alerts()).toEqual([{ kind: 'platform_dns' }]);
    zone.isDown = false;
    await sweep();
    isSet = true;
    await fixture.until(actor, id, 'READY');
    expect([await zone.lines(), await alerts()]).toEqual([
      [`${NAME} ${await addressOf(id)} ${await addressOf(id)}`],
      [],
    ]);
  });

  it('never fail a running deployment while the name server is down', async () => {
    const id = await ready();
    zone.isDown = true;
    await fixture.request(id, 'restart');
    await fixture.until(actor, id, 'READY');
    await fixture.request(id, 'delete');
    await fixture.until(actor, id, 'DESTROYED');
    expect([await zone.lines(), await released()]).toEqual([[expect.any(String)], false]);
    zone.isDown = false;
    await sweep();
    fixture.clock.at += 10 * MINUTE_MS;
    await sweep();
    expect([await zone.lines(), await released()]).toEqual([[], true]);
  });

  it('are repaired after somebody changed or deleted them', async () => {
    const id = await ready();
    await zone.memory.put({ name: NAME, address: '203.0.113.9' });
    await sweep();
    expect(await zone.lines()).toEqual([`${NAME} ${await addressOf(id)} ${await addressOf(id)}`]);
    await zone.memory.remove(NAME);
    await sweep();
    expect(await zone.lines()).toEqual([`${NAME} ${await addressOf(id)} ${await addressOf(id)}`]);
  });

  it('with our mark that belong to nothing are removed at a second look, ten minutes later', async () => {
    await zone.memory.put({ name: 'left.apps.example.net', address: '203.0.113.9' });
    await sweep();
    fixture.clock.at += 9 * MINUTE_MS;
    await sweep();
    expect(await zone.lines()).toHaveLength(1);
    fixture.clock.at += MINUTE_MS;
    await sweep();
    expect(await zone.lines()).toEqual([]);
  });

  it('go after the deployment runs under another domain, and not before', async () => {
    const id = await ready();
    await fixture.database.sql(`update deployments set status = 'DNS_FAILED' where id = $1`, [id]);
    await fixture.changeDomain(id, 'own.example.com');
    await sweep();
    fixture.clock.at += 10 * MINUTE_MS;
    await sweep();
    expect(await zone.lines()).toHaveLength(1);
    await fixture.until(actor, id, 'READY');
    await sweep();
    fixture.clock.at += 10 * MINUTE_MS;
    await sweep();
    expect([await zone.lines(), await released()]).toEqual([[], true]);
  });

  it('follow a move to the new server, and return if that is removed', async () => {
    const source = await ready();
    const target = await fixture.moveTo(source, { domain: NAME });
    await fixture.until(actor, target, 'READY');
    expect(await zone.lines()).toEqual([`${NAME} ${await addressOf(target)} ${await addressOf(target)}`]);
    await fixture.request(target, 'delete');
    await fixture.until(actor, target, 'DESTROYED');
    expect(await zone.lines()).toEqual([`${NAME} ${await addressOf(source)} ${await addressOf(source)}`]);
    expect(await released()).toBe(false);
  });

  it('stay with the new server when the old one of a move is removed', async () => {
    const source = await ready();
    const target = await fixture.moveTo(source, { domain: NAME });
    await fixture.until(actor, target, 'READY');
    await fixture.request(source, 'delete');
    await fixture.until(actor, source, 'DESTROYED');
    expect(await zone.lines()).toEqual([`${NAME} ${await addressOf(target)} ${await addressOf(target)}`]);
  });
});
