import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DAY_MS, DomainError } from '@moorage/domain';
import { systemRandom } from '@moorage/server';
import { KnownNetworks } from '../auth/known-networks.repository';
import { Passwords } from '../auth/passwords.service';
import { networksOf, plainAddress } from './address';
import { LIMITS } from './limits';
import { RateLimiter } from './rate-limiter.service';
import { type ApiHarness, apiHarness, type TestAccount, TEST_SETTINGS } from '@moorage/tests/services/api/api-harness';

describe('rate limits', () => {
  let api: ApiHarness;
  let beside: ApiHarness;
  let jane: TestAccount;
  let networks = 0;
  const settings = { limits: LIMITS, trustedProxies: ['127.0.0.1'] };
  beforeAll(async () => {
    // The library counts windows by its own clock, which is stopped here, however long a thousand logins take.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    api = await apiHarness({ settings });
    beside = await apiHarness({ settings, beside: api });
    jane = await api.user();
  });
  afterAll(async () => {
    await beside.close();
    await api.close();
    jest.restoreAllMocks();
  });

  /** Returns an address in an unused network. */
  const network = () => `198.${18 + (++networks >> 8)}.${networks & 255}.7`;
  const login = (ip: string, password = 'wrong-password', email = jane.email, at = api) =>
    at.http.post('/api/auth/login').set('x-forwarded-for', ip).send({ username: email, password });
  const statuses = async (times: number, call: () => PromiseLike<{ status: number }>) => {
    const found: number[] = [];
    for (let i = 0; i < times; i++) found.push((await call()).status);
    return found;
  };

  describe('logging in', () => {
    it('allows five attempts a minute per network, then states the waiting time', async () => {
      const ip = network();
      expect(await statuses(5, () => login(ip))).toEqual([401, 401, 401, 401, 401]);
      const answer = await login(ip, jane.password);
      expect([answer.status, (answer.body as { code: string }).code]).toEqual([429, 'RATE_LIMITED']);
      const seconds = Number(answer.headers['retry-after']);
      expect(seconds).toBeGreaterThan(30);
      expect(seconds).toBeLessThanOrEqual(60);
      expect((answer.body as { detail: string }).detail).toMatch(
        /^Too many login attempts\. Try again in \d+ seconds?\.$/,
      );
    });

    it('treats nearby addresses as one network, and lets the owner in from another at once', async () => {
      await statuses(5, () => login('203.0.113.1'));
      expect((await login('203.0.113.200', jane.password)).status).toBe(429);
      expect((await login('203.0.114.1', jane.password)).status).toBe(200);
    });

    it('clears the failures of the account on success', async () => {
      const ip = network();
      await statuses(4, () => login(ip));
      expect((await login(ip, jane.password)).status).toBe(200);
      expect(await statuses(4, () => login(ip))).toEqual([401, 401, 401, 401]);
    });

    it('counts across two processes', async () => {
      const ip = network();
      const found: number[] = [];
      for (let i = 0; i < 3; i++)
        found.push((await login(ip)).status, (await login(ip, 'x-wrong', jane.email, beside)).status);
      expect(found.filter((status) => status === 401)).toHaveLength(5);
      expect(found[5]).toBe(429);
    });

    it('checks five of a thousand concurrent attempts from one network and still admits the owner from elsewhere', async () => {
      const ip = network();
      const found: number[] = [];
      for (let round = 0; round < 20; round++) {
        found.push(...(await Promise.all(Array.from({ length: 50 }, () => login(ip)))).map(({ status }) => status));
      }
      expect(found.filter((status) => status === 401).length).toBeLessThanOrEqual(5);
      expect(new Set(found)).toEqual(new Set([401, 429]));
      expect((await login(network(), jane.password)).status).toBe(200);
    });

    it('limits many networks together from the first attempt, and admits the owner from a known network', async () => {
      const victim = await api.user();
      const home = network();
      expect((await login(home, victim.password, victim.email)).status).toBe(200);
      const found: number[] = [];
      for (let i = 0; i < 60; i++) found.push((await login(network(), 'wrong-password', victim.email)).status);
      expect(found.filter((status) => status === 401)).toHaveLength(30);
      expect((await login(home, 'wrong-password', victim.email)).status).toBe(401);
      expect((await login(home, victim.password, victim.email)).status).toBe(200);
    });

    it('admits an owner from a new network after a password reset during a flood', async () => {
      const victim = await api.user();
      for (let i = 0; i < 31; i++) await login(network(), 'wrong-password', victim.email);
      const hotel = network();
      const refused = await login(hotel, victim.password, victim.email);
      expect([refused.status, (refused.body as { detail: string }).detail]).toEqual([
        429,
        expect.stringContaining('Reset your password to log in from here right away.'),
      ]);
      const forward = { 'x-forwarded-for': hotel };
      await api.http.post('/api/auth/forgot-password').set(forward).send({ email: victim.email });
      const token = await api.linkToken(victim.email, 'reset-password');
      await api.http.post('/api/auth/reset-password').set(forward).send({ token, new_password: 'another-one' });
      expect((await login(hotel, 'another-one', victim.email)).status).toBe(200);
    });

    it('checks at most 23 of a thousand attempts from a thousand networks of one /48 in 15 minutes', async () => {
      const victim = await api.user();
      const home = '2001:db8:1:1::1';
      expect((await login(home, victim.password, victim.email)).status).toBe(200);
      const found: number[] = [];
      for (let from = 0; from < 1000; from += 50) {
        const tries = Array.from({ length: 50 }, (_, i) =>
          login(`2001:db8:bad:${(from + i).toString(16)}::7`, 'wrong-password', victim.email),
        );
        found.push(...(await Promise.all(tries)).map(({ status }) => status));
      }
      expect(new Set(found)).toEqual(new Set([401, 429]));
      expect(found.filter((status) => status === 401).length).toBeLessThanOrEqual(23);
      // Neither from home nor from a network of another provider.
      expect((await login(home, victim.password, victim.email)).status).toBe(200);
      expect((await login('2001:db8:cafe::1', victim.password, victim.email)).status).toBe(200);
    });

    it('knows an account in the network it logged in from, not in the wider ones around it', async () => {
      const victim = await api.user();
      expect((await login('2001:db8:2:1::1', victim.password, victim.email)).status).toBe(200);
      for (let i = 0; i < 31; i++) await login(network(), 'wrong-password', victim.email);
      expect((await login('2001:db8:2:1:ffff::2', victim.password, victim.email)).status).toBe(200);
      expect((await login('2001:db8:2:2::1', victim.password, victim.email)).status).toBe(429);
    });

    it('limits one /48 over many accounts to four times the limit of one /64', async () => {
      const tries = async (i: number) =>
        (await login(`2001:db8:3:${i.toString(16)}::1`, 'wrong-password', `crowd-${i}@example.com`)).status;
      const found: number[] = [];
      for (let i = 0; i < 402; i++) found.push(await tries(i));
      // 256 of them share a /56, which has twice the budget of a /64.
      expect(found.filter((status) => status === 401)).toHaveLength(200 + 146);
    });

    it('forgets known networks after 90 days and stores at most 50 per account', async () => {
      const account = await api.user();
      for (let i = 0; i < 52; i++) await login(network(), account.password, account.email);
      const known = () => api.database.sql('select 1 from login_networks where user_id = $1', [account.id]);
      expect(await known()).toHaveLength(50);
      const networks = new KnownNetworks();
      await api.deps.db.tx('test.clean', async (tx) => {
        await networks.clean(tx, Date.now() + 91 * DAY_MS);
      });
      expect(await known()).toEqual([]);
    });

    it('limits one network over many accounts', async () => {
      const ip = network();
      const found = await statuses(101, () => login(ip, 'wrong-password', `nobody-${Math.random()}@example.com`));
      expect(found.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 401));
      expect(found[100]).toBe(429);
    });

    it('stores counters that do not reveal the account', async () => {
      const rows = await api.database.sql<{ key: string }>('select key from rate_limits');
      expect(rows.length).toBeGreaterThan(50);
      expect(
        rows.filter(({ key }) => key.includes('@') || key.includes(jane.username) || /\d+\.\d+\.\d+/.test(key)),
      ).toEqual([]);
    });
  });

  it('allows forty accounts an hour from one /48, however many networks it has', async () => {
    const sign = (n: number) =>
      api.http
        .post('/api/users')
        .set('x-forwarded-for', `2001:db8:4:${(n * 256).toString(16)}::1`)
        .send({ username: `tunnel-${n}`, email: `tunnel-${n}@example.com`, password: 'secret-1' });
    let n = 0;
    const found = await statuses(42, () => sign(++n));
    expect(found).toEqual([...Array.from({ length: 40 }, () => 201), 429, 429]);
  });

  it('allows ten accounts an hour from one network', async () => {
    const ip = network();
    const sign = (n: number) =>
      api.http
        .post('/api/users')
        .set('x-forwarded-for', ip)
        .send({ username: `crowd-${n}`, email: `crowd-${n}@example.com`, password: 'secret-1' });
    let n = 0;
    expect(await statuses(11, () => sign(++n))).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
    expect(await api.database.sql(`select 1 from users where username = 'crowd-11'`)).toEqual([]);
  });

  it('allows one verification email a minute and three password emails an hour per address', async () => {
    const ip = network();
    const account = await api.http
      .post('/api/users')
      .set('x-forwarded-for', ip)
      .send({ username: 'mailed', email: 'mailed@example.com', password: 'secret-1' });
    expect(account.status).toBe(201);
    const token = ((await login(ip, 'secret-1', 'mailed@example.com')).body as { access_token: string }).access_token;
    const resend = () => api.http.post('/api/users/resend-verification').set({ authorization: `Bearer ${token}` });
    expect(await statuses(2, resend)).toEqual([200, 429]);
    const forgot = () =>
      api.http
        .post('/api/auth/forgot-password')
        .set('x-forwarded-for', network())
        .send({ email: 'mailed@example.com' });
    expect(await statuses(4, forgot)).toEqual([200, 200, 200, 429]);
    const unknown = () =>
      api.http
        .post('/api/auth/forgot-password')
        .set('x-forwarded-for', network())
        .send({ email: 'unknown@example.com' });
    expect(await statuses(4, unknown)).toEqual([200, 200, 200, 429]);
  });

  it('ignores the forwarded address without a trusted proxy', async () => {
    const direct = await apiHarness({ settings: { limits: LIMITS }, beside: api });
    try {
      const found = await statuses(6, () => login(network(), 'wrong-password', 'spoofed@example.com', direct));
      expect(found[5]).toBe(429);
    } finally {
      await direct.close();
    }
  });

  it('uses the address before the trusted proxy, not the one the client sent', async () => {
    const found: number[] = [];
    for (let i = 0; i < 6; i++) {
      const answer = await api.http
        .post('/api/auth/login')
        .set('x-forwarded-for', `${network()}, 192.0.2.77`)
        .send({ username: 'chained@example.com', password: 'wrong-password' });
      found.push(answer.status);
    }
    expect(found[5]).toBe(429);
  });

  it('enforces general limits with only occasional writes', async () => {
    const limits = {
      ...LIMITS,
      general_account: { ...LIMITS.general_account, windows: [{ points: 40, per_s: 60 }], batch: 10 },
    };
    const limiter = new RateLimiter(api.deps.db, api.deps.clock, { ...api.settings, limits });
    let writes = 0;
    const { checkpoints } = api.deps.db;
    const counted = new RateLimiter(
      { ...api.deps.db, checkpoints, tx: (name, fn) => (writes++, api.deps.db.tx(name, fn)) },
      api.deps.clock,
      { ...api.settings, limits },
    );
    for (let i = 0; i < 20; i++) await counted.take('general_account', 'somebody');
    expect(writes).toBe(2);
    for (let i = 0; i < 20; i++) await limiter.take('general_account', 'somebody');
    await expect(limiter.take('general_account', 'somebody')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('removes expired counters', async () => {
    const limiter = new RateLimiter(api.deps.db, api.deps.clock, { ...api.settings, limits: LIMITS });
    await api.database.sql(`insert into rate_limits (key, points, expire) values ('old', 1, 1000), ('young', 1, $1)`, [
      Date.now() + DAY_MS,
    ]);
    await limiter.clean();
    expect(await api.database.sql(`select key from rate_limits where key in ('old', 'young')`)).toEqual([
      { key: 'young' },
    ]);
  });
});

describe('networks', () => {
  it.each([
    ['198.51.100.23', ['198.51.100.0/24']],
    ['::ffff:198.51.100.23', ['198.51.100.0/24']],
    ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/56', '2001:db8:1::/48']],
    ['2001:db8:1:1ff::1', ['2001:db8:1:1ff::/64', '2001:db8:1:100::/56', '2001:db8:1::/48']],
    ['fe80::1%eth0', ['fe80::/64', 'fe80::/56', 'fe80::/48']],
    ['::1', ['::/64', '::/56', '::/48']],
    ['not an address', ['0.0.0.0/24']],
  ])('%s belongs to %s', (address, networks) => {
    expect(networksOf(plainAddress(address))).toEqual(networks);
  });
});

describe('password hashing', () => {
  it('runs two at once, queues a hundred, rejects the rest, and returns every result correctly', async () => {
    const passwords = new Passwords(systemRandom(), { ...TEST_SETTINGS, passwordCost: undefined });
    const stored = await passwords.hash('secret-1');
    // OWASP's parameters for argon2id.
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const answers = await Promise.allSettled(
      Array.from({ length: 150 }, (_, i) => passwords.matches(i % 2 === 0 ? 'secret-1' : 'secret-2', stored)),
    );
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(refused).toHaveLength(48);
    expect(
      refused.every((answer) => answer.reason instanceof DomainError && answer.reason.code === 'SERVICE_UNAVAILABLE'),
    ).toBe(true);
    for (const [i, answer] of answers.entries())
      if (answer.status === 'fulfilled') expect(answer.value).toBe(i % 2 === 0);
    expect(await passwords.matches('secret-1', stored)).toBe(true);
    expect(await passwords.matches('secret-1', null)).toBe(false);
  }, 60_000);

  it('queues a comparison for an unknown account like any other', async () => {
    const passwords = new Passwords(systemRandom(), TEST_SETTINGS);
    await passwords.matches('secret-1', null);
    const answers = await Promise.allSettled(Array.from({ length: 103 }, () => passwords.matches('secret-1', null)));
    expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });
});
