import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

describe('request input', () => {
  let api: ApiHarness;
  let jane: TestAccount;
  beforeAll(async () => {
    api = await apiHarness();
    jane = await api.user('jane');
  });
  afterAll(() => api.close());

  const label = (body: string) => api.http.post('/api/users/self/api-tokens').set(jane.auth).type('json').send(body);

  describe('bodies', () => {
    it.each([
      ['not JSON', 'hello', 400, 'BODY_MALFORMED'],
      ['half JSON', '{"label":', 400, 'BODY_MALFORMED'],
      ['single quotes', "{'label':'x'}", 400, 'BODY_MALFORMED'],
      ['NaN', '{"label":NaN}', 400, 'BODY_MALFORMED'],
      ['two values', '{"label":"x"}{}', 400, 'BODY_MALFORMED'],
      ['nothing', '', 422, 'FIELDS_INVALID'],
      ['null', 'null', 422, 'FIELDS_INVALID'],
      ['a list', '[{"label":"x"}]', 422, 'FIELDS_INVALID'],
      ['a text', '"label"', 422, 'FIELDS_INVALID'],
      ['a huge number', '1e400', 422, 'FIELDS_INVALID'],
      ['__proto__', '{"label":"x","__proto__":{"isAdmin":true}}', 422, 'FIELDS_INVALID'],
      ['__proto__ inside', '{"label":"x","a":{"__proto__":{"x":1}}}', 422, 'FIELDS_INVALID'],
      ['NUL', '{"label":"a\\u0000b"}', 422, 'FIELDS_INVALID'],
      ['NUL in an unused field', '{"label":"x","other":["\\u0000"]}', 422, 'FIELDS_INVALID'],
      ['NUL in a name', '{"label":"x","\\u0000":1}', 422, 'FIELDS_INVALID'],
      ['half a surrogate pair', '{"label":"\\ud800"}', 422, 'FIELDS_INVALID'],
      ['deep lists', `{"label":"x","a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 422, 'FIELDS_INVALID'],
      ['deep objects', `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`, 422, 'FIELDS_INVALID'],
      ['another type', '{"label":{"$ne":null}}', 422, 'FIELDS_INVALID'],
      ['a list instead of a text', '{"label":["x"]}', 422, 'FIELDS_INVALID'],
    ])('are rejected with a message: %s', async (_, body, status, code) => {
      const answer = await label(body);
      expect([answer.status, (answer.body as { code: string }).code]).toEqual([status, code]);
      expect((answer.body as { detail: string }).detail).toMatch(/\w.*\.$/);
      expect(await api.database.sql(`select 1 from user_tokens where purpose = 'api_token'`)).toEqual([]);
    });

    it('names the invalid field and its constraint without repeating the value', async () => {
      const answer = await api.http.post('/api/users').send({ username: 5, email: 'x', password: 'abc' });
      expect(answer.body).toMatchObject({
        detail:
          'username must be text. Enter an email address like name@example.com. Password must be at least 6 characters long',
        code: 'FIELDS_INVALID',
        errors: [
          { path: 'username', message: 'username must be text.', code: 'shape.text', facts: { field: 'username' } },
          { path: 'email', message: 'Enter an email address like name@example.com.', code: 'account.email_malformed' },
          { path: 'password', message: 'Password must be at least 6 characters long', code: 'account.password_short' },
        ],
        message_code: 'joined',
        facts: {
          parts: [{ code: 'shape.text' }, { code: 'account.email_malformed' }, { code: 'account.password_short' }],
        },
      });
    });

    it('rejects more than 64 kB', async () => {
      const answer = await label(JSON.stringify({ label: 'x'.repeat(70_000) }));
      expect([answer.status, (answer.body as { code: string }).code]).toEqual([413, 'BODY_TOO_LARGE']);
    });

    it.each([
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/jsonx',
    ])('rejects %s where JSON is required', async (type) => {
      const answer = await api.http
        .post('/api/users/self/api-tokens')
        .set(jane.auth)
        .set('content-type', type)
        .send('label=x');
      expect([answer.status, (answer.body as { code: string }).code]).toEqual([415, 'MEDIA_TYPE_UNSUPPORTED']);
    });

    it('rejects bytes that are not UTF-8', async () => {
      const bytes = Buffer.from('{"label":"\xff\xfe"}', 'latin1');
      const answer = await api.http
        .post('/api/users/self/api-tokens')
        .set(jane.auth)
        .type('json')
        .serialize(() => bytes as never)
        .send(bytes as never);
      expect(answer.status).toBe(400);
    });

    it('accepts an empty JSON body for a call without a body', async () => {
      const other = await api.user();
      const answer = await api.http.post('/api/auth/logout').set(other.auth).type('json').send('');
      expect(answer.status).toBe(200);
    });

    it.each([
      'page=0',
      'page=-1',
      'page=1.5',
      'page=x',
      'page=99999999999',
      'page=1&page=2',
      'days_per_page=101',
      'page[$ne]=1&page[]=2&page=',
      'page=%00',
    ])('rejects the query %s', async (query) => {
      const answer = await api.http.get(`/api/billing/transactions?${query}`).set(jane.auth);
      expect([answer.status, (answer.body as { code: string }).code]).toEqual([422, 'FIELDS_INVALID']);
    });

    it('ignores unknown fields', async () => {
      const answer = await api.http.get('/api/billing/transactions?page=1&utm_source=x&constructor=1').set(jane.auth);
      expect(answer.status).toBe(200);
    });
  });
});
