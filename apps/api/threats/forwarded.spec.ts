import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiHarness, apiHarness, elsewhere } from '@moorage/tests/services/api/api-harness';

/** S18: the address that counts, and the limit of credits per mailbox. */
describe.each([
  {
    where: 'client address without a trusted proxy is that of the connection',
    trustedProxies: [],
    cases: [
      ['203.0.113.9', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.1'],
      ['203.0.113.9, 198.51.100.7', '127.0.0.1'],
      ['not an address', '127.0.0.1'],
    ],
  },
  {
    where: 'client address ignores a trusted proxy that is not the connecting one',
    trustedProxies: ['10.0.0.0/8'],
    cases: [
      ['203.0.113.9', '127.0.0.1'],
      ['203.0.113.9, 10.0.0.5', '127.0.0.1'],
    ],
  },
  {
    where: 'client address behind trusted proxies is the rightmost untrusted one',
    trustedProxies: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
    cases: [
      ['203.0.113.9', '203.0.113.9'],
      ['203.0.113.9, 198.51.100.7', '198.51.100.7'],
      ['203.0.113.9, 198.51.100.7, 10.0.0.5', '198.51.100.7'],
      ['203.0.113.9, 198.51.100.7, 10.0.0.5, 10.9.9.9', '198.51.100.7'],
      ['203.0.113.9,198.51.100.7,fd00::5', '198.51.100.7'],
      // A trusted address before a stranger's was written by the stranger.
      ['10.0.0.5, 198.51.100.7', '198.51.100.7'],
      ['127.0.0.1, 10.0.0.5, 198.51.100.7, 10.0.0.6', '198.51.100.7'],
      ['2001:db8:4:5::1', '2001:db8:4:5::1'],
      ['::ffff:198.51.100.7', '198.51.100.7'],
      // No address precedes the proxies, so the request began at one of them.
      ['10.0.0.5', '10.0.0.5'],
      // An invalid address counts as none, and never as the address before it.
      ['203.0.113.9, unknown', '0.0.0.0'],
      ['203.0.113.9, <script>', '0.0.0.0'],
      [`${'203.0.113.9, '.repeat(900)}198.51.100.7`, '198.51.100.7'],
    ],
  },
])('$where', ({ trustedProxies, cases }) => {
  let api: ApiHarness;
  let counter = 0;
  beforeAll(async () => {
    api = await apiHarness({ settings: { trustedProxies } });
  });
  afterAll(() => api.close());

  it.each(cases)('%s: %s', async (forwarded, counted) => {
    const email = `from-${++counter}@example.com`;
    const answer = await api.http
      .post('/api/users')
      .set({
        'x-forwarded-for': forwarded ?? '',
        // Other headers for the same purpose, which are ignored.
        forwarded: 'for=203.0.113.50',
        'x-real-ip': '203.0.113.51',
        'true-client-ip': '203.0.113.52',
        'cf-connecting-ip': '203.0.113.53',
        'x-client-ip': '203.0.113.54',
      })
      .send({ username: `from-${counter}`, email, password: 'secret-1' });
    expect(answer.status).toBe(201);
    expect(await api.database.sql('select host(signup_ip) as ip from users where email = $1', [email])).toEqual([
      { ip: counted },
    ]);
  });
});

describe('spellings of one mailbox', () => {
  let api: ApiHarness;
  let counter = 0;
  beforeAll(async () => {
    api = await apiHarness({ settings: { trustedProxies: ['127.0.0.1'] } });
  });
  afterAll(() => api.close());

  /** Creates an account under this address, referred and verified. Returns the granted credit. */
  async function credited(email: string, referral_code: string): Promise<number> {
    const username = `spelling-${++counter}`;
    const signup = await api.http
      .post('/api/users')
      .set('x-forwarded-for', elsewhere())
      .send({ username, email, password: 'secret-1', referral_code });
    if (signup.status !== 201) return 0;
    await api.http.get('/api/auth/verify-email').query({ token: await api.linkToken(email, 'verify-email') });
    const [row] = await api.database.sql<{ count: number }>(
      `select count(*)::int as count from credits c join users u on u.id = c.user_id where u.username = $1`,
      [username],
    );
    return row?.count ?? 0;
  }

  it.each([
    ['dots and tags', ['jane.doe@gmail.com', 'janedoe@gmail.com', 'j.a.n.e.d.o.e@gmail.com', 'janedoe+2@gmail.com']],
    ['names of one host', ['jim.doe@googlemail.com', 'jimdoe@gmail.com', 'JIM.DOE+x@googlemail.com']],
    ['capitals', ['Jill@example.com', 'JILL@EXAMPLE.COM']],
    ['tags of another host', ['jo@outlook.com', 'jo+1@outlook.com', 'Jo+2+3@outlook.com']],
    ['tags of a third', ['jay@icloud.com', 'jay+shop@icloud.com']],
    ['tags of a fourth', ['jan@proton.me', 'jan+a@proton.me']],
  ])('%s get a credit once, as referrer and as referred user', async (_, spellings) => {
    const referrer = await api.user();
    const link = await api.http.get('/api/referrals/my-link').set(referrer.auth);
    const { referral_code } = link.body as { referral_code: string };
    const given: number[] = [];
    for (const email of spellings) given.push(await credited(email, referral_code));
    expect(given).toEqual(spellings.map((_email, n) => (n === 0 ? 1 : 0)));
    expect(
      await api.database.sql(`select count(*)::int as count from credits where user_id = $1`, [referrer.id]),
    ).toEqual([{ count: 1 }]);
  });

  it('are two mailboxes where dots and tags may belong to two users', async () => {
    const referrer = await api.user();
    const link = await api.http.get('/api/referrals/my-link').set(referrer.auth);
    const { referral_code } = link.body as { referral_code: string };
    expect(await credited('j.joe@example.com', referral_code)).toBe(1);
    expect(await credited('jjoe@example.com', referral_code)).toBe(1);
  });
});
