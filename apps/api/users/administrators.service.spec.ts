import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

const ROUNDS = 100;

/** Only one administrator at a time changes administrators, so that at least one always remains. */
describe('administrators who change each other concurrently', () => {
  let api: ApiHarness;
  let pair: [TestAccount, TestAccount];
  beforeAll(async () => {
    api = await apiHarness();
    pair = [await api.admin(), await api.admin()];
  });
  afterAll(() => api.close());

  const remaining = async (): Promise<number[]> => {
    const rows = await api.database.sql<{ id: number }>(
      'select id from users where is_admin and deactivated_at is null order by id',
    );
    return rows.map(({ id }) => id);
  };
  const again = async (account: TestAccount): Promise<TestAccount> => {
    await api.database.sql('update users set is_admin = true where id = $1', [account.id]);
    const answer = await api.http.post('/api/auth/login').send({ username: account.email, password: account.password });
    const token = (answer.body as { access_token: string }).access_token;
    return { ...account, token, auth: { authorization: `Bearer ${token}` } };
  };
  const demote = (by: TestAccount, whom: TestAccount) =>
    api.http.patch(`/api/users/${whom.id}/remove-admin`).set(by.auth);
  const deactivate = (by: TestAccount, whom: TestAccount) =>
    api.http.post(`/api/users/${whom.id}/deactivate`).set(by.auth);

  it(`remove each other's role, and one succeeds in each of ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [one, other] = pair;
      const answers = await Promise.all([demote(one, other), demote(other, one)]);
      const [done, refused] = answers.map(({ status }) => status).sort();
      expect([round, done, [401, 403].includes(refused ?? 0)]).toEqual([round, 200, true]);
      const winner = answers[0].status === 200 ? one : other;
      expect([round, await remaining()]).toEqual([round, [winner.id]]);
      pair = winner === one ? [one, await again(other)] : [await again(one), other];
    }
  });

  it('remove the role of one who deactivates them, and one succeeds', async () => {
    const [one, other] = pair;
    const answers = await Promise.all([demote(one, other), deactivate(other, one)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await remaining()).toEqual([answers[0].status === 200 ? one.id : other.id]);
  });
});
