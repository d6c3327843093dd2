import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_CALLS, type BillingDocumentsAnswer } from '@moorage/contracts';
import { DAY_MS, iso } from '@moorage/domain';
import { sshKeyPair, systemRandom } from '@moorage/server';
import { GROWN_ROWS, openGrown, recordStatements, type Statement, wholeReads } from '@moorage/testing';
import { copied } from '@moorage/tests/services/api/backups';
import { neighbours, ORDER, OWN_SERVER, SOLD_OUT } from '@moorage/tests/services/api/deployments';
import type { Caller } from './http/call-input';
import { apiHarness } from '@moorage/tests/services/api/api-harness';
import { SealedLinks } from './mail/sealed-links';
import { AutomaticTopUps } from './payments/automatic/automatic-top-ups.service';
import { ComparePayments } from './payments/compare-payments.use-case';
import { RefundPayment } from './payments/refund-payment.use-case';
import { SweepCheckouts } from './payments/sweep-checkouts.use-case';
import { deliver, fakeStripe, SECRET, stripeEvent } from '@moorage/tests/fakes/stripe';
import { ProviderDouble } from '@moorage/tests/fakes/stripe/provider-double';
import { Secret, TOTP } from 'otpauth';

const CALLBACK_KEY = 'a-key-of-tests'.repeat(3);

/** Streams, texts without a row of ours, and rare calls of administrators. */
const LEFT_OUT = ['GET /live', 'GET /docs-json', 'GET /deployments/packages/{name}/config'];

/**
 * Makes every call of an account, each successfully and most of them with a refusal, and runs the handlers and work
 * that follow. A new call in the table must be added here.
 */
async function statementsOfApi(): Promise<{ statements: Statement[]; unmade: string[] }> {
  const recording = recordStatements();
  const stripe = await fakeStripe();
  const api = await apiHarness();
  const created = new Set<string>();
  const routes = ALL_CALLS.map(({ method, path }) => ({
    name: `${method} ${path}`,
    matches: new RegExp(`^${method} /api${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }));
  try {
    const world = await neighbours(api);
    const jane = await api.user('jane');
    const request = async (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object) => {
      const spoken = `${method.toUpperCase()} /api${path.replace(/\?.*/, '')}`;
      // The most literal match, as in the router.
      const fitting = routes.filter(({ matches }) => matches.test(spoken));
      const route = fitting.sort((a, b) => a.name.split('{').length - b.name.split('{').length)[0];
      if (route !== undefined) created.add(route.name);
      const sent = api.http[method](`/api${path}`).set(jane.auth);
      const answer = await (body === undefined ? sent : sent.send(body));
      return answer.body as { id: number; session_id: string; username: string; conversation_id: number };
    };

    await api.user('kim', {
      referral_code: ((await request('get', '/referrals/my-link')) as unknown as { referral_code: string })
        .referral_code,
    });
    created.add('POST /users').add('POST /auth/login').add('GET /auth/verify-email');
    await api.pay(jane, 50_000);
    created.add('POST /stripe/create-checkout-session').add('POST /stripe/test-checkout/{session_id}');
    const { session_id } = await request('post', '/stripe/create-checkout-session', { amount_cents: 500 });
    await request('get', `/stripe/test-checkout/${session_id}`);
    await request('get', `/stripe/checkout-sessions/${session_id}`);
    await request('post', `/stripe/test-checkout/${session_id}`, { outcome: 'cancel' });

    const card = await api.database.sql(
      `insert into saved_cards (user_id, customer, payment_method, brand, last4, exp_month, exp_year, test_mode, saved_at)
       values ($1, 'cus_jane', 'pm_jane', 'visa', '4242', 12, 2099, true, now()) returning user_id`,
      [jane.id],
    );
    expect(card).toHaveLength(1);
    // Above the balance, so that the card is charged.
    const threshold = { kind: 'amount', amount: 1_000 };
    await request('put', '/billing/automatic-top-up', {
      enabled: true,
      threshold,
      amount_cents: 1_000,
      month_cap_cents: 10_000,
    });
    await api.api.app.get(AutomaticTopUps).pass();
    await api.run();
    await request('delete', '/billing/card');

    const { auth } = await api.admin();
    for (const question of [
      // Without a filter, the first 10 000 rows are counted.
      '?status=open',
      '?problem=disputed',
      '?problem=differs',
      '?search=jane@example.com',
      `?search=${session_id}`,
      `/${session_id}`,
    ])
      await api.http.get(`/api/billing/admin/payments${question}`).set(auth);
    await api.http.get('/api/billing/admin/payment-comparison').set(auth);
    for (const by of ['client_name', 'package', 'cloud_provider', 'status'])
      await api.http.get(`/api/deployments?page=1&sort_by=${by}&sort_order=asc`).set(auth);
    for (const by of ['username', 'email', 'balance'])
      await api.http.get(`/api/users?page=1&sort_by=${by}&sort_order=desc`).set(auth);
    await api.http.get('/api/admin/overview?period=30d').set(auth);
    await api.http.get('/api/admin/counts').set(auth);
    await api.http.get(`/api/admin/balance-ends?user_ids=${jane.id}`).set(auth);

    const first = await request('post', '/deployments', ORDER);
    await world.checked(jane, OWN_SERVER.vps_ip_address);
    const own = await request('post', '/deployments', { ...OWN_SERVER, domain: 'own.example.com' });
    const broken = await request('post', '/deployments', { ...ORDER, domain: 'broken.example.com' });
    await request('post', '/deployments', { ...ORDER, instance_type: 'nothing' });
    await api.run();
    await world.moveTo(first.id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
    await world.moveTo(own.id, 'PROVISIONING', 'DNS_VALIDATION', 'DNS_FAILED');
    await world.moveTo(broken.id, 'PROVISIONING', SOLD_OUT);
    await api.run();
    for (const { id } of [first, own, broken]) {
      for (const what of ['', '/status', '/steps', '/progress', '/setup', '/dns', '/dns/provider', '/support-level'])
        await request('get', `/deployments/${id}${what}`);
      await request('post', `/deployments/${id}/dns/records`, { provider: 'hetzner', token: 'token' });
      await request('post', `/deployments/${id}/retry-dns-validation`);
    }
    await request('get', `/deployments/${broken.id}/alternatives`);
    const elsewhere = { region: 'nbg1', instance_type: 'cpx22', expected_hourly_cost: 0.0356 };
    await request('post', `/deployments/${broken.id}/retry`, elsewhere);
    await request('patch', `/deployments/${first.id}`, { support_level: 2 });
    const copy = await copied(api, first.id);
    await request('post', `/deployments/${first.id}/backups`);
    await request('get', `/deployments/${first.id}/backups`);
    const place = { server_type: 'new', cloud_provider: 'hetzner', region: 'nbg1', instance_type: 'cpx22' };
    await request('post', `/deployments/${first.id}/backups/${copy}/deployments`, place);
    await request('post', `/deployments/${first.id}/backups/${copy}/download`);
    await request('get', `/deployments/${first.id}/backup-downloads`);
    const [archive] = await api.database.sql<{ id: number }>(
      `update backup_downloads set state = 'ready', ready_at = now(), expires_at = now() + interval '1 day'
         where deployment_id = $1 returning id`,
      [first.id],
    );
    await request('post', `/deployments/${first.id}/backup-downloads/${archive?.id}/link`);
    await request('get', `/backup-downloads/${'a'.repeat(43)}`);
    await request('put', `/deployments/${first.id}/backups/bucket`, {
      endpoint: 'https://s3.example.com',
      region: 'eu-central-1',
      bucket: 'janes-backups',
      access_key_id: 'AKIAEXAMPLE',
      secret_access_key: 'wJalrXUtnFEMI',
    });
    await request('get', `/deployments/${first.id}/backups`);
    await request('post', `/deployments/${first.id}/backups/bucket/check`);
    await request('delete', `/deployments/${first.id}/backups/bucket`);
    const key = { name: 'laptop', public_key: sshKeyPair(systemRandom()).publicKey };
    await request('post', `/deployments/${first.id}/ssh-keys`, key);
    await request('get', `/deployments/${first.id}/ssh-keys`);
    const [added] = await api.database.sql<{ id: number }>(
      'select id from deployment_ssh_keys where deployment_id = $1',
      [first.id],
    );
    await request('delete', `/deployments/${first.id}/ssh-keys/${added?.id}`);
    for (const period of ['24h', '7d', '30d'])
      await request('get', `/deployments/${first.id}/metrics?period=${period}`);
    await request('get', `/deployments/${first.id}/incidents`);
    await request('post', `/deployments/${first.id}/start-server`, {});
    await api.database.sql(
      `insert into incidents (deployment_id, user_id, kind, subject, facts, began_at)
       select id, user_id, 'server_off', '', '{}', now() from deployments where id = $1`,
      [first.id],
    );
    await request('post', `/deployments/${first.id}/start-server`, {});
    await world.moveTo(first.id, 'READY');
    await request('get', `/deployments/${first.id}/updates`);
    await request('put', `/deployments/${first.id}/update-settings`, {
      automatic: 'patch',
      is_held: false,
      days: [0],
      hour: 2,
      hours: 2,
      time_zone: 'Europe/Berlin',
    });
    await api.database.sql(
      `update reachability set host = '{"reboot":{"since":null,"packages":[]}}' where deployment_id = $1`,
      [first.id],
    );
    await request('post', `/deployments/${first.id}/reboot`, { when: 'window' });
    await request('post', `/deployments/${first.id}/update`, { version: '1.24.0-2' });
    await request('get', `/deployments/${first.id}/logs`);
    await request('get', `/deployments/${first.id}/logs/search?contains=text`);
    await request('post', `/deployments/${first.id}/containers/gerbil/restart`);
    await request('post', `/deployments/${first.id}/backups/${copy}/restore`, {});
    await api.database.sql(
      `update restores set state = 'done', undo_until = now() + interval '1 day' where deployment_id = $1`,
      [first.id],
    );
    await world.moveTo(first.id, 'READY');
    await request('post', `/deployments/${first.id}/undo-restore`, {});
    await api.database.sql(`update restores set state = 'undone', finished_at = now() where deployment_id = $1`, [
      first.id,
    ]);
    await world.moveTo(first.id, 'READY');
    const { id: moved } = (await request('post', `/deployments/${first.id}/move`, place)) as { id: number };
    await request('post', `/deployments/${first.id}/move/cancel`);
    await api.database.sql(`update moves set state = 'cancelled', finished_at = now() where target_id = $1`, [moved]);
    await request('post', `/deployments/${first.id}/move/finish`);
    await request('post', `/deployments/${first.id}/clone`, { ...place, domain: 'clone.example.com' });
    await request('post', `/deployments/${first.id}/hand-over`, {});
    await request('post', `/deployments/${first.id}/restore`, {});
    await request('get', `/deployments/${first.id}/domains`);
    await request('post', `/deployments/${first.id}/domains`, { host: 'www.example.net' });
    const [further] = await api.database.sql<{ id: number }>('select id from deployment_domains limit 1');
    await request('delete', `/deployments/${first.id}/domains/${further?.id ?? 1}`);
    await request('get', `/deployments/${first.id}/sizes`);
    await request('get', `/deployments/${first.id}/resize?instance_type=cpx32`);
    const size = { instance_type: 'cpx32', expected_hourly_cost: 0.0643 };
    await request('post', `/deployments/${first.id}/resize`, size);
    await request('get', `/deployments/${first.id}/configuration`);
    await request('patch', `/deployments/${first.id}/configuration`, { traefik_subdomain: 'router' });
    await request('put', `/deployments/${own.id}/domain`, { domain: 'other.example.com' });
    await request('put', `/deployments/${first.id}/name`, { name: 'The first' });
    await request('put', `/deployments/${first.id}/deletion-lock`, { locked: true });
    await request('put', `/deployments/${first.id}/deletion-lock`, { locked: false });
    await request('post', `/deployments/${own.id}/cancel`);
    await request('post', `/deployments/${first.id}/dismiss-ending`);
    await request('post', `/deployments/${first.id}/restart`);
    await request('post', `/deployments/${first.id}/reveal-secrets`, { password: jane.password });
    for (const list of [
      '/deployments',
      '/deployments?_sort=client_name&_order=ASC',
      '/deployments?q=example',
      '/deployments?status=READY',
      '/deployments?skip=20&limit=10',
      '/deployments/counts',
      '/deployments/unpaid-endings',
      `/deployments/user/${jane.id}`,
      '/deployments/packages',
      '/deployments/cloud-providers',
      '/deployments/regions/hetzner',
      '/deployments/instance-types/hetzner/fsn1',
      '/deployments/suggested-place?package=pangolin&time_zone=Europe/Berlin',
      '/billing/balance',
      '/billing/runway',
      '/billing/runway?order_hourly=0.0356',
      '/billing/automatic-top-up',
      '/billing/transactions',
      '/billing/transactions?skip=1&limit=1',
      '/billing/details',
      '/billing/documents',
      '/billing/statements',
      `/users/${jane.id}/balance`,
      '/servers',
      '/servers/periphery-script',
      '/referrals/stats',
      '/referrals/credits',
      '/referrals/validate-code/nobody',
      '/signup-credits',
      '/users/me',
      '/users/self/activity',
      '/users/self/activity?kind=account&from=2026-01-01&to=2026-12-31',
      '/users/self/activity?deployment_id=1',
      '/users/self/api-tokens',
      '/users/self/sessions',
      '/users/self/sign-ins',
      '/users/self/two-factor',
      '/users/self/notifications',
      '/users/self/exports',
      '/users/self/deletion-check',
      '/auth/me',
      '/mailbox',
      '/mailbox/1',
      '/pricing',
      '/console/settings',
      '/health/live',
      '/health/ready',
    ])
      await request('get', list);
    const details = { name: 'Jane', lines: ['Street 1'], postal_code: '', city: 'Dublin', country: 'IE' };
    await request('put', '/billing/details', details);
    const { documents } = (await request('get', '/billing/documents')) as unknown as BillingDocumentsAnswer;
    await request('get', `/billing/documents/${documents[0]?.id}/pdf`);
    await api.database.sql(`update users set created_at = created_at - interval '40 days' where id = $1`, [jane.id]);
    const [ended] = (await request('get', '/billing/statements')) as unknown as { month: string }[];
    await request('post', `/billing/statements/${ended?.month}`);
    const unsubscribe = new SealedLinks(api.deps.box).token('unsubscribe', `${jane.id}:getting_started`);
    await request('get', `/mails/unsubscribe?token=${unsubscribe}`);
    await request('post', `/mails/unsubscribe?token=${unsubscribe}`);
    await request('post', '/deployments/pricing/calculate', { ...ORDER });
    await request('post', '/servers/validate-vps', { ip_address: '5.9.0.7' });
    await request('post', '/deployments/package-request', {
      package_name: 'forum',
      description: 'We would like a forum.',
    });
    const words = { name: 'Jane', email: jane.email, subject: 'A question', message: 'Where is my server?' };
    const begun = await request('post', '/support/contact', { ...words, deployment_id: first.id });
    const conversation = begun.conversation_id;
    for (const path of ['/support/desk', '/support/conversations', `/support/conversations/${conversation}`])
      await request('get', path);
    await request('post', `/support/conversations/${conversation}/messages`, { message: 'It is gone.' });
    await request('post', `/support/conversations/${conversation}/close`);
    await api.http.post('/api/support/contact').send({ ...words, email: 'stranger@example.org' });
    await api.run();
    const [confirmation] = await api.mailsTo('stranger@example.org');
    const visit = /conversation#(\S+)/.exec(confirmation?.text ?? '')?.[1];
    await request('post', '/support/visits', { token: visit });
    await request('post', '/support/visits/messages', { token: visit, message: 'It is gone.' });
    const visitor = 'visitor@example.org';
    await request('post', '/support/referral-request', { email: visitor, reason: 'To try it.' });
    await request('post', '/signup-credits/redeem', { code: 'FREE' });
    await api.http.post('/api/support/referral-requests/1/approve').set((await api.admin()).auth);
    await api.run();
    const [mail] = await api.mailsTo(visitor);
    await request('post', '/signup-credits/redeem', { code: /signup\?ref=(\S+)/.exec(mail?.text ?? '')?.[1] });
    await request('post', '/users/resend-verification');
    await request('post', '/auth/verify-email', { token: 'x'.repeat(43) });
    await request('put', '/users/self/language', { language: 'de' });
    await request('put', '/users/self/username', { username: 'jane-renamed' });
    await request('post', '/users/self/email-change', { email: 'jane.new@example.com' });
    await request('delete', '/users/self/email-change');
    await request('put', '/users/self/notifications', { kind: 'deployment_ready', is_on: false });
    await request('delete', '/users/self/sessions');
    await request('delete', '/users/self/sessions/999');
    const { password } = jane;
    await request('post', '/users/self/reauthentication', { password });
    const { secret } = (await request('post', '/users/self/two-factor')) as unknown as { secret: string };
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const timestamp = api.deps.clock.localNow();
    const codes = await request('post', '/users/self/two-factor/confirm', { otp: totp.generate({ timestamp }) });
    const { recovery_codes } = codes as unknown as { recovery_codes: string[] };
    await api.http.post('/api/auth/login').send({ username: jane.email, password, otp: recovery_codes[1] });
    await request('post', '/users/self/reauthentication', { password, otp: recovery_codes[0] });
    await request('post', '/users/self/two-factor/recovery-codes');
    await request('post', '/users/self/two-factor/disable');
    const exported = await request('post', '/users/self/exports');
    await api.run();
    await request('get', `/users/self/exports/${exported.id}/file`);
    await request('delete', '/users/self');
    const token = await request('post', '/users/self/api-tokens', { label: 'laptop' });
    await request('delete', `/users/self/api-tokens/${token.id}`);
    await request('delete', `/deployments/${first.id}`);
    await request('put', '/users/self/password', { current_password: password, new_password: 'another-password' });
    await request('post', '/auth/forgot-password', { email: jane.email });
    const reset = await api.linkToken(jane.email, 'reset-password');
    await request('post', '/auth/reset-password', { token: reset, new_password: 'a-new-password' });
    await request('post', '/auth/logout');
    await api.run();

    const paid = await apiHarness({
      beside: api,
      settings: {
        stripe: { secretKey: 'sk_live_x', webhookSecrets: [SECRET], apiBase: stripe.url },
        callbacks: { awsTopics: [], azureKey: CALLBACK_KEY, googleAccount: null },
      },
    });
    const payment = {
      id: session_id,
      currency: 'usd',
      amount_total: 500,
      payment_intent: 'pi_1',
      payment_status: 'paid',
    };
    for (const [type, object] of [
      ['charge.refunded', { payment_intent: 'pi_1' }],
      ['checkout.session.completed', payment],
      ['checkout.session.expired', { id: 'cs_other' }],
    ] as const)
      await deliver(paid, stripeEvent(type, object).payload);
    created.add('POST /webhooks/stripe');
    const callback = paid.http.post(`/api/webhooks/clouds/azure?key=${CALLBACK_KEY}`);
    const eventTime = iso(paid.deps.clock.localNow());
    await callback
      .send([{ id: '1', eventTime, subject: '/subscriptions/0/resourceGroups/rg-1', data: {} }])
      .expect(200);
    const firstBoot = paid.http.post('/api/webhooks/clouds/azure').set('moorage-first-boot', `1.${'x'.repeat(43)}`);
    await firstBoot.expect(200);
    created.add('POST /webhooks/clouds/{provider}');
    await paid.close();
    const provider = ProviderDouble.in(api);
    provider.move('pi_1', provider.reversal('pi_1', 'refund', 100), 'refund', 100);
    provider.move('pi_1', provider.reversal('pi_1', 'dispute', 100), 'dispute', 100);
    provider.enter('pi_of_nobody', 700);
    const refund = { amountCents: 100, reason: 'paid twice' };
    await api.api.app.get(RefundPayment).run({ userId: 2 } as Caller, session_id, refund, null);
    await api.database.sql(
      `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, created_at) values ('cs_test_open', 1, 700, true, '', $1)`,
      [iso(api.deps.clock.localNow())],
    );
    provider.sessions.set('cs_test_open', 'open');
    api.pass(3 * DAY_MS);
    await api.run();
    await api.api.app.get(SweepCheckouts).run();
    await api.api.app.get(ComparePayments).run();
  } finally {
    recording.stop();
    await api.close();
    await stripe.close();
  }
  const unmade = ALL_CALLS.filter(({ access }) => access !== 'admin')
    .map(({ method, path }) => `${method} ${path}`)
    .filter((name) => !created.has(name) && !LEFT_OUT.includes(name));
  return { statements: recording.statements(), unmade };
}

describe(`with ${GROWN_ROWS} rows in every table`, () => {
  let grown: Awaited<ReturnType<typeof openGrown>>;
  let seen: Awaited<ReturnType<typeof statementsOfApi>>;
  beforeAll(async () => {
    seen = await statementsOfApi();
    grown = await openGrown();
  }, 900_000);
  afterAll(() => grown.end());

  it('covers every call that an account can make', () => {
    expect(seen.unmade).toEqual([]);
  });

  it('scans no table in full in any call', async () => {
    expect(seen.statements.length).toBeGreaterThan(100);
    expect(await wholeReads(grown, seen.statements, { rows_min: 10_000 })).toEqual([]);
  });
});
