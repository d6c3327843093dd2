import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '@moorage/domain';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { ApplyPayment } from './apply-payment.use-case';
import { SweepCheckouts } from './sweep-checkouts.use-case';
import { ProviderDouble } from '@moorage/tests/fakes/stripe/provider-double';

describe('checkout sweep', () => {
  let api: ApiHarness;
  let provider: ProviderDouble;
  let jane: TestAccount;
  const sweep = () => api.api.app.get(SweepCheckouts).run();
  beforeEach(async () => {
    api = await apiHarness();
    provider = ProviderDouble.in(api);
    jane = await api.user();
  });
  afterEach(() => api.close());

  async function begin(): Promise<string> {
    const begun = await api.http
      .post('/api/stripe/create-checkout-session')
      .set(jane.auth)
      .send({ amount_cents: 2000 });
    return (begun.body as { session_id: string }).session_id;
  }
  const paid = (session_id: string, cents = 2000, currency = 'usd') =>
    ({ kind: 'paid', session_id, payment_intent: `pi_${session_id}`, cents, currency }) as const;
  const status = async (id: string) =>
    (await api.database.sql<{ status: string }>('select status from checkout_sessions where id = $1', [id]))[0]?.status;
  const regular = async () =>
    ((await api.http.get('/api/billing/balance').set(jane.auth)).body as { regular_balance: number }).regular_balance;

  it('counts a payment with lost events once, after half an hour', async () => {
    const id = await begin();
    provider.sessions.set(id, paid(id));
    await sweep();
    expect(provider.sessionsRequested).toEqual([]);
    api.pass(31 * MINUTE_MS);
    await Promise.all([sweep(), sweep()]);
    expect(await regular()).toBe(20);
    expect(await status(id)).toBe('paid');
    const requested = provider.sessionsRequested.length;
    api.pass(HOUR_MS);
    await sweep();
    expect(provider.sessionsRequested).toHaveLength(requested);
  });

  it('checks an open session again half an hour later, then closes it', async () => {
    const id = await begin();
    provider.sessions.set(id, 'open');
    api.pass(31 * MINUTE_MS);
    await sweep();
    api.pass(29 * MINUTE_MS);
    await sweep();
    expect(provider.sessionsRequested).toEqual([id]);
    provider.sessions.set(id, { kind: 'expired', session_id: id });
    api.pass(MINUTE_MS);
    await sweep();
    expect(await status(id)).toBe('expired');
  });

  it('continues with the others when one cannot be checked', async () => {
    const [gone, good] = [await begin(), await begin()];
    provider.sessions.set(good, paid(good));
    api.pass(31 * MINUTE_MS);
    await sweep();
    expect([await status(gone), await status(good)]).toEqual(['open', 'paid']);
    expect(api.logged()).not.toContain('no such session');
  });

  it('ends a pass early while the provider is down, and checks those sessions later', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) ids.push(await begin());
    for (const id of ids) provider.sessions.set(id, paid(id));
    provider.isAway = true;
    api.pass(31 * MINUTE_MS);
    await sweep();
    expect(provider.sessionsRequested).toHaveLength(5);
    provider.isAway = false;
    await sweep();
    api.pass(31 * MINUTE_MS);
    await sweep();
    expect(await regular()).toBe(140);
  });

  it('is not delayed by sessions unknown to the provider, and closes them after two days', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) ids.push(await begin());
    const good = await begin();
    provider.sessions.set(good, paid(good));
    for (const id of ids) provider.unknown.add(id);
    api.pass(31 * MINUTE_MS);
    await sweep();
    expect(provider.sessionsRequested).toHaveLength(8);
    expect([await status(good), await status(ids[0] ?? '')]).toEqual(['paid', 'open']);
    api.pass(49 * HOUR_MS);
    await sweep();
    expect(await Promise.all(ids.map(status))).toEqual(ids.map(() => 'expired'));
    // Paid with another key after all, and therefore posted.
    const late = ids[0] ?? '';
    await api.deps.db.tx('test.late', async (tx) =>
      api.api.app.get(ApplyPayment).run(tx, paid(late), { at: await api.deps.clock.now(tx) }),
    );
    expect(await status(late)).toBe('paid');
  });

  it.each([
    ['another amount', 1999, 'usd', 'refused: amount'],
    ['another currency', 2000, 'eur', 'refused: currency'],
  ])('does not credit %s and raises one alert', async (_, cents, currency, because) => {
    const id = await begin();
    provider.sessions.set(id, paid(id, cents, currency));
    for (let pass = 0; pass < 3; pass++) {
      api.pass(HOUR_MS);
      await sweep();
    }
    expect(await regular()).toBe(0);
    expect(await api.database.sql('select facts from audit_records where subject = $1', [`checkout:${id}`])).toEqual([
      { facts: { type: 'paid', because } },
    ]);
  });

  it('ignores charges of saved cards and checkouts of the other mode', async () => {
    await api.database.sql(
      `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, created_at, kind)
       select 'of_no_concern_' || mode, $1, 1000, mode, '', now(), case when mode then 'automatic' else 'checkout' end
       from unnest(array[true, false]) as mode`,
      [jane.id],
    );
    api.pass(24 * HOUR_MS);
    await sweep();
    expect(provider.sessionsRequested).toEqual([]);
  });
});
