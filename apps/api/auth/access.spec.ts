import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Access, ALL_CALLS, type BillingDocumentsAnswer, type Call } from '@moorage/contracts';
import { copied, downloaded } from '@moorage/tests/services/api/backups';
import { type Neighbours, neighbours, ordered } from '@moorage/tests/services/api/deployments';
import { EXAMPLES, nameOf } from '@moorage/tests/services/api/threats';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

/**
 * Expected access of every call. The middle column repeats the table of calls on purpose: a row that is new or whose
 * access changes fails here until it has been reviewed. `whose` is set if the object in the path belongs to an account,
 * and states who may access it in addition to the owner (`owner`: no other caller, `admin`: administrators).
 */
const EXPECTED: Readonly<Record<string, readonly [access: Access, whose?: 'owner' | 'admin']>> = {
  'POST /auth/login': ['public'],
  'POST /auth/logout': ['user'],
  'GET /auth/me': ['user'],
  'POST /auth/verify-email': ['public'],
  'GET /auth/verify-email': ['public'],
  'POST /auth/forgot-password': ['public'],
  'POST /auth/reset-password': ['public'],
  'POST /users': ['public'],
  'GET /users/me': ['user'],
  'POST /users/resend-verification': ['user'],
  'PUT /users/self/language': ['user'],
  'PUT /users/self/username': ['verified'],
  'POST /users/self/email-change': ['verified'],
  'DELETE /users/self/email-change': ['user'],
  'PUT /users/self/password': ['verified'],
  'POST /users/self/reauthentication': ['user'],
  'GET /users/self/sessions': ['user'],
  'DELETE /users/self/sessions/{id}': ['user', 'owner'],
  'DELETE /users/self/sessions': ['user'],
  'GET /users/self/sign-ins': ['user'],
  'GET /users/self/activity': ['user'],
  'GET /users/self/api-tokens': ['user'],
  'POST /users/self/api-tokens': ['verified'],
  'DELETE /users/self/api-tokens/{id}': ['user', 'owner'],
  'GET /users/self/two-factor': ['user'],
  'POST /users/self/two-factor': ['verified'],
  'POST /users/self/two-factor/confirm': ['verified'],
  'POST /users/self/two-factor/recovery-codes': ['verified'],
  'POST /users/self/two-factor/disable': ['user'],
  'GET /users/self/notifications': ['user'],
  'PUT /users/self/notifications': ['user'],
  'GET /users/self/exports': ['user'],
  'POST /users/self/exports': ['user'],
  'GET /users/self/exports/{id}/file': ['user', 'owner'],
  'GET /users/self/deletion-check': ['user'],
  'DELETE /users/self': ['user'],
  'GET /users': ['admin'],
  'GET /users/{id}': ['admin'],
  'GET /users/{id}/deployments': ['admin'],
  'POST /users/admin-create': ['admin'],
  'PATCH /users/{id}/make-admin': ['admin'],
  'PATCH /users/{id}/remove-admin': ['admin'],
  'GET /users/{id}/deactivation-check': ['admin'],
  'POST /users/{id}/prepare-deletion': ['admin'],
  'POST /users/{id}/deactivate': ['admin'],
  'POST /users/{id}/reactivate': ['admin'],
  'DELETE /users/{id}': ['admin'],
  'GET /users/{id}/sessions': ['admin'],
  'DELETE /users/{id}/sessions': ['admin'],
  'GET /users/{id}/credits': ['admin'],
  'GET /users/{id}/mails': ['admin'],
  'GET /users/{id}/support-messages': ['admin'],
  'GET /users/{id}/history': ['admin'],
  'POST /users/{id}/impersonation': ['admin'],
  'DELETE /users/{id}/impersonation': ['admin'],
  'GET /users/{id}/balance': ['user', 'admin'],
  'GET /users/{id}/runway': ['admin'],
  'GET /health/details': ['admin'],
  'GET /deployments/packages': ['public'],
  'GET /deployments/packages/{name}/config': ['public'],
  'GET /deployments/cloud-providers': ['public'],
  'GET /deployments/regions/{provider}': ['public'],
  'GET /deployments/instance-types/{provider}/{region}': ['public'],
  'GET /deployments/suggested-place': ['public'],
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
  'GET /deployments/{id}/setup': ['user', 'admin'],
  'GET /deployments/{id}/dns/provider': ['user', 'admin'],
  'POST /deployments/{id}/dns/records': ['verified', 'owner'],
  'GET /deployments/{id}/support-level': ['user', 'admin'],
  'PATCH /deployments/{id}': ['verified', 'admin'],
  'POST /deployments/{id}/restart': ['verified', 'admin'],
  'POST /deployments/{id}/retry-dns-validation': ['verified', 'admin'],
  'DELETE /deployments/{id}': ['user', 'admin'],
  'POST /deployments/{id}/cancel': ['user', 'owner'],
  'POST /deployments/{id}/hand-over': ['verified', 'owner'],
  'POST /deployments/{id}/restore': ['verified', 'owner'],
  'PUT /deployments/{id}/domain': ['verified', 'admin'],
  'GET /deployments/{id}/configuration': ['user', 'admin'],
  'PATCH /deployments/{id}/configuration': ['verified', 'admin'],
  'GET /deployments/{id}/updates': ['user', 'admin'],
  'POST /deployments/{id}/update': ['verified', 'admin'],
  'POST /deployments/{id}/reboot': ['verified', 'admin'],
  'PUT /deployments/{id}/update-settings': ['verified', 'admin'],
  'GET /admin/releases': ['admin'],
  'PUT /admin/releases/{package}/{version}': ['admin'],
  'GET /deployments/{id}/sizes': ['user', 'admin'],
  'GET /deployments/{id}/resize': ['user', 'admin'],
  'POST /deployments/{id}/resize': ['verified', 'admin'],
  'PUT /deployments/{id}/name': ['verified', 'admin'],
  'PUT /deployments/{id}/deletion-lock': ['verified', 'admin'],
  'GET /deployments/unpaid-endings': ['user'],
  'POST /deployments/{id}/dismiss-ending': ['user', 'owner'],
  'GET /deployments/{id}/alternatives': ['user', 'admin'],
  'POST /deployments/{id}/retry': ['verified', 'owner'],
  'POST /deployments/{id}/reopen': ['admin'],
  'POST /deployments/{id}/reveal-secrets': ['user', 'owner'],
  'GET /deployments/{id}/backups': ['user', 'admin'],
  'POST /deployments/{id}/backups': ['verified', 'admin'],
  'POST /deployments/{id}/backups/{backup_id}/restore': ['verified', 'admin'],
  'POST /deployments/{id}/undo-restore': ['verified', 'admin'],
  'POST /deployments/{id}/backups/{backup_id}/deployments': ['verified', 'owner'],
  'POST /deployments/{id}/move': ['verified', 'owner'],
  'POST /deployments/{id}/clone': ['verified', 'owner'],
  'POST /deployments/{id}/move/finish': ['user', 'owner'],
  'POST /deployments/{id}/move/cancel': ['user', 'owner'],
  'GET /deployments/{id}/backup-downloads': ['user', 'owner'],
  'POST /deployments/{id}/backups/{backup_id}/download': ['verified', 'owner'],
  'POST /deployments/{id}/backup-downloads/{download_id}/link': ['user', 'owner'],
  'GET /deployments/{id}/domains': ['user', 'admin'],
  'POST /deployments/{id}/domains': ['verified', 'admin'],
  'DELETE /deployments/{id}/domains/{domain_id}': ['verified', 'admin'],
  'PUT /deployments/{id}/backups/bucket': ['verified', 'owner'],
  'POST /deployments/{id}/backups/bucket/check': ['verified', 'owner'],
  'DELETE /deployments/{id}/backups/bucket': ['verified', 'owner'],
  'GET /deployments/{id}/ssh-keys': ['user', 'admin'],
  'POST /deployments/{id}/ssh-keys': ['verified', 'admin'],
  'DELETE /deployments/{id}/ssh-keys/{key_id}': ['verified', 'admin'],
  'GET /deployments/{id}/metrics': ['user', 'admin'],
  'GET /deployments/{id}/incidents': ['user', 'admin'],
  'POST /deployments/{id}/start-server': ['verified', 'admin'],
  'GET /deployments/{id}/logs': ['user', 'admin'],
  'GET /deployments/{id}/logs/search': ['user', 'admin'],
  'POST /deployments/{id}/containers/{container}/restart': ['verified', 'admin'],
  'GET /backup-downloads/{token}': ['public'],
  'GET /admin/stale-backups': ['admin'],
  'GET /billing/balance': ['user'],
  'GET /billing/runway': ['user'],
  'GET /billing/transactions': ['user'],
  'GET /billing/admin/transactions': ['admin'],
  'GET /billing/details': ['user'],
  'PUT /billing/details': ['user'],
  'GET /billing/documents': ['user'],
  'GET /billing/documents/{id}/pdf': ['user', 'admin'],
  'GET /billing/statements': ['user'],
  'POST /billing/statements/{month}': ['user'],
  'GET /billing/admin/users/{id}/documents': ['admin'],
  'POST /billing/admin/users/{id}/adjust-balance': ['admin'],
  'GET /billing/admin/users/{id}/automatic-top-up': ['admin'],
  'POST /billing/admin/users/{id}/automatic-top-up/stop': ['admin'],
  'GET /billing/admin/payments': ['admin'],
  'GET /billing/admin/payments/{id}': ['admin'],
  'POST /billing/admin/payment-differences/{id}/settle': ['admin'],
  'POST /billing/admin/payments/{id}/refund': ['admin'],
  'GET /billing/admin/payment-comparison': ['admin'],
  'GET /referrals/validate-code/{code}': ['public'],
  'GET /referrals/my-link': ['user'],
  'GET /referrals/stats': ['user'],
  'GET /referrals/credits': ['user'],
  'GET /signup-credits': ['user'],
  'POST /signup-credits/redeem': ['verified'],
  'GET /referrals/admin/credits': ['admin'],
  'PATCH /referrals/admin/credits/{id}/adjust': ['admin'],
  'GET /referrals/admin/clusters': ['admin'],
  'GET /referrals/admin/waiting': ['admin'],
  'GET /referrals/admin/referrals': ['admin'],
  'POST /referrals/admin/referrals/{id}/approve': ['admin'],
  'POST /referrals/admin/referrals/{id}/reject': ['admin'],
  'GET /support/referral-requests': ['admin'],
  'POST /support/referral-requests/{id}/approve': ['admin'],
  'POST /support/referral-requests/{id}/reject': ['admin'],
  'GET /billing/automatic-top-up': ['user'],
  'PUT /billing/automatic-top-up': ['user'],
  'DELETE /billing/card': ['user'],
  'POST /stripe/create-checkout-session': ['user'],
  'GET /stripe/checkout-sessions/{id}': ['user', 'owner'],
  'POST /webhooks/stripe': ['webhook'],
  'POST /webhooks/clouds/{provider}': ['webhook'],
  'GET /stripe/test-checkout/{session_id}': ['public'],
  'POST /stripe/test-checkout/{session_id}': ['public'],
  'GET /live': ['user'],
  'GET /mails/unsubscribe': ['public'],
  'POST /mails/unsubscribe': ['public'],
  'GET /mailbox': ['user'],
  'GET /mailbox/{id}': ['user', 'admin'],
  'POST /deployments/package-request': ['user'],
  'POST /support/referral-request': ['public'],
  'POST /support/contact': ['public'],
  'GET /support/desk': ['user'],
  'GET /support/conversations': ['user'],
  'GET /support/conversations/{id}': ['user', 'owner'],
  'POST /support/conversations/{id}/messages': ['user', 'owner'],
  'POST /support/conversations/{id}/close': ['user', 'owner'],
  'POST /support/visits': ['public'],
  'POST /support/visits/messages': ['public'],
  'GET /support/admin/conversations': ['admin'],
  'GET /support/admin/counts': ['admin'],
  'GET /support/admin/staff': ['admin'],
  'GET /support/admin/conversations/{id}': ['admin'],
  'POST /support/admin/conversations/{id}/answers': ['admin'],
  'POST /support/admin/conversations/{id}/notes': ['admin'],
  'PUT /support/admin/conversations/{id}/assignee': ['admin'],
  'POST /support/admin/conversations/{id}/close': ['admin'],
  'GET /console/settings': ['public'],
  'GET /admin/overview': ['admin'],
  'GET /admin/counts': ['admin'],
  'GET /admin/balance-ends': ['admin'],
  'GET /admin/providers': ['admin'],
  'POST /admin/providers/{provider}/check': ['admin'],
  'POST /admin/providers/{provider}/confirm': ['admin'],
  'PUT /admin/providers/{provider}/credentials': ['admin'],
  'DELETE /admin/providers/{provider}/credentials': ['admin'],
  'GET /admin/incidents': ['admin'],
  'GET /admin/leaks': ['admin'],
  'POST /admin/leaks/{id}/remove': ['admin'],
  'POST /admin/leaks/{id}/keep': ['admin'],
  'POST /admin/leaks/{id}/adopt': ['admin'],
  'POST /admin/queues/session': ['admin'],
  'GET /health/live': ['public'],
  'GET /health/ready': ['public'],
  'GET /docs-json': ['public'],
};

/**
 * Calls that even a personal API token with write scope cannot make. They require a session and exclude impersonation.
 */
const SESSIONS_ONLY =
  /^(\w+ (\/auth\/logout|\/users\/self.*|\/users\/resend-verification|\/mailbox.*|\/billing\/card|\/admin\/queues\/session)|PUT \/billing\/(automatic-top-up|details))$/;
const TOKENS_TOO = ['GET /users/self/api-tokens'];

const ROLES = [
  'visitor',
  'unverified',
  'user',
  'other user',
  'administrator',
  'administrator without the second factor',
  'administrator not lately authenticated',
  "administrator's token without the scope",
  "administrator's token",
  'user not lately authenticated',
  'deactivated',
  'ended session',
  'expired token',
  'read-only token',
  'view as',
] as const;
type Role = (typeof ROLES)[number];

/** Expected refusals of administrators with a credential that lacks administrator rights. */
const WEAK: Partial<Record<Role, string>> = {
  'administrator without the second factor': '403 REAUTHENTICATION_REQUIRED',
  "administrator's token without the scope": '403 FORBIDDEN',
};
const ADMINISTRATORS: readonly Role[] = [
  'administrator',
  'administrator not lately authenticated',
  "administrator's token",
];
const TOKENS: readonly Role[] = ['read-only token', "administrator's token without the scope", "administrator's token"];
const NOT_LATELY: readonly Role[] = [
  'administrator without the second factor',
  'administrator not lately authenticated',
  'user not lately authenticated',
];

/** Calls that need recent authentication, repeated like the access above. */
const RECENT = new RegExp(
  '^(' +
    [
      'POST /users/self/(email-change|api-tokens|two-factor.*|exports)',
      'PUT /users/self/password',
      'DELETE /users/self(/sessions.*)?',
      'POST /deployments/{id}/(reveal-secrets|reopen|undo-restore|move|clone|backups/{backup_id}/(restore|deployments|download)|backup-downloads/.*)',
      '(PUT|DELETE) /deployments/{id}/backups/bucket',
      '(POST|DELETE) /deployments/{id}/ssh-keys.*',
      'PUT /billing/automatic-top-up',
      'DELETE /billing/card',
      'POST /users/(admin-create|{id}/(prepare-deletion|deactivate|reactivate|impersonation))',
      'PATCH /users/{id}/(make|remove)-admin',
      'DELETE /users/{id}(/sessions)?',
      'POST /billing/admin/.*',
      'PATCH /referrals/admin/.*',
      'POST /referrals/admin/.*',
      'POST /support/referral-requests/.*',
      'POST /admin/leaks/.*',
      '(POST|PUT|DELETE) /admin/providers/{provider}/(confirm|credentials)',
    ].join('|') +
    ')$',
);
const RECENT_FOR_ADMINISTRATORS =
  /^(PATCH|DELETE) \/deployments\/{id}$|^PATCH \/deployments\/{id}\/configuration$|^POST \/deployments\/{id}\/resize$|^PUT \/deployments\/{id}\/domain$|^(POST|DELETE) \/deployments\/{id}\/domains/;

const ANONYMOUS: readonly Role[] = ['visitor', 'deactivated', 'ended session', 'expired token'];

/** Returns the expected refusal of a role by the guard, or null if the guard admits it. */
function gate(call: Call, role: Role): string | null {
  const access = EXPECTED[nameOf(call)]?.[0] ?? call.access;
  const isKnown = access !== 'public' && access !== 'webhook';
  if (isKnown && ANONYMOUS.includes(role)) return '401 UNAUTHENTICATED';
  const isToken = TOKENS.includes(role);
  if ((isToken || role === 'view as') && (isKnown || call.optionalAuth === true)) {
    const isForTokens = isToken && TOKENS_TOO.includes(nameOf(call));
    if (isKnown && (SESSIONS_ONLY.test(nameOf(call)) || isForAdminSessions(call)) && !isForTokens)
      return '403 FORBIDDEN';
    if ((role === 'read-only token' || role === 'view as') && (call.method !== 'GET' || call.hasSideEffects === true))
      return '403 FORBIDDEN';
  }
  if (access === 'admin' && !ADMINISTRATORS.includes(role)) return WEAK[role] ?? '403 FORBIDDEN';
  if (access === 'verified' && role === 'unverified') return '403 EMAIL_NOT_VERIFIED';
  return lately(call, role);
}

/** Returns true for an administrator's call that the table of calls restricts to sessions. */
const isForAdminSessions = (call: Call): boolean => call.access === 'admin' && call.session_only === true;

/** Returns the expected refusal of a call that needs recent authentication. */
function lately(call: Call, role: Role): string | null {
  const isNeeded =
    RECENT.test(nameOf(call)) || (RECENT_FOR_ADMINISTRATORS.test(nameOf(call)) && ADMINISTRATORS.includes(role));
  if (!isNeeded || ANONYMOUS.includes(role)) return null;
  if (TOKENS.includes(role)) return '403 FORBIDDEN';
  return NOT_LATELY.includes(role) ? '403 REAUTHENTICATION_REQUIRED' : null;
}

const GATE_ANSWERS = [
  '401 UNAUTHENTICATED',
  '403 FORBIDDEN',
  '403 EMAIL_NOT_VERIFIED',
  '403 TWO_FACTOR_REQUIRED',
  '403 REAUTHENTICATION_REQUIRED',
];

/** Calls that would end the role's own credential on success. */
const ENDS_ITSELF = ['POST /auth/logout', 'DELETE /users/self', 'DELETE /users/{id}/sessions'];

/** Owner of the object that a path names. */
const THINGS = ['own', 'foreign', 'absent'] as const;

interface TestCaller {
  readonly account: TestAccount;
  readonly auth: Readonly<Record<string, string>>;
  /** Id of an object of each kind that belongs to the account. */
  readonly things: Readonly<Record<string, number | string>>;
}

const kindOf = (path: string): string =>
  /^\/(?:billing\/admin|stripe)\/(payment-differences|payments|checkout-sessions)\//.exec(path)?.[1] ??
  /^\/(?:users\/self|referrals\/admin|support\/admin|support|admin)\/([\w-]+)\//.exec(path)?.[1] ??
  (path.startsWith('/mailbox')
    ? 'mailbox'
    : path.startsWith('/billing/documents')
      ? 'documents'
      : /^\/(billing\/admin\/)?users\/|\/user\//.test(path)
        ? 'users'
        : 'deployments');

describe('access to calls', () => {
  let api: ApiHarness;
  let others: Neighbours;
  let owner: TestCaller;
  const someAccount = new Map<Role, TestCaller>();

  /** Creates an account with an object of every kind. */
  async function furnished(): Promise<TestCaller> {
    const account = await api.user();
    await api.pay(account, 2000);
    const token = await api.http.post('/api/users/self/api-tokens').set(account.auth).send({ label: 'x' });
    const deployment = await ordered(api, account);
    await others.moveTo(deployment.id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
    await api.database.sql(
      `insert into unpaid_endings (deployment_id, user_id, due_at, ended_at, due_micros, available_micros)
         values ($1, $2, now(), now(), 1, 0)`,
      [deployment.id, account.id],
    );
    await api.http.post('/api/auth/login').send({ username: account.email, password: account.password });
    await api.run();
    const listed = async (path: string) =>
      (await api.http.get(`/api${path}`).set(account.auth)).body as { id: number; is_current?: boolean }[];
    const issued = (await api.http.get('/api/billing/documents').set(account.auth)).body as BillingDocumentsAnswer;
    const [exported] = await api.database.sql<{ id: number }>(
      `insert into data_exports (user_id, state, content, created_at, ready_at)
         values ($1, 'ready', 'zip', now(), now()) returning id`,
      [account.id],
    );
    const credit = await api.deps.db.tx('test.credit', async (tx) =>
      api.deps.ledger.grantCredit(tx, {
        userId: account.id,
        creditType: 'signup',
        at: await api.deps.clock.now(tx),
      }),
    );
    const [waiting] = await api.database.sql<{ referral: number; request: number }>(
      `with referral as (
         insert into referral_pairs (referred_user_id, referrer_user_id, state, doubts, verified_at)
           values ($1, $1, 'waiting', '{monthly_cap}', now()) returning id),
       request as (
         insert into credit_requests (email, email_normalised, reason, language, created_at, state)
           values ($2, $2, 'To try it.', 'en', now(), 'waiting') returning id)
       select referral.id as referral, request.id as request from referral, request`,
      [account.id, `visitor-${account.id}@example.org`],
    );
    const written = await api.http
      .post('/api/support/contact')
      .set(account.auth)
      .send(EXAMPLES['POST /support/contact']);
    const begun = await api.http
      .post('/api/stripe/create-checkout-session')
      .set(account.auth)
      .send({ amount_cents: 100 });
    const payment = (begun.body as { session_id: string }).session_id;
    const [leak] = await api.database.sql<{ id: number }>(
      `insert into cloud_leaks (provider, kind, region, holding_id, name, labels, state, first_seen_at, last_seen_at, times_seen)
       values ('hetzner', 'disk', 'fsn1', $1, 'left', '{}', 'confirmed', now(), now(), 2) returning id`,
      [`volumes/${payment}`],
    );
    await api.database.sql(
      `insert into payment_differences (id, kind, first_seen_at, last_seen_at) values ($1, 'missing_there', now(), now())`,
      [`txn_${payment}`],
    );
    const [key] = await api.database.sql<{ id: number }>(
      `insert into deployment_ssh_keys (deployment_id, name, public_key, fingerprint, added_by, added_at)
         values ($1, 'laptop', 'ssh-ed25519 AAAA', 'SHA256:laptop', $2, now()) returning id`,
      [deployment.id, account.id],
    );
    const [domain] = await api.database.sql<{ id: number }>(
      `insert into deployment_domains (deployment_id, host, kind, added_at) values ($1, $2, 'redirect', now()) returning id`,
      [deployment.id, `www${deployment.id}.example.net`],
    );
    return {
      account,
      auth: account.auth,
      things: {
        users: account.id,
        deployments: deployment.id,
        copies: await copied(api, deployment.id),
        downloads: await downloaded(api, deployment.id),
        keys: key?.id ?? 0,
        domains: domain?.id ?? 0,
        'api-tokens': (token.body as { id: number }).id,
        sessions: (await listed('/users/self/sessions')).find(({ is_current }) => is_current === false)?.id ?? 0,
        mailbox: (await listed('/mailbox'))[0]?.id ?? 0,
        exports: exported?.id ?? 0,
        documents: issued.documents[0]?.id ?? 0,
        credits: credit,
        referrals: waiting?.referral ?? 0,
        'referral-requests': waiting?.request ?? 0,
        conversations: (written.body as { conversation_id: number }).conversation_id,
        payments: payment,
        'payment-differences': `txn_${payment}`,
        leaks: leak?.id ?? 0,
        'checkout-sessions': payment,
      },
    };
  }

  /** Returns the same user with a personal API token. */
  async function byToken({ account, things }: TestCaller, token: object): Promise<TestCaller> {
    const created = await api.http
      .post('/api/users/self/api-tokens')
      .set(account.auth)
      .send({ label: 'y', ...token });
    const { token: value } = created.body as { token: string };
    return { account, things, auth: { authorization: `Bearer ${value}` } };
  }

  /** Returns an administrator who impersonates the user. */
  async function impersonated({ account, things }: TestCaller): Promise<TestCaller> {
    const { auth } = await api.admin();
    const created = await api.http.post(`/api/users/${account.id}/impersonation`).set(auth).send({ reason: 'to help' });
    const { access_token: token } = created.body as { access_token: string };
    return { account, things, auth: { authorization: `Bearer ${token}` } };
  }

  beforeAll(async () => {
    api = await apiHarness();
    others = await neighbours(api);
    owner = await furnished();
    const change = (column: string, { account }: TestCaller) =>
      api.database.sql(`update users set ${column} where id = $1`, [account.id]);
    for (const role of ROLES) {
      if (role === 'visitor') continue;
      const created = await furnished();
      if (role === 'unverified') await change('is_verified = false', created);
      if (role.startsWith('administrator')) await change('is_admin = true', created);
      if (role === 'administrator without the second factor') await change('two_factor_at = now()', created);
      if (role.endsWith('not lately authenticated')) {
        await api.database.sql(
          `update sessions set authenticated_at = created_at - interval '1 hour' where user_id = $1`,
          [created.account.id],
        );
      }
      if (role === 'deactivated') await change('deactivated_at = now()', created);
      if (role === 'ended session') await api.http.post('/api/auth/logout').set(created.auth);
      const token = {
        'expired token': { expires_in_days: 7 },
        'read-only token': { scope: 'read' },
        "administrator's token without the scope": { scope: 'write' },
        "administrator's token": { scope: 'admin' },
      }[role as string];
      if (role === 'view as') someAccount.set(role, await impersonated(created));
      else someAccount.set(role, token === undefined ? created : await byToken(created, token));
    }
    await api.database.sql(
      `update user_tokens set expires_at = created_at where label = 'y' and expires_at < created_at + interval '8 days'`,
    );
  });
  afterAll(() => api.close());

  const headers = (role: Role): Record<string, string> => ({ ...someAccount.get(role)?.auth });

  /**
   * Returns the response of the call. A call without ids in its path gets an empty body, which no call accepts that
   * would wait or cost money.
   */
  async function answer(
    call: Call,
    path: string,
    auth: Record<string, string>,
  ): Promise<{ outcome: string; body: unknown }> {
    // An open stream never ends, so only its beginning is read.
    if (call.path === '/live') {
      const { statusCode, payload } = await api.api.app
        .inject({ method: 'GET', url: `/api${path}`, headers: auth, payloadAsStream: true })
        .then((response) => {
          response.stream().destroy();
          return { statusCode: response.statusCode, payload: {} };
        });
      return { outcome: statusCode === 401 ? '401 UNAUTHENTICATED' : String(statusCode), body: payload };
    }
    const { status, body } = await api.http[METHODS[call.method]](`/api${path}`)
      .set(auth)
      .send(call.method === 'GET' ? undefined : isAbout(call) ? EXAMPLES[nameOf(call)] : {});
    return { outcome: `${status} ${(body as { code?: string } | null)?.code ?? ''}`.trim(), body };
  }

  const somewhere = (
    path: string,
    id: number | string,
    {
      copies: copy = 0,
      downloads: download = 0,
      keys: key = 0,
      domains: domain = 0,
    }: Readonly<Partial<Record<string, number | string>>> = {},
  ): string =>
    `${path}${QUERIES[path] ?? ''}`
      .replace('{id}', String(id))
      .replace('{backup_id}', String(copy))
      .replace('{download_id}', String(download))
      .replace('{key_id}', String(key))
      .replace('{domain_id}', String(domain))
      .replace('{container}', 'gerbil')
      .replace('{token}', 'a'.repeat(43))
      .replace('{name}', 'nothing')
      .replace('{provider}', 'nothing')
      .replace('{package}', 'nothing')
      .replace('{version}', '0')
      .replace('{region}', 'nothing')
      .replace('{session_id}', 'cs_test_0000000000000000000')
      .replace('{month}', '2999-01');

  /** Returns all data of the owner that a caller could have changed. */
  const ownersThings = () =>
    api.database.sql(
      `select (select jsonb_agg(d order by id) from (select id, version, status from deployments where user_id = $1) d) as deployments,
              (select jsonb_agg(t order by id) from (select id, revoked_at from user_tokens where user_id = $1) t) as tokens,
              (select jsonb_agg(s order by number) from (select number, ended_at from sessions where user_id = $1) s) as sessions`,
      [owner.account.id],
    );

  it('lists every call here with its declared access', () => {
    expect(Object.fromEntries(ALL_CALLS.map((call) => [nameOf(call), call.access]))).toEqual(
      Object.fromEntries(Object.entries(EXPECTED).map(([name, [access]]) => [name, access])),
    );
  });

  it('lists here every call that requires recent authentication', () => {
    const named = (needed: Call['recent_authentication'], pattern: RegExp) =>
      expect(ALL_CALLS.filter((call) => call.recent_authentication === needed).map(nameOf)).toEqual(
        ALL_CALLS.map(nameOf).filter((name) => pattern.test(name)),
      );
    named(true, RECENT);
    named('administrators', RECENT_FOR_ADMINISTRATORS);
  });

  it('states the owner check of every call with an id in its path', () => {
    const silent = ALL_CALLS.filter(
      (call) => isAbout(call) && call.access !== 'admin' && EXPECTED[nameOf(call)]?.[1] === undefined,
    );
    expect(silent.map(nameOf)).toEqual([]);
  });

  describe.each(ROLES)('as %s', (role) => {
    const isAdmin = ADMINISTRATORS.includes(role);

    it.each(ALL_CALLS.map((call) => [nameOf(call), call] as const))('checks access to %s', async (name, call) => {
      const refusal = gate(call, role);
      if (refusal === null && ENDS_ITSELF.includes(name)) return;
      if (!isAbout(call)) {
        const { outcome } = await answer(call, somewhere(call.path, 0), headers(role));
        if (refusal === null) expect(GATE_ANSWERS).not.toContain(outcome);
        else expect(outcome).toBe(refusal);
        return;
      }
      const before = isAdmin ? [] : await ownersThings();
      const kind = kindOf(call.path);
      const ids = {
        own: someAccount.get(role)?.things[kind] ?? 0,
        foreign: owner.things[kind] ?? 0,
        absent: typeof owner.things[kind] === 'string' ? 'cs_test_0000000000000000000' : 999_999,
      };
      const below = {
        own: someAccount.get(role)?.things,
        foreign: owner.things,
        absent: { copies: 999_999, downloads: 999_999, keys: 999_999, domains: 999_999 },
      };
      const answers = { own: NOT_SENT, foreign: NOT_SENT, absent: NOT_SENT };
      for (const which of THINGS)
        answers[which] = await answer(call, somewhere(call.path, ids[which], below[which]), headers(role));
      if (refusal !== null) {
        expect(THINGS.map((which) => answers[which].outcome)).toEqual(THINGS.map(() => refusal));
      } else {
        expect(answers.own.outcome).not.toMatch(/^(401|403|404)/);
        expect(answers.absent.outcome).toBe('404 NOT_FOUND');
        const isForAdmins = call.access === 'admin' || EXPECTED[name]?.[1] === 'admin';
        if (isAdmin && isForAdmins) expect(answers.foreign.outcome).not.toMatch(/^(401|403|404)/);
        // Same response as for an absent object.
        else expect(answers.foreign).toEqual(answers.absent);
      }
      if (!isAdmin) expect(await ownersThings()).toEqual(before);
    });
  });
});

const isAbout = ({ path }: Call): boolean => path.includes('{id}');
const NOT_SENT: { outcome: string; body: unknown } = { outcome: '', body: null };

/** Query that a call requires before it checks the owner of the object. */
const QUERIES: Readonly<Record<string, string>> = {
  '/deployments/{id}/support-level': '?level=2',
  '/deployments/{id}/resize': '?instance_type=cpx32',
  '/deployments/{id}/domains/{domain_id}': '?reason=asked+by+them',
  '/deployments/{id}/ssh-keys/{key_id}': '?reason=asked+by+them',
  '/deployments/{id}/logs/search': '?contains=text',
};

const METHODS = { GET: 'get', POST: 'post', PATCH: 'patch', PUT: 'put', DELETE: 'delete' } as const;
