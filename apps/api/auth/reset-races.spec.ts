import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Db } from '@moorage/server';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

/**
 * Operations that overlap a password reset must not outlive it (S13). Each case pauses one side between two of its
 * transactions.
 */
describe('races with a password reset', () => {
  const gates = new Map<string, { reached: () => void; open: Promise<void> }>();
  let api: ApiHarness;
  beforeAll(async () => {
    api = await apiHarness({
      deps: (deps) => ({ ...deps, db: gated(deps.db) }),
    });
  });
  afterAll(() => api.close());

  /** Pauses the next transaction of this name before it begins. */
  function hold(name: string): { reached: Promise<void>; release: () => void } {
    let release: () => void = () => undefined;
    const open = new Promise<void>((resolve) => (release = resolve));
    const reached = new Promise<void>((resolve) => gates.set(name, { reached: resolve, open }));
    return { reached, release };
  }

  function gated(db: Db): Db {
    return {
      ...db,
      async tx(name, fn) {
        const gate = gates.get(name);
        if (gate !== undefined) {
          gates.delete(name);
          gate.reached();
          await gate.open;
        }
        return db.tx(name, fn);
      },
    };
  }

  const code = (answer: { status: number; body: unknown }) => [answer.status, (answer.body as { code?: string }).code];
  const login = (username: string, password: string) => api.http.post('/api/auth/login').send({ username, password });

  async function resetLink(account: TestAccount): Promise<string> {
    await api.http.post('/api/auth/forgot-password').send({ email: account.email });
    return api.linkToken(account.email, 'reset-password');
  }
  const reset = (token: string) =>
    api.http.post('/api/auth/reset-password').send({ token, new_password: 'another-one' });

  async function inForce(userId: number): Promise<{ sessions: number; tokens: number }> {
    const [row] = await api.database.sql<{ sessions: number; tokens: number }>(
      `select (select count(*)::int from sessions where user_id = $1 and ended_at is null) as sessions,
              (select count(*)::int from user_tokens where user_id = $1 and purpose = 'api_token' and revoked_at is null) as tokens`,
      [userId],
    );
    if (row === undefined) throw new Error('no row');
    return row;
  }

  it('opens no session for a login that checked the old password before the reset', async () => {
    const account = await api.user();
    const link = await resetLink(account);
    const late = hold('auth.login');
    const [answer] = await Promise.all([
      login(account.email, account.password),
      (async () => {
        await late.reached;
        expect((await reset(link)).status).toBe(200);
        late.release();
      })(),
    ]);
    expect(code(answer)).toEqual([401, 'CREDENTIALS_WRONG']);
    expect(await inForce(account.id)).toEqual({ sessions: 0, tokens: 0 });
    expect((await login(account.email, 'another-one')).status).toBe(200);
  });

  it('opens no session for a login that overlaps a deactivation', async () => {
    const account = await api.user();
    const late = hold('auth.login');
    const [answer] = await Promise.all([
      login(account.email, account.password),
      (async () => {
        await late.reached;
        await api.database.sql('update users set deactivated_at = now() where id = $1', [account.id]);
        late.release();
      })(),
    ]);
    expect(answer.status).toBe(401);
    // The session of the login after the sign-up.
    expect((await inForce(account.id)).sessions).toBe(1);
  });

  it('creates no API token for a session that the reset ended', async () => {
    const account = await api.user();
    const link = await resetLink(account);
    const late = hold('account.make-api-token');
    const [answer] = await Promise.all([
      api.http.post('/api/users/self/api-tokens').set(account.auth).send({ label: 'late' }),
      (async () => {
        await late.reached;
        expect((await reset(link)).status).toBe(200);
        late.release();
      })(),
    ]);
    expect(code(answer)).toEqual([401, 'UNAUTHENTICATED']);
    expect(await inForce(account.id)).toEqual({ sessions: 0, tokens: 0 });
  });

  it('leaves no session of ten logins with the old password during a reset', async () => {
    for (let round = 0; round < 5; round++) {
      const account = await api.user();
      const link = await resetLink(account);
      const answers = await Promise.all([
        reset(link),
        ...Array.from({ length: 10 }, () => login(account.email, account.password)),
      ]);
      expect(answers[0].status).toBe(200);
      expect((await inForce(account.id)).sessions).toBe(0);
    }
  });
});
