import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS, MINUTE_MS } from '@moorage/domain';
import { Secret, TOTP } from 'otpauth';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

/** H1, M1 and M2 of the second security review: the rights of a credential are fixed when it is created. */

let api: ApiHarness;
let strict: ApiHarness;
beforeAll(async () => {
  api = await apiHarness();
  strict = await apiHarness({ beside: api, settings: { adminsNeedTwoFactor: true } });
});
afterAll(async () => {
  await strict.close();
  await api.close();
});

type Bearer = Readonly<Record<'authorization', string>>;

const SELF = '/api/users/self';
const outcome = ({ status, body }: { status: number; body: unknown }) =>
  [status, (body as { code?: string }).code].filter((part) => part !== undefined);
const fields = ({ body }: { body: unknown }) =>
  (body as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => [path, code]);

/** Opens an ordinary session with an authentication that ages with the clock. */
async function session({ email, password }: TestAccount, otp?: string): Promise<Bearer> {
  const answer = await api.http.post('/api/auth/login').send({ username: email, password, otp });
  expect(answer.status).toBe(200);
  return { authorization: `Bearer ${(answer.body as { access_token: string }).access_token}` };
}

async function token(bearer: Bearer, scope: string): Promise<Bearer> {
  const answer = await api.http.post(`${SELF}/api-tokens`).set(bearer).send({ label: scope, scope });
  expect(answer.status).toBe(201);
  return { authorization: `Bearer ${(answer.body as { token: string }).token}` };
}

/** Enables the second factor. Returns a generator of the app's codes, each for a different period. */
async function turnOn(bearer: Bearer): Promise<() => string> {
  const begun = await api.http.post(`${SELF}/two-factor`).set(bearer).send({});
  const totp = new TOTP({ secret: Secret.fromBase32((begun.body as { secret: string }).secret) });
  const code = () => totp.generate({ timestamp: api.deps.clock.localNow() });
  expect((await api.http.post(`${SELF}/two-factor/confirm`).set(bearer).send({ otp: code() })).status).toBe(200);
  return () => {
    api.pass(MINUTE_MS);
    strict.pass(MINUTE_MS);
    return code();
  };
}

const users = (bearer: Bearer, on = api) => on.http.get('/api/users').set(bearer);
const isIn = async (bearer: Bearer) => (await api.http.get('/api/auth/me').set(bearer)).status === 200;

describe('turning on the second factor', () => {
  it('grants no administrator rights to sessions and tokens obtained with the password only', async () => {
    const admin = await api.admin();
    const [passwordOnly, owner] = [await session(admin), await session(admin)];
    const created = await token(passwordOnly, 'write');
    expect(outcome(await users(passwordOnly, strict))).toEqual([403, 'TWO_FACTOR_REQUIRED']);
    await turnOn(owner);
    expect(outcome(await users(passwordOnly, strict))).toEqual([401, 'UNAUTHENTICATED']);
    expect(outcome(await users(created, strict))).toEqual([403, 'FORBIDDEN']);
    expect((await users(owner, strict)).status).toBe(200);
  });

  it.each(['confirm', 'recovery-codes', 'disable'])('ends the other sessions on every change (%s)', async (change) => {
    const account = await api.user();
    const owner = await session(account);
    const code = change === 'confirm' ? undefined : (await turnOn(owner))();
    const other = await session(account, code);
    if (change === 'confirm') await turnOn(owner);
    else expect((await api.http.post(`${SELF}/two-factor/${change}`).set(owner).send({})).status).toBe(200);
    expect([await isIn(owner), await isIn(other)]).toEqual([true, false]);
  });

  it('withdraws administrator rights from a session without a code until it enters one', async () => {
    const admin = await api.admin();
    const code = await turnOn(admin.auth);
    await api.database.sql('update sessions set second_factor_at = null where user_id = $1', [admin.id]);
    expect(outcome(await users(admin.auth))).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
    const answer = await api.http
      .post(`${SELF}/reauthentication`)
      .set(admin.auth)
      .send({ password: admin.password, otp: code() });
    expect(answer.status).toBe(200);
    expect((await users(admin.auth)).status).toBe(200);
  });
});

describe('promotion to administrator', () => {
  it('grants nothing to sessions and tokens from before the promotion', async () => {
    const [bob, admin] = [await api.user(), await api.admin()];
    const old = await session(bob);
    const [reads, writes] = [await token(old, 'read'), await token(old, 'write')];
    expect((await api.http.patch(`/api/users/${bob.id}/make-admin`).set(admin.auth)).status).toBe(200);
    expect(outcome(await users(old))).toEqual([401, 'UNAUTHENTICATED']);
    expect(outcome(await users(reads))).toEqual([403, 'FORBIDDEN']);
    const adjust = api.http.post(`/api/billing/admin/users/${admin.id}/adjust-balance`).set(writes).send({ amount: 5 });
    expect(outcome(await adjust)).toEqual([403, 'FORBIDDEN']);
    // The token still works for its original purpose.
    expect((await api.http.get('/api/deployments').set(reads)).status).toBe(200);
  });
});

describe('change of the email address', () => {
  it('ends every session except the one that requested it', async () => {
    const account = await api.user();
    const [asks, other] = [await session(account), await session(account)];
    const email = `moved-${account.id}@example.net`;
    expect((await api.http.post(`${SELF}/email-change`).set(asks).send({ email })).status).toBe(200);
    const link = await api.linkToken(email, 'verify-email');
    await api.http.get('/api/auth/verify-email').query({ token: link });
    expect([await isIn(asks), await isIn(other)]).toEqual([true, false]);
  });
});

describe('API token', () => {
  it('administers only with a scope that an administrator’s session grants', async () => {
    const [admin, user] = [await api.admin(), await api.user()];
    const customer = await session(user);
    const refused = await api.http.post(`${SELF}/api-tokens`).set(customer).send({ label: 'x', scope: 'admin' });
    expect(outcome(refused)).toEqual([403, 'FORBIDDEN']);
    const bearer = await session(admin);
    expect(outcome(await users(await token(bearer, 'write')))).toEqual([403, 'FORBIDDEN']);
    const administers = await token(bearer, 'admin');
    expect((await users(administers)).status).toBe(200);
    const again = await api.http.post(`${SELF}/api-tokens`).set(administers).send({ label: 'x', scope: 'admin' });
    expect(outcome(again)).toEqual([403, 'FORBIDDEN']);
  });

  it('cannot move money, whatever its scope', async () => {
    const [admin, user] = [await api.admin(), await api.user()];
    const administers = await token(await session(admin), 'admin');
    const adjust = await api.http
      .post(`/api/billing/admin/users/${user.id}/adjust-balance`)
      .set(administers)
      .send({ amount: 5 });
    expect(outcome(adjust)).toEqual([403, 'FORBIDDEN']);
  });

  it('expires after 90 days by default', async () => {
    const account = await api.user();
    for (const more of [{}, { expires_in_days: null }]) {
      const created = await api.http
        .post(`${SELF}/api-tokens`)
        .set(account.auth)
        .send({ label: 'x', ...more });
      const { expires_at: end } = created.body as { expires_at: string };
      expect(Math.round((Date.parse(end) - api.deps.clock.localNow()) / DAY_MS)).toBe(90);
    }
  });

  it('loses administrator rights when the second factor of its owner changes', async () => {
    const admin = await api.admin();
    const owner = await session(admin);
    const administers = await token(owner, 'admin');
    await turnOn(owner);
    expect(outcome(await users(administers))).toEqual([401, 'UNAUTHENTICATED']);
    expect((await users(await token(owner, 'admin'))).status).toBe(200);
  });
});

describe('recent authentication', () => {
  const SENSITIVE = [
    ['POST', '/email-change', { email: 'elsewhere@example.net' }],
    ['PUT', '/password', { current_password: 'x', new_password: 'another-1' }],
    ['POST', '/two-factor', {}],
    ['POST', '/api-tokens', { label: 'x' }],
    ['DELETE', '', {}],
  ] as const;
  const request = (bearer: Bearer, [method, path, body]: (typeof SENSITIVE)[number]) =>
    api.http[method === 'POST' ? 'post' : method === 'PUT' ? 'put' : 'delete'](`${SELF}${path}`).set(bearer).send(body);

  it('expires after ten minutes and is renewed with the password', async () => {
    const account = await api.user();
    const bearer = await session(account);
    api.pass(10 * MINUTE_MS);
    for (const call of SENSITIVE)
      expect(outcome(await request(bearer, call))).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
    const confirm = (password: string) => api.http.post(`${SELF}/reauthentication`).set(bearer).send({ password });
    expect(fields(await confirm('not the password'))).toEqual([['password', 'own_account.password_wrong']]);
    expect(outcome(await request(bearer, SENSITIVE[3]))).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
    expect((await confirm(account.password)).status).toBe(200);
    expect((await request(bearer, SENSITIVE[3])).status).toBe(201);
    // Another session of the account does not become more recent.
    const other = await session(account);
    api.pass(10 * MINUTE_MS);
    await confirm(account.password);
    expect(outcome(await request(other, SENSITIVE[3]))).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  });

  it('requires the second factor where it is on, with each code accepted once', async () => {
    const account = await api.user();
    const bearer = await session(account);
    const code = await turnOn(bearer);
    const confirm = (otp?: string) =>
      api.http.post(`${SELF}/reauthentication`).set(bearer).send({ password: account.password, otp });
    expect(fields(await confirm())).toEqual([['otp', 'own_account.code_needed']]);
    expect(fields(await confirm('000000'))).toEqual([['otp', 'own_account.code_wrong']]);
    const right = code();
    expect((await confirm(right)).status).toBe(200);
    expect(fields(await confirm(right))).toEqual([['otp', 'own_account.code_wrong']]);
  });

  it('is required of an administrator deleting a deployment, but not of its owner', async () => {
    const [admin, user] = [await api.admin(), await api.user()];
    const [administers, owns] = [await session(admin), await session(user)];
    api.pass(10 * MINUTE_MS);
    const remove = (bearer: Bearer) => api.http.delete('/api/deployments/999999').set(bearer);
    expect(outcome(await remove(administers))).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
    expect(outcome(await remove(owns))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('money of an administrator', () => {
  it('cannot be moved by the same administrator', async () => {
    const admin = await api.admin();
    const adjust = (id: number) =>
      api.http.post(`/api/billing/admin/users/${id}/adjust-balance`).set(admin.auth).send({ amount: 100_000 });
    expect(outcome(await adjust(admin.id))).toEqual([409, 'ACCOUNT_STATE']);
    expect((await adjust((await api.user()).id)).status).toBe(200);
  });

  it('cannot be moved by a refund, a credit, a referral or a request for credits', async () => {
    const admin = await api.admin();
    await api.pay(admin, 1000);
    const [payment] = await api.database.sql<{ id: string }>('select id from checkout_sessions where user_id = $1', [
      admin.id,
    ]);
    const credit = await api.deps.db.tx('test.credit', async (tx) =>
      api.deps.ledger.grantCredit(tx, { userId: admin.id, creditType: 'signup', at: await api.deps.clock.now(tx) }),
    );
    const [referral] = await api.database.sql<{ id: number }>(
      `insert into referral_pairs (referred_user_id, referrer_user_id, state, doubts, verified_at)
         values ($1, $2, 'waiting', '{monthly_cap}', now()) returning id`,
      [(await api.user()).id, admin.id],
    );
    const refund = await api.http
      .post(`/api/billing/admin/payments/${payment?.id}/refund`)
      .set(admin.auth)
      .send({ amount_cents: 100, reason: 'mine' });
    const adjusted = await api.http
      .patch(`/api/referrals/admin/credits/${credit}/adjust`)
      .set(admin.auth)
      .send({ amount: 9 });
    const approved = await api.http.post(`/api/referrals/admin/referrals/${referral?.id}/approve`).set(admin.auth);
    for (const answer of [refund, adjusted, approved]) expect(outcome(answer)).toEqual([409, 'ACCOUNT_STATE']);
  });
});
