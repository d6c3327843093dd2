import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Access, ALL_CALLS, type Call } from '@moorage/contracts';
import { neighbours, ordered } from '../deployments/testing';
import { type ApiHarness, apiHarness, type TestAccount } from './testing';

/**
 * Who may call what. The middle column is written out a second time on purpose: a row of the table of calls whose access
 * changes, or that is new, fails here until somebody has thought about it. `whose`: the object named in the path belongs to
 * somebody, and this says who reaches it besides its owner (`owner`: nobody; `admin`: administrators).
 */
const EXPECTED: Readonly<Record<string, readonly [access: Access, whose?: 'owner' | 'admin']>> = {
  'POST /auth/login': ['public'],
  'POST /auth/logout': ['user'],
  'GET /auth/me': ['user'],
  'GET /auth/verify-email': ['public'],
  'POST /auth/forgot-password': ['public'],
  'POST /auth/reset-password': ['public'],
  'POST /users': ['public'],
  'GET /users/me': ['user'],
  'PUT /users/self/language': ['user'],
  'POST /users/resend-verification': ['user'],
  'GET /users/self/api-tokens': ['user'],
  'POST /users/self/api-tokens': ['verified'],
  'DELETE /users/self/api-tokens/{id}': ['user', 'owner'],
  'GET /users': ['admin'],
  'GET /users/{id}': ['admin'],
  'GET /users/{id}/deployments': ['admin'],
  'GET /users/{id}/balance': ['user', 'admin'],
  'GET /health/details': ['admin'],
  'GET /deployments/packages': ['public'],
  'GET /deployments/packages/{name}/config': ['public'],
  'GET /deployments/cloud-providers': ['public'],
  'GET /deployments/regions/{provider}': ['public'],
  'GET /deployments/instance-types/{provider}/{region}': ['public'],
  'GET /pricing': ['public'],
  'POST /deployments/pricing/calculate': ['public'],
  'GET /servers': ['user'],
  'GET /servers/periphery-script': ['user'],
  'POST /servers/validate-vps': ['verified'],
  'GET /deployments': ['user'],
  'POST /deployments': ['verified'],
  'GET /deployments/counts': ['user'],
  'GET /deployments/user/{id}': ['user', 'admin'],
  'GET /deployments/{id}': ['user', 'admin'],
  'GET /deployments/{id}/status': ['user', 'admin'],
  'GET /deployments/{id}/steps': ['user', 'admin'],
  'GET /deployments/{id}/progress': ['user', 'admin'],
  'GET /deployments/{id}/dns': ['user', 'admin'],
  'GET /deployments/{id}/support-level': ['user', 'admin'],
  'PATCH /deployments/{id}': ['verified', 'admin'],
  'POST /deployments/{id}/restart': ['verified', 'admin'],
  'POST /deployments/{id}/retry-dns-validation': ['verified', 'admin'],
  'DELETE /deployments/{id}': ['user', 'admin'],
  'POST /deployments/{id}/reopen': ['admin'],
  'POST /deployments/{id}/reveal-secrets': ['user', 'owner'],
  'GET /billing/balance': ['user'],
  'GET /billing/runway': ['user'],
  'GET /billing/transactions': ['user'],
  'GET /billing/admin/transactions': ['admin'],
  'POST /billing/admin/users/{id}/adjust-balance': ['admin'],
  'GET /referrals/validate-code/{code}': ['public'],
  'GET /referrals/my-link': ['user'],
  'GET /referrals/stats': ['user'],
  'GET /referrals/credits': ['user'],
  'GET /signup-credits': ['user'],
  'POST /stripe/create-checkout-session': ['user'],
  'POST /webhooks/stripe': ['webhook'],
  'GET /stripe/test-checkout/{session_id}': ['public'],
  'POST /stripe/test-checkout/{session_id}': ['public'],
  'GET /live': ['user'],
  'GET /mailbox': ['user'],
  'GET /mailbox/{id}': ['user', 'admin'],
  'POST /deployments/package-request': ['user'],
  'POST /support/contact': ['public'],
  'GET /console/settings': ['public'],
  'GET /health/live': ['public'],
  'GET /health/ready': ['public'],
  'GET /docs-json': ['public'],
};

const ROLES = ['visitor', 'unverified', 'user', 'admin', 'deactivated', 'ended session'] as const;
type Role = (typeof ROLES)[number];

/** What the gate says to a role, whatever the call does afterwards; null: it lets pass. */
function gate(access: Access, role: Role): string | null {
  if (access === 'public' || access === 'webhook') return null;
  if (role === 'visitor' || role === 'deactivated' || role === 'ended session') return '401 UNAUTHENTICATED';
  if (access === 'admin') return role === 'admin' ? null : '403 FORBIDDEN';
  return access === 'verified' && role === 'unverified' ? '403 EMAIL_NOT_VERIFIED' : null;
}

const GATE_ANSWERS = ['401 UNAUTHENTICATED', '403 FORBIDDEN', '403 EMAIL_NOT_VERIFIED'];

const nameOf = ({ method, path }: Call): string => `${method} ${path}`;

describe('who may call what', () => {
  let api: ApiHarness;
  const accounts = new Map<Role, TestAccount>();
  let owner: TestAccount;
  /** An id of each kind of thing that is the owner's. */
  let owned: Readonly<Record<string, number>>;
  beforeAll(async () => {
    api = await apiHarness();
    accounts.set('unverified', await api.unverified());
    accounts.set('user', await api.user());
    accounts.set('admin', await api.admin());
    accounts.set('deactivated', await api.deactivated());
    const ended = await api.user();
    await api.http.post('/api/auth/logout').set(ended.auth);
    accounts.set('ended session', ended);
    owner = await api.user();
    await api.pay(owner, 2000);
    const token = await api.http.post('/api/users/self/api-tokens').set(owner.auth).send({ label: 'x' });
    const deployment = await ordered(api, owner);
    await (await neighbours(api)).bring(deployment.id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
    await api.run();
    const letters = await api.http.get('/api/mailbox').set(owner.auth);
    const mailbox = (letters.body as { id: number }[])[0]?.id ?? 0;
    owned = { users: owner.id, mailbox, 'api-tokens': (token.body as { id: number }).id, deployments: deployment.id };
  });
  afterAll(() => api.close());

  const headers = (role: Role): Record<string, string> => ({ ...accounts.get(role)?.auth });

  /** Sends the call with an empty body: past the gate it may be refused for many reasons, but none of them the gate's. */
  async function answer(
    call: Call,
    path: string,
    auth: Record<string, string>,
  ): Promise<{ told: string; body: unknown }> {
    // an open stream never ends: only its beginning counts
    if (call.path === '/live') {
      const { statusCode, payload } = await api.api.app
        .inject({ method: 'GET', url: `/api${path}`, headers: auth, payloadAsStream: true })
        .then((response) => {
          response.stream().destroy();
          return { statusCode: response.statusCode, payload: {} };
        });
      return { told: statusCode === 401 ? '401 UNAUTHENTICATED' : String(statusCode), body: payload };
    }
    const { status, body } = await api.http[METHODS[call.method]](`/api${path}`)
      .set(auth)
      .send(call.method === 'GET' ? undefined : {});
    return { told: `${status} ${(body as { code?: string } | null)?.code ?? ''}`.trim(), body };
  }

  const somewhere = (path: string, id: number): string =>
    `${path}${QUERIES[path] ?? ''}`
      .replace('{id}', String(id))
      .replace('{name}', 'nothing')
      .replace('{provider}', 'nothing')
      .replace('{region}', 'nothing')
      .replace('{session_id}', 'cs_test_0000000000000000000');

  it('every call has its line here, with the access it has there', () => {
    expect(Object.fromEntries(ALL_CALLS.map((call) => [nameOf(call), call.access]))).toEqual(
      Object.fromEntries(Object.entries(EXPECTED).map(([name, [access]]) => [name, access])),
    );
  });

  it('every call with an id in its path says whose it is', () => {
    const silent = ALL_CALLS.filter(
      (call) => call.path.includes('{id}') && call.access !== 'admin' && EXPECTED[nameOf(call)]?.[1] === undefined,
    );
    expect(silent.map(nameOf)).toEqual([]);
  });

  describe.each(ROLES)('%s', (role) => {
    it.each(ALL_CALLS.map((call) => [nameOf(call), call] as const))('%s', async (name, call) => {
      const wanted = gate(EXPECTED[name]?.[0] ?? call.access, role);
      // logging out would end the role
      if (name === 'POST /auth/logout' && wanted === null) return;
      const { told } = await answer(call, somewhere(call.path, 999_999), headers(role));
      if (wanted === null) expect(GATE_ANSWERS).not.toContain(told);
      else expect(told).toBe(wanted);
    });
  });

  describe('what is somebody else’s', () => {
    const calls = ALL_CALLS.filter((call) => call.path.includes('{id}') && call.access !== 'admin');
    const kindOf = (path: string) =>
      path.includes('api-tokens')
        ? 'api-tokens'
        : path.startsWith('/users') || path.includes('/user/')
          ? 'users'
          : 'deployments';

    it.each(calls.map((call) => [nameOf(call), call] as const))(
      '%s: the same answer as for what is not there',
      async (_, call) => {
        const before = await api.database.sql('select version, status from deployments');
        const body = call.method === 'PATCH' ? { support_level: 2 } : {};
        const send = (id: number) =>
          api.http[METHODS[call.method]](`/api${somewhere(call.path, id)}`)
            .set(headers('user'))
            .send(call.method === 'GET' ? undefined : body);
        const foreign = await send(owned[kindOf(call.path)] ?? 0);
        const absent = await send(999_999);
        expect([foreign.status, foreign.body]).toEqual([404, absent.body]);
        expect(absent.status).toBe(404);
        expect(await api.database.sql('select version, status from deployments')).toEqual(before);
      },
    );

    it.each(calls.map((call) => [nameOf(call), call] as const))(
      '%s: an administrator reaches it, or not',
      async (name, call) => {
        const { told } = await answer(call, somewhere(call.path, owned[kindOf(call.path)] ?? 0), headers('admin'));
        if (EXPECTED[name]?.[1] === 'admin') expect(told).not.toMatch(/^(401|403|404)/);
        else expect(told).toBe('404 NOT_FOUND');
      },
    );
  });
});

/** What a call has to be asked with before it looks whose the thing is. */
const QUERIES: Readonly<Record<string, string>> = { '/deployments/{id}/support-level': '?level=2' };

const METHODS = { GET: 'get', POST: 'post', PATCH: 'patch', PUT: 'put', DELETE: 'delete' } as const;
