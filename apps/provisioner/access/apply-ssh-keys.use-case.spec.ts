import { beforeEach, describe, expect, it } from '@jest/globals';
import { SSH_PRIVATE_KEY, SSH_PUBLIC_KEY, userSecrets } from '@moorage/contracts';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, STEP_MESSAGES } from '@moorage/domain';
import { sshKeyPair, systemRandom } from '@moorage/server';
import { AUTHORIZED_KEYS } from '../clouds/sandbox/host-state';
import {
  crashPoints,
  type FixtureActor,
  fixturesOfSuite,
  type ProvisionerFixture,
  USER,
} from '@moorage/tests/services/provisioner';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor();
});

const keyOf = (comment: string): string => `${sshKeyPair(systemRandom()).publicKey} ${comment}`;
const [laptop, phone] = [keyOf('ada@laptop'), keyOf('ada@phone')];

interface State {
  readonly applied_at: Instant | null;
  readonly failures: number;
  readonly retry_at: Instant | null;
  readonly failure_reason: string | null;
}
const stateOf = async (id: number): Promise<State | undefined> =>
  (await fixture.database.sql<State>('select * from deployment_ssh_key_states where deployment_id = $1', [id]))[0];
const reported = async (): Promise<(string | null)[]> =>
  (
    await fixture.database.sql<{ reason: string | null }>(
      `select data -> 'failure' ->> 'detail' as reason from outbox where event_name = 'deployment.ssh_keys_applied'
       order by sequence`,
    )
  ).map(({ reason }) => reason);

async function fileOf(id: number): Promise<string> {
  const machine = fixture.hosts.at((await fixture.row(id)).instance_ip ?? '');
  return Buffer.from(machine?.files[AUTHORIZED_KEYS]?.data ?? '', 'base64').toString();
}
/** Returns the customer's keys on the server, which are between the two marks. */
async function keysOf(id: number): Promise<string[]> {
  const lines = (await fileOf(id)).split('\n');
  const { ref } = await fixture.row(id);
  const begin = lines.indexOf(`# moorage ${ref} customer keys`);
  return begin === -1 ? [] : lines.slice(begin + 1, lines.indexOf(`# moorage ${ref} end of customer keys`));
}
async function ready(): Promise<number> {
  const id = await fixture.order();
  await fixture.until(actor, id, 'READY');
  return id;
}

describe('SSH keys of a running deployment', () => {
  it('are added and removed on its server, which keeps our own access', async () => {
    const id = await ready();
    const ours = await fileOf(id);
    await fixture.setKeys(id, [laptop, phone]);
    await fixture.settle(actor);
    expect(await keysOf(id)).toEqual([laptop, phone]);
    await fixture.setKeys(id, [phone]);
    await fixture.settle(actor);
    expect(await keysOf(id)).toEqual([phone]);
    expect(await stateOf(id)).toMatchObject({ applied_at: fixture.clock.at, failures: 0, failure_reason: null });
    await fixture.setKeys(id, []);
    await fixture.settle(actor);
    expect(await fileOf(id)).toBe(ours);
    expect(await reported()).toEqual([null, null, null]);
  });

  it('are applied while DNS records are awaited', async () => {
    fixture.dnsRight = () => false;
    const id = await fixture.order();
    await fixture.until(actor, id, 'DNS_VALIDATION');
    await fixture.setKeys(id, [laptop]);
    await fixture.settle(actor);
    expect(await keysOf(id)).toEqual([laptop]);
    expect((await fixture.row(id)).status).toBe('DNS_VALIDATION');
    fixture.dnsRight = () => true;
    await fixture.until(actor, id, 'READY');
  });

  it('wait for a restart of the server', async () => {
    const id = await ready();
    await fixture.setKeys(id, [laptop]);
    await fixture.request(id, 'restart');
    await fixture.until(actor, id, 'READY');
    await fixture.settle(actor);
    expect(await keysOf(id)).toEqual([laptop]);
    expect((await stateOf(id))?.failures).toBe(0);
  });

  it('of two changes in a row are those of the last one', async () => {
    const id = await ready();
    await fixture.setKeys(id, [laptop]);
    const other = await fixture.actor({ points: crashPoints() });
    await fixture.setKeys(id, [phone]);
    await Promise.all([fixture.settle(actor), fixture.settle(other)]);
    expect(await keysOf(id)).toEqual([phone]);
    expect((await stateOf(id))?.applied_at).not.toBeNull();
  });

  it('that a silent server does not receive are tried again, and reported with the reason', async () => {
    const id = await ready();
    const address = (await fixture.row(id)).instance_ip ?? '';
    fixture.hosts.switchOff(address, true);
    await fixture.setKeys(id, [laptop]);
    await fixture.settle(actor);
    const { detail } = STEP_MESSAGES.ssh_unreachable;
    const retryAt = fixture.clock.at + MINUTE_MS;
    expect(await stateOf(id)).toMatchObject({
      applied_at: null,
      failures: 1,
      retry_at: retryAt,
      failure_reason: detail,
    });
    fixture.hosts.switchOff(address, false);
    await fixture.settle(actor, MINUTE_MS);
    expect(await keysOf(id)).toEqual([laptop]);
    expect(await stateOf(id)).toMatchObject({ failures: 0, retry_at: null, failure_reason: null });
    expect(await reported()).toEqual([detail, null]);
  });

  it('are given up after a day, until the next change or restart', async () => {
    const id = await ready();
    fixture.hosts.loseAnswer('authorise-keys', 99, false);
    await fixture.setKeys(id, [laptop]);
    await fixture.settle(actor, DAY_MS);
    expect(await stateOf(id)).toMatchObject({ applied_at: null, failures: 8, retry_at: null });
    fixture.hosts.loseAnswer('authorise-keys', 0, false);
    await fixture.settle(actor, DAY_MS);
    expect(await keysOf(id)).toEqual([]);
    await fixture.request(id, 'restart');
    await fixture.until(actor, id, 'READY');
    await fixture.settle(actor, HOUR_MS);
    expect(await keysOf(id)).toEqual([laptop]);
  });

  it('are not applied to a server that is being removed', async () => {
    const id = await ready();
    const address = (await fixture.row(id)).instance_ip ?? '';
    await fixture.setKeys(id, [laptop]);
    await fixture.request(id, 'delete');
    await fixture.until(actor, id, 'DESTROYED');
    await fixture.settle(actor, DAY_MS);
    expect([await reported(), fixture.hosts.at(address)]).toEqual([[], null]);
  });

  it('are applied by another process after a crash at any point', async () => {
    const id = await ready();
    const died = new Set<string>();
    for (let before = -1; died.size > before;) {
      before = died.size;
      const wanted = [laptop, phone].slice(died.size % 2);
      await fixture.setKeys(id, wanted);
      const one = await fixture.actor({
        points: crashPoints((name) => died.size === before && !died.has(name) && died.add(name).has(name)),
      });
      await fixture.settle(one).catch((error: unknown) => {
        if (!one.points.dead) throw error;
      });
      await one.db.close();
      await fixture.settle(actor, HOUR_MS);
      expect(await keysOf(id)).toEqual(wanted);
    }
    expect(died.size).toBeGreaterThan(3);
  });
});

describe("SSH keys on a user's own server", () => {
  it('are removed with the deployment, and foreign keys stay', async () => {
    const address = '8.8.4.4';
    const [ours, host] = [sshKeyPair(systemRandom()), sshKeyPair(systemRandom())];
    const foreign = `${laptop} by hand`;
    const machine = fixture.hosts.addOwn(address, { hostKey: host.privateKey, authorized: [ours.publicKey, foreign] });
    const there = (): string => Buffer.from(machine.files[AUTHORIZED_KEYS]?.data ?? '', 'base64').toString();
    await fixture.owner.tx('keys', async (tx) => {
      await actor.secrets.put(tx, userSecrets(USER), SSH_PRIVATE_KEY, ours.privateKey);
      await actor.secrets.put(tx, userSecrets(USER), SSH_PUBLIC_KEY, ours.publicKey);
    });
    await fixture.requestCheck(address);
    await fixture.settle(actor);
    const id = await fixture.order({ server_type: 'vps', address });
    await fixture.until(actor, id, 'READY');
    await fixture.setKeys(id, [laptop, phone]);
    await fixture.settle(actor);
    expect(there()).toContain(`${laptop}\n${phone}\n`);
    await fixture.request(id, 'delete');
    await fixture.until(actor, id, 'DESTROYED');
    expect(there().trim()).toBe(foreign);
  });
});
