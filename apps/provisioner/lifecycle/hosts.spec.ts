import { beforeEach, describe, expect, it } from '@jest/globals';
import { sshKeyPair, systemRandom } from '@moorage/server';
import { HOUR_MS, MINUTE_MS, SECOND_MS, STEP_MESSAGES } from '@moorage/domain';
import { AUTHORIZED_KEYS, type HostState } from '../clouds/sandbox/host-state';
import type { HostScriptName } from '../ssh/host-scripts';
import type { Ssh } from '../ssh/types';
import { INTERVALS, LIVE_TIMEOUTS } from '../runs/step-timeouts';
import {
  type FixtureActor,
  type ProvisionerFixture,
  fixturesOfSuite,
  crashPoints,
  expectServers,
  START,
  turn,
} from '@moorage/tests/services/provisioner';

/**
 * Servers with scripts that continue in the background, reboots or full disks, and the times at which users may log in.
 */
const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
beforeEach(async () => {
  fixture = await openFixture();
});

/** Kills the process while this script runs. The script continues for the given time. */
async function killedIn(name: HostScriptName, ms: number): Promise<FixtureActor> {
  const points = crashPoints();
  fixture.hosts.outlive(name, { ms, dies: () => (points.dead = true) });
  return fixture.actor({ points });
}

async function untilKilled(actor: FixtureActor, id: number): Promise<void> {
  await fixture.until(actor, id, 'READY', 'FAILED').catch((error: unknown) => {
    if (!actor.points.dead) throw error;
  });
  expect(actor.points.dead).toBe(true);
}

const messages = async (id: number, step: string): Promise<string[]> =>
  (
    await fixture.database.sql<{ line: string }>(
      `select outcome || ': ' || coalesce(message, '') as line from deployment_steps where deployment_id = $1 and step = $2 order by id`,
      [id, step],
    )
  ).map(({ line }) => line);

const machineOf = (address: string | null): HostState => {
  const machine = fixture.hosts.at(address ?? '');
  if (machine === null) throw new Error('no machine there');
  return machine;
};

describe('script that continues after its worker was killed', () => {
  it.each<[HostScriptName, string]>([
    ['start-stack', 'start-stack'],
    ['bootstrap', 'bootstrap'],
    ['start-router', 'issue-certificate'],
  ])('%s: is awaited by the next worker, which uses its result, and nothing fails (M8)', async (script, step) => {
    const id = await fixture.order();
    await untilKilled(await killedIn(script, 6 * MINUTE_MS), id);
    const killed_at = fixture.clock.at;
    const ready = await fixture.until(await fixture.actor(), id, 'READY');
    expect(fixture.clock.at - killed_at).toBeGreaterThanOrEqual(6 * MINUTE_MS);
    expect(fixture.clock.at - killed_at).toBeLessThan(7 * MINUTE_MS);
    const texts = await messages(id, step);
    expect(texts).toContain(`waiting: ${STEP_MESSAGES.script_busy.detail}`);
    expect(texts.filter((line) => /^(retrying|failed)/.test(line))).toEqual([]);
    expectServers(fixture, ready.ref, 1);
    expect(fixture.memory.createdFor(ready.ref)).toBe(1);
  });

  it('ends at the deadline of its step rather than after six attempts if it never ends (M8)', async () => {
    const id = await fixture.order();
    await untilKilled(await killedIn('start-stack', 60 * MINUTE_MS), id);
    const killed_at = fixture.clock.at;
    const failed = await fixture.until(await fixture.actor(), id, 'FAILED');
    expect(failed.failure_reason).toContain(STEP_MESSAGES.start_stack.detail);
    expect(fixture.clock.at - killed_at).toBeGreaterThanOrEqual(19 * MINUTE_MS);
    expect(fixture.clock.at - killed_at).toBeLessThanOrEqual(20 * MINUTE_MS);
  });

  it.each<HostScriptName>(['start-stack', 'bootstrap'])(
    '%s: is ended by a reboot and run again (F15)',
    async (script) => {
      const id = await fixture.order();
      await untilKilled(await killedIn(script, 6 * MINUTE_MS), id);
      const [server] = fixture.memory.living();
      fixture.hosts.reboot(server?.address ?? '');
      const rebooted_at = fixture.clock.at;
      await fixture.until(await fixture.actor(), id, 'READY');
      expect(fixture.clock.at - rebooted_at).toBeLessThan(2 * MINUTE_MS);
    },
  );

  it('is awaited by a removal too (M8)', async () => {
    const id = await fixture.order();
    await untilKilled(await killedIn('start-stack', 6 * MINUTE_MS), id);
    await fixture.deplete(id);
    const gone = await fixture.until(await fixture.actor(), id, 'DESTROYED');
    expectServers(fixture, gone.ref, 0);
  });
});

describe('server with a full disk', () => {
  it('fails a create at once with that reason', async () => {
    const actor = await fixture.actor();
    const id = await fixture.order();
    while (!(await fixture.steps(id)).includes('bootstrap started'))
      if (!(await turn(actor))) fixture.clock.at += SECOND_MS;
    fixture.hosts.fill(fixture.memory.living()[0]?.address ?? '', true);
    const failed = await fixture.until(actor, id, 'FAILED');
    expect(failed.failure_reason).toMatch(/disk/);
    expect(failed.billable_from).toBeNull();
    await fixture.settle(actor, MINUTE_MS);
    expectServers(fixture, failed.ref, 0);
  });
});

describe("customer's SSH key", () => {
  const theirs = `${sshKeyPair(systemRandom()).publicKey} ada@laptop`;
  const keysAt = (address: string | null): string =>
    Buffer.from(machineOf(address).files[AUTHORIZED_KEYS]?.data ?? '', 'base64').toString();
  const order = async (more: Parameters<ProvisionerFixture['order']>[0] = {}): Promise<number> => {
    const id = await fixture.order(more);
    await fixture.setKeys(id, [theirs]);
    return id;
  };

  it.each([
    ['with a domain', {}, 'DNS_VALIDATION'],
    ['without a domain', { package: 'test-page', domain: null }, 'ACTIVE'],
  ] as const)(
    '%s: opens the server when the deployment starts to cost money, not earlier (M6)',
    async (_, more, billable) => {
      const actor = await fixture.actor();
      const id = await order(more);
      let seen = 0;
      for (;;) {
        const row = await fixture.row(id);
        if (row.status === billable) break;
        expect(row.billable_from).toBeNull();
        const address = fixture.memory.living().find(({ state }) => state === 'running')?.address ?? null;
        const opened = address !== null && fixture.hosts.at(address) !== null && keysAt(address).includes(theirs);
        // Only in the step that opens the interval, whose script runs before the status change.
        if (opened) expect((await fixture.steps(id)).at(-1)).toMatch(/^(check-health|finish) started$/);
        if (address !== null) seen += 1;
        if (!(await turn(actor))) fixture.clock.at += SECOND_MS;
        if (fixture.clock.at > START + 30 * MINUTE_MS) throw new Error('it takes too long');
      }
      expect(seen).toBeGreaterThan(3);
      const { instance_ip, billable_from } = await fixture.row(id);
      expect(billable_from).not.toBeNull();
      expect(keysAt(instance_ip)).toContain(`${theirs}\n`);
      expect(
        await fixture.database.sql(
          'select 1 from deployment_ssh_key_states where deployment_id = $1 and applied_at is not null',
          [id],
        ),
      ).toHaveLength(1);
    },
  );

  it('never opens a server whose deployment fails earlier (M6)', async () => {
    const actor = await fixture.actor();
    fixture.hosts.loseAnswer('start-stack', 99, false);
    const id = await order();
    let address: string | null = null;
    while ((await fixture.row(id)).status !== 'FAILED') {
      address = fixture.memory.living()[0]?.address ?? address;
      if (address !== null && fixture.hosts.at(address) !== null) expect(keysAt(address)).not.toContain(theirs);
      if (!(await turn(actor))) fixture.clock.at += SECOND_MS;
    }
    expect(address).not.toBeNull();
  });
});

/** Without a problem's name, so that the attempt goes on until its end. */
const OVERLOADED = 'acme: error: 429 :: too many failed authorizations recently';
/** Ends the attempt. */
const LIMITED = 'acme: error: 429 :: urn:ietf:params:acme:error:rateLimited :: too many failed authorizations recently';

describe('rejecting authority', () => {
  it.each([
    ['no action is taken', false, OVERLOADED],
    ['its owner retries as often as permitted', true, OVERLOADED],
    ['it limits requests and no action is taken', false, LIMITED],
    ['it limits requests and its owner retries as often as permitted', true, LIMITED],
  ])('is contacted at most four times in any hour when %s (F36)', async (_, impatient, authority) => {
    fixture = await openFixture({
      timeouts: { ...LIVE_TIMEOUTS, certificate_poll_ms: MINUTE_MS },
      intervals: { ...INTERVALS, dns_recheck_ms: MINUTE_MS },
    });
    const requested: number[] = [];
    const counting: Ssh = {
      async connect(target) {
        const session = await fixture.hosts.ssh.connect(target);
        const run: typeof session.run = (name, args, options) => {
          if (name === 'start-router' || name === 'restart-stack') requested.push(fixture.clock.at);
          return session.run(name, args, options);
        };
        return { ...session, run };
      },
    };
    const actor = await fixture.actor({ ssh: counting });
    fixture.authority = authority;
    const id = await fixture.order();
    let retried_at = -Infinity;
    while (fixture.clock.at < START + 2.5 * HOUR_MS) {
      await fixture.settle(actor, MINUTE_MS);
      const { status } = await fixture.row(id);
      // The api allows a retry every fifteen minutes.
      if (impatient && status === 'DNS_FAILED' && fixture.clock.at >= retried_at + 15 * MINUTE_MS) {
        retried_at = fixture.clock.at;
        await fixture.request(id, 'retry_dns');
      }
    }
    expect((await fixture.row(id)).failure_reason ?? '').toMatch(/too many failed|^$/);
    expect(requested.length).toBeGreaterThan(2);
    for (const from of requested)
      expect(requested.filter((at) => at >= from && at < from + HOUR_MS).length).toBeLessThanOrEqual(4);
  });
});

describe('late rejection by the provider', () => {
  it('received by a stale worker does not revoke a request of the newer worker (L4)', async () => {
    let wake = (): void => undefined;
    let arrived = (): void => undefined;
    const asleep = new Promise<void>((resolve) => (arrived = resolve));
    const woken = new Promise<void>((resolve) => (wake = resolve));
    let still = false;
    const points = crashPoints(async (passed) => {
      if (passed === 'create-server.asked.committed' && !still) {
        still = true;
        arrived();
      }
      if (still) await woken;
      return false;
    });
    const slow = await fixture.actor({ points });
    const id = await fixture.order();
    const turning = (async () => {
      while (await turn(slow));
    })();
    await asleep;
    const requested = async (): Promise<number | null> =>
      (await fixture.database.sql<{ asked_at: number | null }>('select asked_at from servers'))[0]?.asked_at ?? null;
    const first = await requested();
    const quick = await fixture.actor();
    // The newer worker sends a second request when the lists have settled, and loses the response. Then the slow
    // worker's request is rejected.
    fixture.memory.fault('any', 'create', 'apply_then_fail', 1);
    while ((await requested()) === first) await fixture.settle(quick, SECOND_MS);
    const second = await requested();
    expect(second).not.toBeNull();
    fixture.memory.fault('any', 'create', 'rate_limited', 1);
    wake();
    await turning;
    expect(await requested()).toBe(second);
    const ready = await fixture.until(quick, id, 'READY');
    expect(fixture.memory.createdFor(ready.ref)).toBe(1);
  });
});
