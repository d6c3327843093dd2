import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { ComparePayments } from './compare-payments.use-case';
import { SweepCheckouts } from './sweep-checkouts.use-case';
import { ProviderDouble } from '@moorage/tests/fakes/stripe/provider-double';

describe('open checkouts of a closed account', () => {
  let api: ApiHarness;
  let provider: ProviderDouble;
  let admin: TestAccount;
  let jane: TestAccount;
  let session: string;
  beforeAll(async () => {
    api = await apiHarness();
    provider = ProviderDouble.in(api);
    admin = await api.admin();
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    provider.isAway = false;
    jane = await api.user();
    session = await begin();
  });

  async function begin(): Promise<string> {
    const { body } = await api.http
      .post('/api/stripe/create-checkout-session')
      .set(jane.auth)
      .send({ amount_cents: 2000 });
    const { session_id: id } = body as { session_id: string };
    provider.sessions.set(id, 'open');
    return id;
  }
  const paidAt = (id: string) =>
    ({ kind: 'paid', session_id: id, payment_intent: `pi_${id}`, cents: 2000, currency: 'usd' }) as const;
  const status = async (id = session) =>
    (await api.database.sql<{ status: string }>('select status from checkout_sessions where id = $1', [id]))[0]?.status;
  const close = async () =>
    expect((await api.http.post(`/api/users/${jane.id}/deactivate`).set(admin.auth)).status).toBe(200);
  const alerts = async () =>
    (
      await api.database.sql<{ subject: string }>(
        `select subject from operator_alerts where kind = 'closed_account_paid' and resolved_at is null`,
      )
    ).map(({ subject }) => subject);

  it('accept no more payments', async () => {
    await close();
    await api.run();
    expect([provider.sessions.get(session), await status()]).toEqual([
      { kind: 'expired', session_id: session },
      'expired',
    ]);
  });

  it('are closed when a user deletes their account', async () => {
    const deleted = await api.http.delete('/api/users/self').set(jane.auth).send({ password: jane.password });
    expect(deleted.status).toBe(200);
    await api.run();
    expect(await status()).toBe('expired');
  });

  it('are closed later when the provider is unreachable', async () => {
    await close();
    provider.isAway = true;
    await expect(api.run()).rejects.toThrow('the payment provider is away');
    expect(await status()).toBe('open');
    provider.isAway = false;
    api.pass(HOUR_MS);
    await api.run();
    expect(await status()).toBe('expired');
  });

  it('are closed by the sweep when they were started during the closing', async () => {
    await close();
    await api.run();
    await api.database.sql(`update checkout_sessions set status = 'open', asked_at = null where id = $1`, [session]);
    provider.sessions.set(session, 'open');
    api.pass(HOUR_MS);
    await api.api.app.get(SweepCheckouts).run();
    await api.run();
    expect(await status()).toBe('expired');
  });

  it('are posted when paid anyway, with an alert until the money is gone', async () => {
    provider.sessions.set(session, paidAt(session));
    await close();
    await api.run();
    expect(await status()).toBe('paid');
    expect(await alerts()).toEqual([session]);
    provider.enter(`pi_${session}`, 2000);
    const compare = () => api.api.app.get(ComparePayments).run();
    api.pass(DAY_MS);
    await compare();
    expect(await alerts()).toEqual([session]);
    expect((await api.http.post(`/api/users/${jane.id}/reactivate`).set(admin.auth)).status).toBe(200);
    api.pass(DAY_MS);
    await compare();
    expect(await alerts()).toEqual([]);
  });
});
