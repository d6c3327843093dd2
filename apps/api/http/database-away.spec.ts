import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

describe('unavailable database', () => {
  let api: ApiHarness;
  let jane: TestAccount;
  let admin: TestAccount;
  beforeAll(async () => {
    api = await apiHarness();
    [jane, admin] = [await api.user(), await api.admin()];
  });
  afterAll(() => api.close());

  const refused = (answer: { status: number; headers: Record<string, string>; body: unknown }) => [
    answer.status,
    (answer.body as { code: string }).code,
    answer.headers['retry-after'],
  ];

  it('returns 503 with Retry-After when a row stays locked too long, and posts nothing', async () => {
    const hurried = await api.database.open({ service: 'api', lock_timeout_ms: 300 });
    const timed = await apiHarness({ beside: api, deps: (deps) => ({ ...deps, db: hurried }) });
    const holder = await api.database.open();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let locked: () => void = () => undefined;
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const holding = holder.tx('test.hold', async (tx) => {
      await tx.query('select 1 from wallets where user_id = $1 for update', [jane.id]);
      locked();
      await held;
    });
    try {
      await isLocked;
      const adjust = () =>
        timed.http.post(`/api/billing/admin/users/${jane.id}/adjust-balance`).set(admin.auth).send({ amount: 5 });
      expect(refused(await adjust())).toEqual([503, 'SERVICE_UNAVAILABLE', '5']);
      release();
      await holding;
      expect(await api.database.sql('select 1 from ledger_transactions where user_id = $1', [jane.id])).toEqual([]);
      expect((await adjust()).body).toMatchObject({ regular_balance: 5 });
    } finally {
      release();
      await timed.close();
    }
  });

  it('returns 503 and reports live but not ready while it is down, then recovers', async () => {
    let isAway = false;
    const away = await apiHarness({
      beside: api,
      deps: (deps) => ({
        ...deps,
        db: {
          ...deps.db,
          tx: (name, fn) => (isAway ? Promise.reject(refusedConnection()) : deps.db.tx(name, fn)),
          read: (name, fn) => (isAway ? Promise.reject(refusedConnection()) : deps.db.read(name, fn)),
        },
      }),
    });
    try {
      const me = () => away.http.get('/api/auth/me').set(jane.auth);
      expect((await me()).status).toBe(200);
      isAway = true;
      expect(refused(await me())).toEqual([503, 'SERVICE_UNAVAILABLE', '5']);
      expect(
        refused(await away.http.post('/api/auth/login').send({ username: jane.email, password: jane.password })),
      ).toEqual([503, 'SERVICE_UNAVAILABLE', '5']);
      expect(refused(await away.http.get('/api/health/ready'))).toEqual([503, 'SERVICE_UNAVAILABLE', '5']);
      expect((await away.http.get('/api/health/live')).status).toBe(200);
      isAway = false;
      expect((await me()).status).toBe(200);
    } finally {
      await away.close();
    }
  });

  it('returns 503 with Retry-After while it accepts no more connections, then recovers', async () => {
    const hurried = await api.database.open({ service: 'api', connections_max: 1 });
    const short = await apiHarness({ beside: api, deps: (deps) => ({ ...deps, db: hurried }) });
    const [{ name } = { name: '' }] = await api.database.sql<{ name: string }>(
      'select current_database()::text as name',
    );
    try {
      await api.database.sql(`alter database ${name} connection limit 0`);
      await api.database.sql(
        `select pg_terminate_backend(pid, 45000) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`,
      );
      const me = () => short.http.get('/api/auth/me').set(jane.auth);
      // The closed connection may cause one failure.
      await me();
      await expect(hurried.ping()).rejects.toMatchObject({ code: '53300' });
      expect(refused(await me())).toEqual([503, 'SERVICE_UNAVAILABLE', '5']);
      await api.database.sql(`alter database ${name} connection limit -1`);
      expect((await me()).status).toBe(200);
    } finally {
      await api.database.sql(`alter database ${name} connection limit -1`);
      await short.close();
    }
  });

  it('reconnects after connections are cut', async () => {
    await api.database.sql(
      `select pg_terminate_backend(pid, 45000) from pg_stat_activity where application_name = 'moorage' and datname = current_database()`,
    );
    // The closed connection may cause one failure, after which the pool discards it.
    const answers: number[] = [];
    while (answers.length < 20 && answers.at(-1) !== 200)
      answers.push((await api.http.get('/api/auth/me').set(jane.auth)).status);
    expect(answers.pop()).toBe(200);
    expect(answers.every((status) => status === 503)).toBe(true);
  });
});

const refusedConnection = (): Error =>
  Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
