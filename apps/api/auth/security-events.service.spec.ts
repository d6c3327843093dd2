import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '@moorage/domain';
import { Metrics } from '@moorage/runtime';
import { type Clock, createLog } from '@moorage/server';
import { Secret, TOTP } from 'otpauth';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { LIMITS } from '../http/limits';
import type { RequestContext } from '../http/request-context';
import { SECURITY_EVENTS, SecurityEvents } from './security-events.service';

type Line = Readonly<Record<string, unknown>>;

let api: ApiHarness;
beforeAll(async () => {
  api = await apiHarness({ settings: { trustedProxies: ['127.0.0.1'] } });
});
afterAll(() => api.close());

const SELF = '/api/users/self';
const HOME = '198.51.100.7';
let hosts = 0;
/** Returns an address in a network of its own. */
const elsewhere = () => `203.0.${++hosts}.9`;
const network = (address: string) => address.replace(/\d+$/, '0/24');
const login = (
  { email, password }: Pick<TestAccount, 'email' | 'password'>,
  { otp, from = HOME, on = api }: { otp?: string; from?: string; on?: ApiHarness } = {},
) => on.http.post('/api/auth/login').set('x-forwarded-for', from).send({ username: email, password, otp });

/** Returns the security events that were logged during `act`. */
async function eventsOf(act: () => Promise<unknown>, on = api): Promise<Line[]> {
  // The number of lines per minute is limited.
  on.pass(MINUTE_MS);
  const before = on.logged().length;
  await act();
  return on
    .logged()
    .slice(before)
    .split('\n')
    .filter((line) => line.includes('"security event"'))
    .map((line) => JSON.parse(line) as Line);
}

/** Enables the second factor and returns the codes of the app. */
async function withCodes(account: TestAccount, on = api): Promise<() => string> {
  const begun = await on.http.post(`${SELF}/two-factor`).set(account.auth).send({});
  const totp = new TOTP({ secret: Secret.fromBase32((begun.body as { secret: string }).secret) });
  const code = () => totp.generate({ timestamp: on.deps.clock.localNow() });
  const confirmed = await on.http.post(`${SELF}/two-factor/confirm`).set(account.auth).send({ otp: code() });
  expect(confirmed.status).toBe(200);
  return () => {
    on.pass(MINUTE_MS);
    return code();
  };
}

async function subjectsTo(account: TestAccount, on = api): Promise<string[]> {
  await on.run();
  return (await on.mailsTo(account.email)).map(({ subject }) => subject);
}

describe('wrong password', () => {
  it('is logged with account and network, without address and password', async () => {
    const account = await api.user();
    const from = elsewhere();
    const correlation = 'a-wrong-password';
    const lines = await eventsOf(() =>
      login({ ...account, password: 'canary-password' }, { from }).set('x-correlation-id', correlation),
    );
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        service: 'api',
        message: 'security event',
        kind: 'password_wrong',
        account_id: account.id,
        network: network(from),
        correlation_id: correlation,
      },
    ]);
    expect(api.logged()).not.toContain(account.email);
    expect(api.logged()).not.toContain('canary-password');
  });

  it('is logged without an account for an unknown address', async () => {
    const [line] = await eventsOf(() => login({ email: 'nobody@example.com', password: 'x' }));
    expect([line?.kind, line?.account_id]).toEqual(['password_wrong', undefined]);
  });

  it('is logged with the session when it was entered in one', async () => {
    const account = await api.user();
    const [line] = await eventsOf(() =>
      api.http.post(`${SELF}/reauthentication`).set(account.auth).send({ password: 'canary' }),
    );
    expect(line).toMatchObject({ kind: 'password_wrong', account_id: account.id, credential_id: expect.any(String) });
  });
});

describe('wrong code after the correct password', () => {
  const mail = 'A wrong code was entered for your Moorage account';

  it('is logged at login and on the account page, and emailed to the owner once per hour', async () => {
    const mailing = await apiHarness({
      settings: { limits: { ...api.settings.limits, code_refused_mail: LIMITS.code_refused_mail } as never },
    });
    try {
      const account = await mailing.user();
      const code = await withCodes(account, mailing);
      const wrong = () => login(account, { otp: '000000', on: mailing });
      const confirm = () =>
        mailing.http
          .post(`${SELF}/reauthentication`)
          .set(account.auth)
          .send({ password: account.password, otp: '000000' });
      const lines = await eventsOf(async () => [await wrong(), await confirm()], mailing);
      expect(lines.map(({ kind, account_id }) => [kind, account_id])).toEqual([
        ['code_refused', account.id],
        ['code_refused', account.id],
      ]);
      const count = async () => (await subjectsTo(account, mailing)).filter((subject) => subject === mail).length;
      expect(await count()).toBe(1);
      expect((await login(account, { otp: code(), on: mailing })).status).toBe(200);
      expect(await count()).toBe(1);
    } finally {
      await mailing.close();
    }
  });

  it('is accepted 20 times a day, then emails the owner and rejects correct codes until the next day', async () => {
    const limits = {
      ...api.settings.limits,
      one_time_code_day: LIMITS.one_time_code_day,
      codes_paused_mail: LIMITS.codes_paused_mail,
    };
    const strict = await apiHarness({ settings: { limits: limits as never } });
    try {
      const account = await strict.user();
      const code = await withCodes(account, strict);
      for (let tries = 0; tries < 20; tries++)
        expect((await login(account, { otp: '000000', on: strict })).status).toBe(401);
      const [refused] = await eventsOf(() => login(account, { otp: code(), on: strict }), strict);
      expect(refused).toMatchObject({ kind: 'login_limited', account_id: account.id });
      await login(account, { otp: '000000', on: strict });
      await strict.run();
      const texts = (await strict.mailsTo(account.email)).map(({ text }) => text.replace(/\s+/g, ' '));
      expect(texts.filter((text) => text.includes('no codes are accepted for up to 24 hours'))).toHaveLength(1);
    } finally {
      await strict.close();
    }
  });

  it('is reset by a correct code', async () => {
    const limits = {
      ...api.settings.limits,
      one_time_code_day: { ...LIMITS.one_time_code_day, windows: [{ points: 3, per_s: 86_400 }] },
    };
    const strict = await apiHarness({ settings: { limits: limits as never } });
    try {
      const account = await strict.user();
      const code = await withCodes(account, strict);
      for (let round = 0; round < 3; round++) {
        expect((await login(account, { otp: '000000', on: strict })).status).toBe(401);
        expect((await login(account, { otp: code(), on: strict })).status).toBe(200);
      }
    } finally {
      await strict.close();
    }
  });
});

it('logs a login that a rate limit rejects', async () => {
  const strict = await apiHarness({
    settings: {
      trustedProxies: ['127.0.0.1'],
      limits: { ...api.settings.limits, login_pair: LIMITS.login_pair, login_known: LIMITS.login_known } as never,
    },
  });
  try {
    const account = await strict.user();
    const wrong = () => login({ ...account, password: 'wrong' }, { on: strict });
    for (let tries = 0; tries < 5; tries++) expect((await wrong()).status).toBe(401);
    const lines = await eventsOf(wrong, strict);
    expect(lines).toMatchObject([{ kind: 'login_limited', account_id: account.id, network: network(HOME) }]);
  } finally {
    await strict.close();
  }
});

it('lets an owner reset the password when a neighbour used up the logins of the network', async () => {
  const strict = await apiHarness({
    settings: {
      trustedProxies: ['127.0.0.1'],
      limits: { ...api.settings.limits, login_known: LIMITS.login_known } as never,
    },
  });
  try {
    const account = await strict.user(undefined, { from: HOME });
    expect((await login(account, { on: strict })).status).toBe(200);
    for (let tries = 0; tries < 6; tries++) await login({ ...account, password: 'wrong' }, { on: strict });
    expect((await login(account, { on: strict })).status).toBe(429);
    await strict.http.post('/api/auth/forgot-password').send({ email: account.email });
    const token = await strict.linkToken(account.email, 'reset-password');
    const password = 'a-harbour-light';
    const reset = { token, new_password: password };
    await strict.http.post('/api/auth/reset-password').set('x-forwarded-for', HOME).send(reset);
    expect((await login({ ...account, password }, { on: strict })).status).toBe(200);
  } finally {
    await strict.close();
  }
});

describe('administrator call', () => {
  it('is logged when a session or a token is rejected', async () => {
    const account = await api.user();
    const [line, ...more] = await eventsOf(() => api.http.get('/api/users').set(account.auth));
    expect(line).toMatchObject({
      kind: 'administrator_refused',
      account_id: account.id,
      credential_id: expect.any(String),
      call: 'GET /users',
    });
    expect(more).toEqual([]);
    const admin = await api.admin();
    const created = await api.http.post(`${SELF}/api-tokens`).set(admin.auth).send({ label: 'own', scope: 'write' });
    const bearer = `Bearer ${(created.body as { token: string }).token}`;
    const lines = await eventsOf(() => api.http.get('/api/users').set('authorization', bearer));
    expect(lines).toMatchObject([
      { account_id: admin.id, credential_id: String((created.body as { id: number }).id), call: 'GET /users' },
    ]);
  });

  it('is not logged for a visitor, nor for a rejected call of users', async () => {
    const account = await api.unverified();
    const lines = await eventsOf(async () => [
      await api.http.get('/api/users'),
      await api.http.put(`${SELF}/username`).set(account.auth).send({ username: 'another' }),
    ]);
    expect(lines).toEqual([]);
  });
});

describe('link', () => {
  it('is logged when it is used again', async () => {
    const account = await api.user();
    await api.http.post('/api/auth/forgot-password').send({ email: account.email });
    const token = await api.linkToken(account.email, 'reset-password');
    const reset = () => api.http.post('/api/auth/reset-password').send({ token, new_password: 'a-harbour-light' });
    expect(await eventsOf(reset)).toEqual([]);
    expect(await eventsOf(reset)).toMatchObject([{ kind: 'link_reused', account_id: account.id }]);
    expect(api.logged()).not.toContain(token);
  });

  it('is not logged when a verification link is opened again', async () => {
    const account = await api.unverified();
    const token = await api.linkToken(account.email, 'verify-email');
    const verify = () => api.http.get('/api/auth/verify-email').query({ token });
    expect(await eventsOf(async () => [await verify(), await verify()])).toEqual([]);
  });
});

describe('API token', () => {
  const mail = 'Your Moorage API token was used from a new network';
  async function tokenOf(account: TestAccount, from = HOME): Promise<(from: string) => Promise<number>> {
    const created = await api.http
      .post(`${SELF}/api-tokens`)
      .set(account.auth)
      .set('x-forwarded-for', from)
      .send({ label: 'Backup', scope: 'read' });
    const { token } = created.body as { token: string };
    return async (address) =>
      (await api.http.get('/api/users/me').set('authorization', `Bearer ${token}`).set('x-forwarded-for', address))
        .status;
  }

  it('is reported to its owner once per new network, but not for the one it was created in', async () => {
    const account = await api.user();
    const use = await tokenOf(account);
    const away = elsewhere();
    expect(await eventsOf(() => use(HOME))).toEqual([]);
    expect(await eventsOf(async () => [await use(away), await use(away)])).toMatchObject([
      { kind: 'token_new_network', account_id: account.id, network: network(away), credential_id: expect.any(String) },
    ]);
    expect(await eventsOf(async () => [await use(HOME), await use(away)])).toEqual([]);
    expect((await subjectsTo(account)).filter((subject) => subject === mail)).toHaveLength(1);
  });

  it('created before networks were stored is reported from its second network', async () => {
    const account = await api.user();
    const use = await tokenOf(account);
    await api.database.sql(`update user_tokens set networks = '{}' where user_id = $1`, [account.id]);
    expect(await eventsOf(() => use(elsewhere()))).toEqual([]);
    expect(await eventsOf(() => use(elsewhere()))).toHaveLength(1);
  });

  it('remembers ten networks and sends at most five emails a day', async () => {
    const limits = { ...api.settings.limits, token_network_mail: LIMITS.token_network_mail };
    const strict = await apiHarness({
      beside: api,
      settings: { trustedProxies: ['127.0.0.1'], limits: limits as never },
    });
    try {
      const account = await api.user();
      const created = await api.http
        .post(`${SELF}/api-tokens`)
        .set(account.auth)
        .send({ label: 'Roaming', scope: 'read' });
      const bearer = `Bearer ${(created.body as { token: string }).token}`;
      for (let used = 0; used < 12; used++)
        await strict.http.get('/api/users/me').set('authorization', bearer).set('x-forwarded-for', elsewhere());
      const rows = await api.database.sql(
        `select cardinality(networks) as networks from user_tokens where user_id = $1 and purpose = 'api_token'`,
        [account.id],
      );
      expect(rows).toEqual([{ networks: 10 }]);
      const mails = await api.database.sql(
        `select 1 from mails where recipient = $1 and template = 'api_token_network'`,
        [account.email],
      );
      expect(mails).toHaveLength(5);
    } finally {
      await strict.close();
    }
  });
});

describe('flood of events', () => {
  it('is counted in full and logged ten times a minute per network, a hundred times in total', async () => {
    let now = Date.parse('2026-11-28T12:00:00Z');
    const lines: { kind: string; count?: number; message: string }[] = [];
    const metrics = api.api.app.get(Metrics);
    const log = createLog({ level: 'info', service: 'api', write: (line) => lines.push(JSON.parse(line) as never) });
    const events = new SecurityEvents(log, { localNow: () => now } as Clock, metrics);
    const from = (network: string) => ({ origin: { networks: [network] } }) as unknown as RequestContext;
    const counted = async () =>
      Number(/moorage_security_events_total\{kind="link_reused"[^}]*\} (\d+)/.exec(await metrics.text())?.[1]);
    const before = await counted();
    for (let tries = 0; tries < 15; tries++) events.record('link_reused', {}, from('203.0.113.0/24'));
    expect([lines.length, (await counted()) - before]).toEqual([10, 15]);
    for (let tries = 0; tries < 105; tries++) events.record('link_reused', {}, from(`198.51.${tries}.0/24`));
    expect(lines).toHaveLength(100);
    now += MINUTE_MS;
    events.record('link_reused', {}, from('203.0.113.0/24'));
    expect(lines.slice(100)).toEqual([
      expect.objectContaining({ message: 'security events counted without log lines', kind: 'link_reused', count: 20 }),
      expect.objectContaining({ message: 'security event', kind: 'link_reused' }),
    ]);
  });
});

it('documents every kind of event for operators', () => {
  const [, section = ''] = readFileSync('docs/operating.md', 'utf8').split('\n## Security events\n');
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, kind]) => kind);
  expect(rows).toEqual(Object.keys(SECURITY_EVENTS));
});
