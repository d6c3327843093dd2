import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AuditAction, auditLog } from '@moorage/database';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@moorage/domain';
import { ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
let admin: TestAccount;
beforeAll(async () => {
  api = await apiHarness();
  admin = await api.admin();
});
afterAll(() => api.close());

type Rows = Record<string, unknown>[];
const get = (id: number, what: string, who = admin) => api.http.get(`/api/users/${id}/${what}`).set(who.auth);
const rowsOf = async (id: number, what: string): Promise<Rows> => {
  const { status, body } = await get(id, what);
  expect(status).toBe(200);
  return body as Rows;
};
const endSessions = (id: number) => api.http.delete(`/api/users/${id}/sessions`).set(admin.auth);
const isIn = async ({ auth }: Pick<TestAccount, 'auth'>) =>
  (await api.http.get('/api/auth/me').set(auth)).status === 200;
async function loggedIn(account: TestAccount, userAgent: string): Promise<TestAccount> {
  const answer = await api.http
    .post('/api/auth/login')
    .set('user-agent', userAgent)
    .send({ username: account.email, password: account.password });
  const { access_token: token } = answer.body as { access_token: string };
  return { ...account, token, auth: { authorization: `Bearer ${token}` } };
}
const record = (subject: string, action: AuditAction, facts: object = {}, actor?: number) =>
  api.deps.db.tx('test.record', async (tx) =>
    auditLog.record(tx, {
      action,
      subject,
      facts,
      at: await api.deps.clock.now(tx),
      ...(actor === undefined ? {} : { actor }),
    }),
  );

const LISTS = ['sessions', 'credits', 'mails', 'support-messages', 'history'];

describe('records of a user', () => {
  it.each(LISTS)('%s: are returned for a deactivated account, not for an unknown or erased one', async (what) => {
    const [erased, gone] = [await api.deactivated(), await api.deactivated()];
    await api.database.sql('update users set erased_at = now() where id = $1', [erased.id]);
    for (const id of [erased.id, 999_999]) {
      const { status, body } = await get(id, what);
      expect([status, body]).toEqual([404, expect.objectContaining({ message_code: 'access.account_unknown' })]);
    }
    expect((await get(gone.id, what)).status).toBe(200);
  });

  it.each(LISTS)('%s: are for administrators only', async (what) => {
    const user = await api.user();
    expect((await get(user.id, what, user)).status).toBe(403);
  });
});

describe('sessions', () => {
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

  it('are listed if active, last used first, without credentials', async () => {
    const [user, other] = [await api.user(), await api.user()];
    api.pass(HOUR_MS);
    const ended = await loggedIn(user, 'x');
    await api.http.post('/api/auth/logout').set(ended.auth);
    await loggedIn(user, FIREFOX);
    const rows = await rowsOf(user.id, 'sessions');
    expect(rows).toEqual([
      expect.objectContaining({ browser: 'Firefox', system: 'Linux' }),
      expect.objectContaining({ browser: null, system: null }),
    ]);
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual([
      'browser',
      'created_at',
      'expires_at',
      'id',
      'ip_address',
      'last_used_at',
      'system',
    ]);
    const [theirs] = await rowsOf(other.id, 'sessions');
    expect(rows.map(({ id }) => id)).not.toContain(theirs?.id);
  });

  it('end all at once with a record, while API tokens and other users’ sessions stay', async () => {
    const [user, other] = [await api.user(), await api.user()];
    const second = await loggedIn(user, FIREFOX);
    const created = await api.http.post('/api/users/self/api-tokens').set(user.auth).send({ label: 'script' });
    const script = { auth: { authorization: `Bearer ${(created.body as { token: string }).token}` } };
    const answer = await endSessions(user.id);
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ code: 'users.sessions_ended', facts: { name: user.username } }),
    ]);
    expect(await Promise.all([user, second, script, other, admin].map(isIn))).toEqual([false, false, true, true, true]);
    expect(await rowsOf(user.id, 'sessions')).toEqual([]);
    expect((await rowsOf(user.id, 'history'))[0]).toEqual(
      expect.objectContaining({
        what: expect.objectContaining({ code: 'history.account_signed_out' }),
        by: { id: admin.id, username: admin.username },
        via: 'session',
        ip_address: '127.0.0.1',
      }),
    );
    expect(await isIn(await loggedIn(user, FIREFOX))).toBe(true);
  });

  it('cannot be ended for an unknown account', async () => {
    expect((await endSessions(999_999)).status).toBe(404);
  });
});

describe('credits', () => {
  const grant = (userId: number, type: 'signup' | 'referrer', expiresInMs: number) =>
    api.deps.db.tx('test.grant', async (tx) => {
      const at = await api.deps.clock.now(tx);
      await tx.execute(
        `insert into credits (user_id, credit_type, amount_micros, remaining_micros, granted_at, expires_at)
         values ($1, $2, 5000000, 5000000, $3, $4)`,
        [userId, type, new Date(at - DAY_MS).toISOString(), new Date(at + expiresInMs).toISOString()],
      );
    });

  it('include expired ones, newest first', async () => {
    const [user, other] = [await api.unverified(), await api.unverified()];
    await grant(user.id, 'signup', -MINUTE_MS);
    await grant(other.id, 'signup', DAY_MS);
    await grant(user.id, 'referrer', DAY_MS);
    expect(await rowsOf(user.id, 'credits')).toEqual([
      expect.objectContaining({ credit_type: 'referrer', amount: 5, remaining_amount: 5, is_expired: false }),
      expect.objectContaining({ credit_type: 'signup', amount: 5, remaining_amount: 0, is_expired: true }),
    ]);
  });
});

describe('emails', () => {
  it('are listed with status and time, newest first, without their contents', async () => {
    const user = await api.user();
    await api.user();
    await api.http.post('/api/auth/forgot-password').send({ email: user.email });
    const rows = await rowsOf(user.id, 'mails');
    expect(rows[0]).toEqual({
      id: expect.any(Number),
      template: 'reset_password',
      title: { code: 'mail_title.reset_password', facts: {}, detail: 'Reset your password' },
      created_at: expect.any(String),
      sent_at: null,
      given_up_at: null,
      is_refused: false,
    });
    expect(rows.at(-1)).toMatchObject({ template: 'verify_email', sent_at: expect.any(String) });
    const ids = rows.map(({ id }) => id as number);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    const all = await api.database.sql<{ id: string }>('select id from mails where recipient = $1', [user.email]);
    expect(ids.toSorted((a, b) => a - b)).toEqual(all.map(({ id }) => Number(id)).sort((a, b) => a - b));
    const token = await api.linkToken(user.email, 'reset-password');
    expect(JSON.stringify(await rowsOf(user.id, 'mails'))).not.toContain(token);
  });

  it('are listed under the template name if the template is unknown', async () => {
    const user = await api.user();
    await api.database.sql(
      `insert into mails (cause, recipient, template, facts, created_at) values ($1, $2, 'constructor', '{}', now())`,
      [`older:${user.id}`, user.email],
    );
    const [row] = await rowsOf(user.id, 'mails');
    expect(row).toMatchObject({ template: 'constructor', title: { code: 'stored', detail: 'constructor' } });
  });

  it('are limited to the newest hundred', async () => {
    const user = await api.user();
    await api.database.sql(
      `insert into mails (cause, recipient, template, facts, created_at)
       select 'many:' || $1 || ':' || i, $2, case i when 120 then 'welcome' else 'balance_low' end, '{}', now()
       from generate_series(1, 120) i`,
      [String(user.id), user.email],
    );
    const rows = await rowsOf(user.id, 'mails');
    expect([rows.length, rows[0]?.template, rows.at(-1)?.template]).toEqual([100, 'welcome', 'balance_low']);
  });
});

describe('messages to support', () => {
  it('written while logged in are listed newest first', async () => {
    const [user, other] = [await api.user(), await api.user()];
    const write = (who: TestAccount | null, subject: string) =>
      api.http
        .post('/api/support/contact')
        .set(who === null ? {} : who.auth)
        .send({ name: 'Jane', email: user.email, subject, message: `about ${subject}` });
    await write(user, 'first');
    await write(other, 'of another');
    await write(null, 'of a visitor who names the address');
    const requested = await api.http
      .post('/api/deployments/package-request')
      .set(user.auth)
      .send({ package_name: 'gitea', reason: 'We need it.' });
    expect(requested.status).toBeLessThan(300);
    expect(await rowsOf(user.id, 'support-messages')).toEqual([
      expect.objectContaining({ kind: 'package' }),
      {
        id: expect.any(Number),
        kind: 'contact',
        subject: 'first',
        message: 'about first',
        created_at: expect.any(String),
      },
    ]);
  });
});

describe('history', () => {
  it('lists actions on the account and its deployments by any actor, newest first', async () => {
    const [user, other] = [await api.user(), await api.user()];
    await api.pay(user, 2000);
    await api.pay(other, 2000);
    const [deployment, theirs] = [await ordered(api, user), await ordered(api, other)];
    const adjust = (amount: number) =>
      api.http
        .post(`/api/billing/admin/users/${user.id}/adjust-balance`)
        .set(admin.auth)
        .send({ amount, description: 'Agreed.' });
    expect((await adjust(5)).status).toBe(200);
    expect((await adjust(-2.5)).status).toBe(200);
    await api.http.post(`/api/deployments/${deployment.id}/reveal-secrets`).set(user.auth);
    await api.http.post(`/api/deployments/${theirs.id}/reveal-secrets`).set(other.auth);
    await record(`deployment:${deployment.id}`, 'server.loss_confirmed', { by: 'mira' });
    await api.http.post(`/api/users/${user.id}/impersonation`).set(admin.auth).send({ reason: 'ticket 12' });
    await record(`user:${other.id}`, 'account.demoted');
    await record(`user:${user.id}`, 'account.prepared', { count: 2 }, admin.id);
    const by = { id: admin.id, username: admin.username };
    const rows = await rowsOf(user.id, 'history');
    expect(rows.map(({ what, by, deployment_id }) => [(what as { detail: string }).detail, by, deployment_id])).toEqual(
      [
        ['Removal of all deployments started: 2', by, null],
        ['Console viewed by an administrator: ticket 12', by, null],
        ['Server confirmed as lost', null, deployment.id],
        ['Secrets viewed', { id: user.id, username: user.username }, deployment.id],
        ['Balance adjusted by -$2.50', by, null],
        ['Balance adjusted by $5.00', by, null],
        ['Deployment ordered', { id: user.id, username: user.username }, deployment.id],
      ],
    );
    expect(rows[1]?.what).toMatchObject({ code: 'history.account_viewed', facts: { reason: 'ticket 12' } });
    expect(rows[0]).toEqual(expect.objectContaining({ id: expect.any(Number), at: expect.any(String) }));
  });

  it('names the actor by the current username', async () => {
    const [user, boss] = [await api.user(), await api.admin()];
    await record(`user:${user.id}`, 'account.promoted', {}, boss.id);
    await api.database.sql('update users set username = $2 where id = $1', [boss.id, 'Renamed Boss']);
    expect(await rowsOf(user.id, 'history')).toEqual([
      expect.objectContaining({ by: { id: boss.id, username: 'Renamed Boss' } }),
    ]);
  });

  it('lists an action without a message under its name', async () => {
    const user = await api.user();
    await record(`user:${user.id}`, 'payment.refused', { because: 'x' });
    const [row] = await rowsOf(user.id, 'history');
    expect(row?.what).toEqual({ code: 'stored', facts: {}, detail: 'payment.refused' });
  });

  it('is limited to the newest hundred', async () => {
    const user = await api.user();
    await api.database.sql(
      `insert into audit_records (action, subject, account_id, facts, at)
       select case i when 120 then 'account.promoted' else 'account.demoted' end, 'user:' || $1::int, $1, '{}', now()
       from generate_series(1, 120) i`,
      [user.id],
    );
    const rows = await rowsOf(user.id, 'history');
    expect([rows.length, (rows[0]?.what as { code: string }).code]).toEqual([100, 'history.account_promoted']);
  });
});
