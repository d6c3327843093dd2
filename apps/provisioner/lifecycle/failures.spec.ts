import { beforeEach, describe, expect, it } from '@jest/globals';
import { sshKeyPair, systemRandom } from '@moorage/server';
import { offersOf, provenProviders, saveOffer } from '@moorage/database';
import { builtInOffer, cloudSetup, HOUR_MS, MINUTE_MS, SECOND_MS } from '@moorage/domain';
import { cloudsOf } from '../clouds/cloud';
import {
  type FixtureActor,
  type ProvisionerFixture,
  fixturesOfSuite,
  expectServers,
  reconcile,
  START,
} from '@moorage/tests/services/provisioner';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor();
});

const message = async (id: number, outcome: string) =>
  (
    await fixture.database.sql<{ message: string }>(
      'select message from deployment_steps where deployment_id = $1 and outcome = $2 order by id desc limit 1',
      [id, outcome],
    )
  )[0]?.message;

/** Confirms the project as an operator would. */
async function isOffered({ db }: FixtureActor): Promise<boolean> {
  await fixture.database.sql('update provider_breakers set confirmed_project_id = project_id');
  return (await db.tx('test', provenProviders)).includes('hetzner');
}

describe('failing create at a cloud', () => {
  it.each([
    ['the response to the create is lost', 'apply_then_fail', 3],
    ['the first response is 429', 'rate_limited', 2],
    ['the first response is 500', 'server_error', 2],
    ['the lists omit the new server for a while', 'delayed_list', 1],
  ] as const)('ends READY with one server when %s', async (_situation, mode, times) => {
    fixture.memory.fault('any', 'create', mode, times);
    const id = await fixture.order();
    const { ref } = await fixture.until(actor, id, 'READY');
    expectServers(fixture, ref, 1);
    expect(fixture.memory.createdFor(ref)).toBe(1);
  });

  it('waits until the lists have settled before a second request', async () => {
    fixture.memory.fault('any', 'create', 'server_error', 1);
    const id = await fixture.order();
    await fixture.until(actor, id, 'READY');
    const [server] = await fixture.database.sql<{ created_at: number }>('select created_at from servers');
    expect(fixture.memory.living()[0]?.created_at).toBeGreaterThanOrEqual(
      (server?.created_at ?? 0) + fixture.timeouts.settle_ms,
    );
  });

  it.each([
    ['quota', 'Our account at this provider has reached its server limit.'],
    ['no_capacity', 'This server size is sold out in this region.'],
    ['revoked', "We can't access our account at the provider right now."],
  ] as const)('fails at once on %s, with a reason for the customer and without a charge', async (mode, words) => {
    fixture.memory.fault('any', 'create', mode, 99);
    const id = await fixture.order();
    const row = await fixture.until(actor, id, 'FAILED');
    expect(row.failure_reason).toContain(words);
    expect(row.billable_from).toBeNull();
    expect(fixture.clock.at - START).toBeLessThan(MINUTE_MS);
    await fixture.settle(actor, 5 * MINUTE_MS);
    expect(await fixture.row(id)).toMatchObject({ status: 'FAILED', server_exists: false });
  });

  it.each([
    ['fails_quota', 'Our account at this provider has reached its server limit.'],
    ['fails_capacity', 'This server size is sold out in this region.'],
    ['fails_refused', 'The provider does not offer this combination of region and size.'],
    ['fails_other', 'The server could not be created at the provider.'],
  ] as const)(
    'fails with a reason when the provider notices too late (%s), and leaves nothing behind',
    async (mode, words) => {
      fixture.memory.fault('any', 'create', mode, 1);
      const id = await fixture.order();
      const row = await fixture.until(actor, id, 'FAILED');
      expect(row.failure_reason).toContain(words);
      expect(row.billable_from).toBeNull();
      expect(fixture.memory.createdFor(row.ref)).toBe(1);
      await fixture.settle(actor, 5 * MINUTE_MS);
      expectServers(fixture, row.ref, 0);
      expect(await fixture.row(id)).toMatchObject({ status: 'FAILED', server_exists: false });
    },
  );

  it.each([
    ['a quarter of an hour', 15 * MINUTE_MS, 'READY'],
    ['an hour', HOUR_MS, 'FAILED'],
  ] as const)(
    'waits in the database after 429 for %s, limited only by the deadline of the step',
    async (_, storm_ms, status) => {
      fixture.memory.incident('hetzner', 'rate_limited');
      const id = await fixture.order();
      await fixture.settle(actor, Math.min(storm_ms, 19 * MINUTE_MS));
      expect((await fixture.row(id)).status).toBe('PROVISIONING');
      const waits = await fixture.database.sql<{ message: string }>(
        `select message from deployment_steps where deployment_id = $1 and outcome = 'waiting' order by id`,
        [id],
      );
      expect(waits.map((line) => line.message)).toEqual([
        expect.stringContaining('This one is next.'),
        expect.stringContaining('This is taking longer than usual.'),
      ]);
      if (status === 'READY') fixture.memory.incident('hetzner', null);
      await fixture.until(actor, id, status);
      expect((await fixture.steps(id)).filter((line) => line.endsWith('retrying'))).toEqual([]);
      expect(fixture.memory.createdFor((await fixture.row(id)).ref)).toBe(status === 'READY' ? 1 : 0);
    },
  );

  describe('alert of a failing provider', () => {
    const open = () =>
      fixture.database.sql<{ kind: string; subject: string; facts: object }>(
        'select kind, subject, facts from operator_alerts where resolved_at is null order by kind',
      );

    it.each(['quota', 'fails_quota'] as const)(
      'is raised for an account limit (%s) until a server requested later runs there',
      async (mode) => {
        fixture.memory.fault('hetzner', 'create', 'late_address', 1);
        const earlier = await fixture.order({ domain: 'earlier.example.com' });
        await fixture.settle(actor);
        fixture.memory.fault('hetzner', 'create', mode, 1);
        await fixture.until(actor, await fixture.order(), 'FAILED');
        const words = mode === 'quota' ? 'the account has reached its limit of servers' : 'set to fail by the test';
        expect(await open()).toEqual([{ kind: 'provider_quota', subject: 'hetzner', facts: { words } }]);
        // It was created before the limit was reached and proves nothing about it.
        await fixture.until(actor, earlier, 'READY');
        expect(await open()).toHaveLength(1);
        await fixture.until(actor, await fixture.order({ domain: 'later.example.com' }), 'READY');
        expect(await open()).toEqual([]);
      },
    );

    it('is raised for rejected credentials with the message of the provider, which is not offered until access is restored', async () => {
      const offered = () => isOffered(actor);
      const check = async () => {
        await actor.provisioner.recovery.checkAllNow(['hetzner']);
        await reconcile(actor);
      };
      await check();
      expect(await offered()).toBe(true);
      fixture.memory.fault('hetzner', 'create', 'revoked', 1);
      await fixture.until(actor, await fixture.order(), 'FAILED');
      expect(await offered()).toBe(false);
      const facts = { kind: 'auth', words: 'the token is not valid' };
      expect(await open()).toEqual([{ kind: 'provider_refused', subject: 'hetzner', facts }]);
      await check();
      expect(await offered()).toBe(true);
      expect(await open()).toEqual([]);
    });
  });

  describe('credentials that may read but not create', () => {
    const offered = () => isOffered(actor);
    const check = async () => {
      await actor.provisioner.recovery.checkAllNow(['hetzner']);
      await reconcile(actor);
    };
    beforeEach(async () => {
      await check();
      fixture.memory.fault('hetzner', 'create', 'readonly', 1);
      await fixture.until(actor, await fixture.order(), 'FAILED');
      expect(await offered()).toBe(false);
      await check();
      expect(await offered()).toBe(false);
    });

    it('disable the provider for an hour, even if reading works', async () => {
      fixture.clock.at += HOUR_MS;
      await check();
      expect(await offered()).toBe(true);
    });

    it('are replaced at the first check of a process with other credentials', async () => {
      const hetzner = fixture.memory.clouds.of('hetzner');
      const clouds = cloudsOf((name) =>
        name === 'hetzner' ? { ...hetzner, budgetKey: 'another token' } : fixture.memory.clouds.of(name),
      );
      actor = await fixture.actor({ clouds });
      await check();
      expect(await offered()).toBe(true);
    });
  });

  describe('credentials that permit no server in one region', () => {
    const setup = cloudSetup({ sandbox: true, chosen: {} });
    const openAlerts = () =>
      fixture.database.sql<{ kind: string }>(
        'select kind, subject, facts from operator_alerts where resolved_at is null order by kind',
      );
    const offer = async () =>
      (await actor.db.tx('test', (tx) => offersOf(tx, setup, { now: fixture.clock.at, provider: 'hetzner' })))[0]
        ?.offer;
    /** Returns sizes that cannot be ordered as `region/size`. */
    const unavailable = async () =>
      ((await offer())?.regions ?? []).flatMap(({ name, instanceTypes }) =>
        instanceTypes.filter(({ available }) => !available).map((type) => `${name}/${type.name}`),
      );
    const offered = () => isOffered(actor);
    const check = async () => {
      await actor.provisioner.recovery.checkAllNow(['hetzner']);
      await reconcile(actor);
    };
    const refuse = async (place: string, user_id = 1) => {
      const [region = '', instance_type = ''] = place.split('/');
      fixture.memory.fault('hetzner', 'create', 'not_permitted', 1);
      return fixture.until(actor, await fixture.order({ region, instance_type, user_id }), 'FAILED');
    };
    const another = async () => {
      const [user] = await fixture.database.sql<{ id: number }>(
        `insert into users (username, email, email_normalised, password_hash, referral_code, is_verified, created_at)
         values ('mate', 'mate@example.com', 'mate@example.com', '-', 'mate', true, now()) returning id`,
      );
      return user?.id ?? 0;
    };
    beforeEach(check);

    it('take only that size in that region off sale for an hour', async () => {
      const row = await refuse('fsn1/cpx22');
      expect(row.failure_reason).toContain('choose another size or region');
      expect(await unavailable()).toEqual(['fsn1/cpx22']);
      expect(await offered()).toBe(true);
      const facts = { region: 'fsn1', instance_type: 'cpx22', words: 'this region is not permitted' };
      expect(await openAlerts()).toEqual([{ kind: 'place_refused', subject: 'hetzner', facts }]);
      await check();
      expect(await unavailable()).toEqual(['fsn1/cpx22']);
      fixture.clock.at += HOUR_MS;
      expect(await unavailable()).toEqual([]);
      await check();
      expect(await openAlerts()).toEqual([]);
    });

    it('take the region off sale with the second size, but not the provider, however often one customer orders', async () => {
      await refuse('fsn1/cpx22');
      await refuse('fsn1/cpx32');
      expect(new Set((await unavailable()).map((place) => place.split('/')[0]))).toEqual(new Set(['fsn1']));
      const sizes = (await offer())?.regions.find(({ name }) => name === 'fsn1')?.instanceTypes ?? [];
      expect(await unavailable()).toHaveLength(sizes.length);
      for (const region of ['nbg1', 'hel1', 'ash']) await refuse(`${region}/cpx22`);
      expect(await offered()).toBe(true);
    });

    it('take the provider off sale for an hour once three regions reject orders of two customers', async () => {
      await refuse('fsn1/cpx22');
      await refuse('nbg1/cpx22');
      const mate = await another();
      await refuse('nbg1/cpx32', mate);
      expect(await offered()).toBe(true);
      await refuse('hel1/cpx22', mate);
      expect(await offered()).toBe(false);
      await check();
      expect(await offered()).toBe(false);
      expect((await openAlerts()).map(({ kind }) => kind)).toContain('provider_refused');
      fixture.clock.at += HOUR_MS;
      await check();
      expect(await offered()).toBe(true);
      expect(await openAlerts()).toEqual([]);
    });

    it('do not take the provider off sale if a server elsewhere has started since then', async () => {
      await refuse('fsn1/cpx22');
      await refuse('nbg1/cpx22');
      fixture.clock.at += 1;
      await fixture.until(actor, await fixture.order({ region: 'sin' }), 'READY');
      await refuse('hel1/cpx22', await another());
      expect(await offered()).toBe(true);
      expect(await unavailable()).toContain('fsn1/cpx22');
    });

    it('are forgotten when they are replaced', async () => {
      await refuse('fsn1/cpx22');
      const hetzner = fixture.memory.clouds.of('hetzner');
      const clouds = cloudsOf((name) =>
        name === 'hetzner' ? { ...hetzner, budgetKey: 'another token' } : fixture.memory.clouds.of(name),
      );
      actor = await fixture.actor({ clouds });
      await check();
      expect(await unavailable()).toEqual([]);
      expect(await openAlerts()).toEqual([]);
    });
  });

  it('blocks a size for other customers after it sold out, until the provider updates its catalogue', async () => {
    const now = fixture.clock.at;
    await actor.db.tx('test', (tx) =>
      saveOffer(tx, builtInOffer('hetzner'), { source: 'live', now, due_at: now + 6 * HOUR_MS }),
    );
    const available = async () => {
      const [row] = await fixture.database.sql<{
        regions: { name: string; instance_types: { name: string; available: boolean }[] }[];
      }>(`select regions from catalogues where provider = 'hetzner'`);
      return (row?.regions ?? []).flatMap(({ name, instance_types }) =>
        instance_types.filter((type) => !type.available).map((type) => `${name} ${type.name}`),
      );
    };
    expect(await available()).toEqual([]);
    fixture.memory.fault('hetzner', 'create', 'no_capacity', 1);
    const row = await fixture.until(actor, await fixture.order(), 'FAILED');
    expect(await available()).toEqual([`${row.region} ${row.instance_type}`]);
  });

  it('refreshes the catalogue of a sold-out provider soon', async () => {
    const due = async () =>
      (await fixture.database.sql<{ due_at: number }>('select due_at from catalogues'))[0]?.due_at;
    const at = (instant: number) => new Date(instant).toISOString();
    await fixture.database.sql(
      `insert into catalogues (provider, source, regions, refreshed_at, due_at) values ('hetzner', 'live', '[]', $1, $2)`,
      [at(START - HOUR_MS), at(START + 5 * HOUR_MS)],
    );
    fixture.memory.fault('any', 'create', 'no_capacity', 1);
    await fixture.until(actor, await fixture.order(), 'FAILED');
    expect(await due()).toBeLessThanOrEqual(fixture.clock.at);
  });

  it('reports that a server was stopped, and continues when its address arrives late', async () => {
    fixture.memory.fault('any', 'create', 'stops', 1);
    const stopped = await fixture.order();
    await fixture.until(actor, stopped, 'FAILED');
    const rows = await fixture.database.sql('select 1 from deployment_steps where message like $1', ['%has stopped%']);
    expect(rows).toHaveLength(1);
    fixture.memory.fault('any', 'create', 'late_address', 1);
    expect((await fixture.until(actor, await fixture.order({ domain: 'late.example.com' }), 'READY')).status).toBe(
      'READY',
    );
  });

  it.each([
    ['a server that never boots', 'never_boots'],
    ['a server without an address', 'no_address'],
    ['a server that vanishes', 'vanishes'],
  ] as const)('stops waiting for %s within the deadline and leaves nothing behind', async (_situation, mode) => {
    fixture.memory.fault('any', 'create', mode, 1);
    const id = await fixture.order();
    const failed = await fixture.until(actor, id, 'FAILED');
    expect(fixture.clock.at - START).toBeLessThanOrEqual(30 * MINUTE_MS);
    expect(failed.failure_reason).toMatch(/^(The server|The provider)/);
    await fixture.settle(actor, 10 * MINUTE_MS);
    expectServers(fixture, failed.ref, 0);
    expect(await fixture.row(id)).toMatchObject({
      status: 'FAILED',
      server_exists: false,
      failure_reason: failed.failure_reason,
    });
  });

  it('keeps removing a failed server automatically until the provider shows none', async () => {
    fixture.hosts.ssh.connect = () => Promise.reject(new Error('nothing works'));
    fixture.memory.fault('any', 'delete', 'still_there', 20);
    fixture.memory.fault('any', 'delete', 'server_error', 5);
    fixture.memory.fault('any', 'delete', 'locked', 5);
    const id = await fixture.order();
    const failed = await fixture.until(actor, id, 'FAILED');
    expect(failed.server_exists).toBe(true);
    expectServers(fixture, failed.ref, 1);
    await fixture.settle(actor, 2 * HOUR_MS);
    expectServers(fixture, failed.ref, 0);
    expect(await fixture.row(id)).toMatchObject({ status: 'FAILED', server_exists: false });
  });

  it('ends DELETED automatically when the owner deletes it while the server is being removed', async () => {
    fixture.memory.fault('any', 'create', 'never_boots', 1);
    fixture.memory.fault('any', 'delete', 'still_there', 3);
    const id = await fixture.order();
    await fixture.until(actor, id, 'FAILED');
    await fixture.request(id, 'delete');
    const row = await fixture.until(actor, id, 'DELETED');
    expect(row.deleted_at).not.toBeNull();
    expectServers(fixture, row.ref, 0);
  });

  it('survives misleading destroy responses: 200 but still there, 500 but done, 409 locked', async () => {
    const id = await fixture.order();
    await fixture.until(actor, id, 'READY');
    fixture.memory.fault('any', 'delete', 'still_there', 2);
    fixture.memory.fault('any', 'delete', 'locked', 1);
    fixture.memory.fault('any', 'delete', 'apply_then_fail', 1);
    await fixture.request(id, 'delete');
    const row = await fixture.until(actor, id, 'DESTROYED');
    expectServers(fixture, row.ref, 0);
    expect(fixture.memory.living()).toEqual([]);
  });

  it('is limited to thirty minutes, however many steps are slow', async () => {
    fixture.memory.fault('any', 'create', 'never_boots', 1);
    const id = await fixture.order();
    await fixture.settle(actor, 31 * MINUTE_MS);
    expect((await fixture.row(id)).status).toBe('FAILED');
  });
});

describe('server with another host key', () => {
  it('is not used, and the create fails with that reason', async () => {
    const id = await fixture.order();
    await fixture.settle(actor, 19_000);
    const [server] = fixture.memory.living();
    fixture.clock.at += 2_000;
    const machine = fixture.hosts.at(server?.address ?? '');
    if (machine === null) throw new Error('not booted');
    machine.host_key = sshKeyPair(systemRandom()).privateKey;
    const row = await fixture.until(actor, id, 'FAILED');
    expect(row.failure_reason).toMatch(/identity/);
    await fixture.settle(actor, 5 * MINUTE_MS);
    expectServers(fixture, row.ref, 0);
  });

  it('leaves a running deployment unchanged on a restart, with the reason displayed', async () => {
    const id = await fixture.order();
    const { instance_ip } = await fixture.until(actor, id, 'READY');
    const machine = fixture.hosts.at(instance_ip ?? '');
    if (machine === null) throw new Error('not there');
    machine.host_key = sshKeyPair(systemRandom()).privateKey;
    await fixture.request(id, 'restart');
    const row = await fixture.until(actor, id, 'READY');
    expect(row.failure_reason).toMatch(/identity/);
    expect(row.billable_to).toBeNull();
  });
});

describe('broken SSH connection', () => {
  it.each([
    ['before the command', false],
    ['after the command', true],
  ])('%s: the step checks again and continues', async (_situation, applied) => {
    fixture.hosts.loseAnswer('bootstrap', 1, applied);
    fixture.hosts.loseAnswer('host-key', 1, applied);
    fixture.hosts.loseAnswer('start-stack', 2, applied);
    fixture.hosts.loseAnswer('start-router', 1, applied);
    const id = await fixture.order();
    await fixture.until(actor, id, 'READY');
    expect((await fixture.steps(id)).filter((line) => line.endsWith('retrying')).length).toBeGreaterThan(0);
  });

  it('fails the create with the step as its reason if it lasts too long', async () => {
    fixture.hosts.loseAnswer('start-stack', 99, false);
    const id = await fixture.order();
    const row = await fixture.until(actor, id, 'FAILED');
    expect(row.failure_reason).toBe(await message(id, 'failed'));
    expect(row.failure_reason).toMatch(/connection/);
  });
});

describe('DNS and certificates', () => {
  it('end in DNS_FAILED after fifteen minutes with the problem, and recover automatically once correct', async () => {
    fixture.dnsRight = () => false;
    const id = await fixture.order();
    const begun = await fixture.until(actor, id, 'DNS_VALIDATION');
    const failed = await fixture.until(actor, id, 'DNS_FAILED');
    expect(fixture.clock.at - begun.updated_at).toBe(15 * MINUTE_MS);
    expect(failed.failure_reason).toBe(`admin.example.com does not exist. Its A record must be ${failed.instance_ip}.`);
    expect(failed.billable_to).toBeNull();

    await fixture.settle(actor, HOUR_MS);
    expect((await fixture.row(id)).status).toBe('DNS_FAILED');
    fixture.dnsRight = () => true;
    const corrected_at = fixture.clock.at;
    const row = await fixture.until(actor, id, 'READY');
    expect(row.failure_reason).toBeNull();
    expect(fixture.clock.at - corrected_at).toBeLessThan(MINUTE_MS);
  });

  it('are checked every thirty seconds on the first day, then hourly', async () => {
    fixture.dnsRight = () => false;
    const id = await fixture.order();
    await fixture.until(actor, id, 'DNS_FAILED');
    const due = async () =>
      (await fixture.database.sql<{ due_at: number }>(`select due_at from work where kind = 'dns-check'`))[0]?.due_at ??
      0;
    await fixture.settle(actor);
    expect((await due()) - fixture.clock.at).toBe(30_000);
    fixture.clock.at += 25 * HOUR_MS;
    await fixture.settle(actor);
    expect((await due()) - fixture.clock.at).toBe(HOUR_MS);
  });

  it('do not return to DNS_VALIDATION automatically twice within fifteen minutes', async () => {
    fixture.dnsRight = () => false;
    const id = await fixture.order();
    await fixture.until(actor, id, 'DNS_FAILED');
    await fixture.database.sql('update deployments set dns_retried_at = $1', [
      new Date(fixture.clock.at).toISOString(),
    ]);
    const retried_at = fixture.clock.at;
    fixture.dnsRight = () => true;
    await fixture.until(actor, id, 'DNS_VALIDATION');
    expect(fixture.clock.at - retried_at).toBeGreaterThanOrEqual(15 * MINUTE_MS);
  });

  it('count a retry that the owner requests during an automatic check', async () => {
    fixture.dnsRight = () => false;
    const id = await fixture.order();
    await fixture.until(actor, id, 'DNS_FAILED');
    fixture.clock.at += HOUR_MS;
    fixture.dnsRight = () => true;
    const retried_at = fixture.clock.at;
    // The owner's retry begins and fails between the two transactions of the automatic check.
    fixture.duringDnsQuery = async () => {
      if ((await fixture.row(id)).status !== 'DNS_FAILED') return;
      await fixture.database.sql('update deployments set dns_retried_at = $1', [new Date(retried_at).toISOString()]);
    };
    await fixture.until(actor, id, 'DNS_VALIDATION');
    expect(fixture.clock.at - retried_at).toBeGreaterThanOrEqual(15 * MINUTE_MS);
  });

  it('never reach READY without a valid certificate, but DNS_FAILED with the message of the authority', async () => {
    fixture.authority = 'too many failed validations';
    const id = await fixture.order();
    const row = await fixture.until(actor, id, 'DNS_FAILED');
    expect(row.failure_reason).toContain('too many failed validations');
  });

  it('are retried at a rejecting authority at growing intervals, and at once on request of the owner', async () => {
    fixture.authority = 'no';
    const id = await fixture.order();
    await fixture.until(actor, id, 'DNS_FAILED');
    const failed_at = fixture.clock.at;
    await fixture.until(actor, id, 'DNS_VALIDATION');
    expect(fixture.clock.at - failed_at).toBeGreaterThanOrEqual(30 * MINUTE_MS);
    await fixture.until(actor, id, 'DNS_FAILED');
    fixture.authority = null;
    await fixture.request(id, 'retry_dns');
    const asked_at = fixture.clock.at;
    await fixture.until(actor, id, 'READY');
    expect(fixture.clock.at - asked_at).toBeLessThan(MINUTE_MS);
  });
});

describe('restart', () => {
  it('returns to the previous state', async () => {
    const id = await fixture.order();
    const before = await fixture.until(actor, id, 'READY');
    await fixture.request(id, 'restart');
    const row = await fixture.until(actor, id, 'READY');
    expect(row).toMatchObject({
      failure_reason: null,
      restart_from: null,
      billable_from: before.billable_from,
      billable_to: null,
    });
    expect(await fixture.steps(id)).toContain('restart-stack done');
  });

  it('of a package without a domain returns to ACTIVE', async () => {
    const id = await fixture.order({ package: 'test-page', domain: null });
    await fixture.until(actor, id, 'ACTIVE');
    await fixture.request(id, 'restart');
    expect((await fixture.until(actor, id, 'ACTIVE')).restart_from).toBeNull();
  });

  it('stops before any change if DNS is wrong, and ends in DNS_FAILED with the wrong record', async () => {
    const id = await fixture.order();
    await fixture.until(actor, id, 'READY');
    fixture.dnsRight = () => false;
    await fixture.request(id, 'restart');
    const row = await fixture.until(actor, id, 'DNS_FAILED');
    expect(row.failure_reason).toMatch(/^admin\.example\.com does not exist/);
    expect(await fixture.steps(id)).not.toContain('restart-stack started');
  });

  it('returns to the previous state with the reason on any other failure, never FAILED', async () => {
    const id = await fixture.order();
    await fixture.until(actor, id, 'READY');
    fixture.hosts.loseAnswer('restart-stack', 99, false);
    await fixture.request(id, 'restart');
    const row = await fixture.until(actor, id, 'READY', 'FAILED');
    expect(row.status).toBe('READY');
    expect(row.failure_reason).not.toBeNull();
  });

  it('is rolled back if the deployment is marked because the balance ran out', async () => {
    const id = await fixture.order();
    await fixture.until(actor, id, 'READY');
    await fixture.request(id, 'restart');
    await fixture.deplete(id);
    const row = await fixture.until(actor, id, 'DESTROYED');
    expectServers(fixture, row.ref, 0);
  });
});

describe('provider that limits the servers of a token', () => {
  it('queues further orders in the database and serves them all', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 12; n++)
      ids.push(await fixture.order({ provider: 'linode', package: 'test-page', domain: null }));
    await fixture.settle(actor);
    expect(fixture.memory.living()).toHaveLength(2);
    const waiting = await fixture.database.sql(
      `select 1 from deployment_steps where message like '%limits how many servers we can create%'`,
    );
    expect(waiting).toHaveLength(10);
    for (const id of ids) await fixture.until(actor, id, 'ACTIVE');
    const created = fixture.memory.living().map(({ created_at }) => created_at);
    expect(created).toHaveLength(12);
    for (const from of created) {
      expect(created.filter((at) => at >= from && at < from + 30 * SECOND_MS).length).toBeLessThanOrEqual(10);
    }
  });
});
