import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '@moorage/domain';
import type { Db } from '@moorage/server';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

/**
 * Inserting a row that references an account locks the account's row until the transaction ends, and such a transaction
 * may wait for the wallet next, as the key of an order does. A transaction that holds the wallet and then waits for the
 * account's row would deadlock. So the account's row is locked without its key, which conflicts with other writers but
 * not with references.
 */
describe('account row referenced by an open transaction', () => {
  let api: ApiHarness;
  let other: Db;
  beforeAll(async () => {
    // A request that waits for the result of a server check returns immediately.
    const sleep = async (): Promise<void> => api.pass(MINUTE_MS);
    api = await apiHarness({ deps: (deps) => ({ ...deps, clock: { ...deps.clock, sleep } }) });
    other = await api.database.open({ service: 'api' });
  });
  afterAll(() => api.close());

  const CALLS: Readonly<Record<string, (account: TestAccount, token: string) => Promise<{ status: number }>>> = {
    'a verification of its address': async (_, token) => api.http.get('/api/auth/verify-email').query({ token }),
    'a login': async ({ email, password }) => api.http.post('/api/auth/login').send({ username: email, password }),
    'a new API token': async ({ auth }) => api.http.post('/api/users/self/api-tokens').set(auth).send({ label: 'ci' }),
    'a check of its server': async ({ auth }) =>
      api.http.post('/api/servers/validate-vps').set(auth).send({ ip_address: '5.9.77.1' }),
  };

  it.each(Object.keys(CALLS))('does not block %s', async (name) => {
    const isToVerify = name.includes('verification');
    const account = isToVerify ? await api.unverified() : await api.user();
    const token = isToVerify ? await api.linkToken(account.email, 'verify-email') : '';
    await other.tx('order', async (tx) => {
      await tx.execute(
        `insert into idempotency_keys (user_id, key, request_hash, status, answer, created_at)
         values ($1, 'key', 'hash', 201, 'null', now())`,
        [account.id],
      );
      const answer = await CALLS[name]?.(account, token);
      expect(answer?.status).toBeLessThan(300);
    });
  });
});
