import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';
import { everythingStored, neighbours, ordered } from '@moorage/tests/services/api/deployments';

let harness: ApiHarness;
let account: TestAccount;
let stranger: TestAccount;
let id: number;
let before: Record<string, string>;
beforeAll(async () => {
  harness = await apiHarness();
  const others = await neighbours(harness);
  account = await harness.user();
  stranger = await harness.user();
  await harness.pay(account, 2000);
  ({ id } = await ordered(harness, account));
  await others.moveTo(id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
  before = await everythingStored(harness);
});
afterAll(async () => {
  // None of the requests refused in this file has stored or sent anything.
  expect(await everythingStored(harness)).toEqual(before);
  await harness.close();
});

const call = (method: 'get' | 'post' | 'patch' | 'delete', path: string, who: TestAccount = account) =>
  harness.http[method](`/api/deployments/${path}`).set(who.auth);

describe('invalid support level', () => {
  it.each<[string, object | string]>([
    ['nothing', {}],
    ['null', { support_level: null }],
    ['0', { support_level: 0 }],
    ['4', { support_level: 4 }],
    ['-1', { support_level: -1 }],
    ['2.5', { support_level: 2.5 }],
    ['text', { support_level: '2' }],
    ['a list', { support_level: [2] }],
    ['an object', { support_level: { $gt: 0 } }],
    ['true', { support_level: true }],
    ['a huge number', { support_level: 1e300 }],
    ['a list as body', '[2]'],
  ])('is rejected: %s', async (_, body) => {
    const answer = await call('patch', String(id)).type('json').send(body);
    expect([answer.status, answer.body]).toEqual([
      422,
      expect.objectContaining({ code: 'FIELDS_INVALID', detail: expect.stringMatching(/\.$/) }),
    ]);
  });

  it.each(['', '?level=', '?level=0', '?level=4', '?level=x', '?level=2&level=3', '?level[$ne]=1'])(
    'gets no quote: "%s"',
    async (query) => {
      expect((await call('get', `${id}/support-level${query}`)).status).toBe(422);
    },
  );
});

describe('invalid position in a timeline', () => {
  it.each(['0', '-1', 'x', '1.5', '99999999999', ''])('is rejected: "%s"', async (after) => {
    expect((await call('get', `${id}/steps?after=${after}`)).status).toBe(422);
  });
});

describe('access to a deployment', () => {
  const CALLS: readonly (readonly ['get' | 'post' | 'patch' | 'delete', string])[] = [
    ['get', ''],
    ['get', '/status'],
    ['get', '/steps'],
    ['get', '/support-level?level=2'],
    ['patch', ''],
    ['post', '/restart'],
    ['post', '/retry-dns-validation'],
    ['post', '/reveal-secrets'],
    ['delete', ''],
  ];

  it.each(CALLS)("returns 404 for another user's id: %s {id}%s", async (method, rest) => {
    const send = (wanted: number | string) =>
      call(method, `${wanted}${rest}`, stranger).send(method === 'patch' ? { support_level: 2 } : undefined);
    const [foreign, absent] = [await send(id), await send(99_999_999)];
    expect(foreign.status).toBe(404);
    expect([foreign.status, foreign.body]).toEqual([absent.status, absent.body]);
    for (const odd of ['0', '-1', '2147483648', '1e3', '%7B%7D', 'null', '1%27--'])
      expect((await send(odd)).status).toBe(404);
  });

  it.each(CALLS)('requires a login: %s {id}%s', async (method, rest) => {
    const answer = await harness.http[method](`/api/deployments/1${rest}`).send(
      method === 'patch' ? { support_level: 2 } : undefined,
    );
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([401, 'UNAUTHENTICATED']);
  });

  it.each([
    ['patch', ''],
    ['post', '/restart'],
    ['post', '/retry-dns-validation'],
  ] as const)('requires a verified email: %s {id}%s', async (method, rest) => {
    await harness.database.sql('update users set is_verified = false where id = $1', [account.id]);
    const answer = await call(method, `${id}${rest}`).send({ support_level: 2 });
    await harness.database.sql('update users set is_verified = true where id = $1', [account.id]);
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([403, 'EMAIL_NOT_VERIFIED']);
  });
});
