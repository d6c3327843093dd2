import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let first: ApiHarness;
let second: ApiHarness;
let jane: TestAccount;
let ben: TestAccount;

beforeAll(async () => {
  first = await apiHarness();
  second = await apiHarness();
  jane = await first.user('jane');
  ben = await first.user('ben');
});
afterAll(async () => {
  await first.close();
  await second.close();
});

const me = (harness: ApiHarness, auth: { authorization?: string }) => harness.http.get('/api/auth/me').set(auth);

async function apiTokenOf({ auth }: TestAccount): Promise<string> {
  const created = await first.http.post('/api/users/self/api-tokens').set(auth).send({ label: 'a script' });
  expect(created.status).toBe(201);
  return (created.body as { token: string }).token;
}

describe('two api instances in one process', () => {
  it('accept sessions of their own database only, regardless of start order', async () => {
    expect((await me(first, jane.auth)).body).toMatchObject({ username: 'jane' });
    expect((await me(second, jane.auth)).status).toBe(401);
  });

  it('accept API tokens of their own database only', async () => {
    const authorization = `Bearer ${await apiTokenOf(jane)}`;
    expect((await me(first, { authorization })).body).toMatchObject({ username: 'jane' });
    expect((await me(second, { authorization })).status).toBe(401);
  });

  it('do not affect each other when one stops', async () => {
    const third = await apiHarness({ beside: first });
    await third.close();
    expect((await me(first, jane.auth)).status).toBe(200);
  });
});

describe('concurrent requests', () => {
  it('get the caller of their own credential', async () => {
    const credentials = [jane.auth, ben.auth, { authorization: `Bearer ${await apiTokenOf(ben)}` }, {}];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => me(first, credentials[index % credentials.length] ?? {})),
    );
    const seen = answers.map(({ status, body }) => (status === 200 ? (body as { username: string }).username : status));
    expect(seen).toEqual(Array.from({ length: 10 }, () => ['jane', 'ben', 'ben', 401]).flat());
  });
});

describe('credential that cannot be looked up', () => {
  it('is not reported as invalid while the database is unavailable', async () => {
    const away = await apiHarness({
      deps: (deps) => ({
        ...deps,
        db: { ...deps.db, read: () => Promise.reject(new Error('connect ECONNREFUSED')) },
      }),
    });
    try {
      const answer = await me(away, { authorization: jane.auth.authorization });
      expect([answer.status, (answer.body as { code: string }).code]).toEqual([500, 'INTERNAL_ERROR']);
    } finally {
      await away.close();
    }
  });
});
