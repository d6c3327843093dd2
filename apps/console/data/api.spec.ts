import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { api } from './api';
import { ApiError } from './errors';
import { currentSession, startSession } from './session';

const answer = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

describe('API call', () => {
  let fetch: jest.Spied<typeof globalThis.fetch>;
  const answers = (response: Response): void => void fetch.mockResolvedValue(response);

  beforeEach(() => {
    fetch = jest.spyOn(globalThis, 'fetch');
    startSession('token-1', null);
  });
  it('goes below /api with the token and the client key, and omits empty query values', async () => {
    answers(answer(200, []));
    await api('GET /deployments', { query: { page: 2, search: '', user: undefined } });
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(url).toBe('/api/deployments?page=2');
    expect(init?.headers).toMatchObject({ authorization: 'Bearer token-1', 'x-api-key': 'console' });
  });

  it('fills in its path and sends the idempotency key of a call that moves money', async () => {
    answers(answer(200, {}));
    await api('PATCH /deployments/{id}', { params: { id: 7 }, body: { support_level: 2 }, idempotencyKey: 'key-1' });
    answers(answer(200, []));
    await api('GET /deployments/regions/{provider}', { params: { provider: 'a/b' } });
    expect(fetch.mock.calls.map(([url, init]) => [init?.method, url])).toEqual([
      ['PATCH', '/api/deployments/7'],
      ['GET', '/api/deployments/regions/a%2Fb'],
    ]);
    const [, sent] = fetch.mock.calls[0] ?? [];
    expect([sent?.headers, sent?.body]).toEqual([
      expect.objectContaining({ 'idempotency-key': 'key-1', 'content-type': 'application/json' }),
      '{"support_level":2}',
    ]);
  });

  it('throws message, code, field errors and facts of a rejection', async () => {
    answers(
      answer(
        402,
        {
          detail: 'Add $3.50 first.',
          code: 'BALANCE_TOO_LOW',
          needed: 5,
          available: 1.5,
          errors: [{ path: 'amount', message: 'too little' }],
        },
        { 'retry-after': '30' },
      ),
    );
    const error = await api('POST /stripe/create-checkout-session', {
      body: { amount_cents: 1 },
      idempotencyKey: 'key-1',
    }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 402,
      code: 'BALANCE_TOO_LOW',
      message: 'Add $3.50 first.',
      facts: { needed: 5, available: 1.5 },
      retryAfterS: 30,
      body: { errors: { amount: 'too little' } },
    });
  });

  it('reports the status of an unreadable rejection', async () => {
    answers(answer(502, '<html>bad gateway</html>'));
    await expect(api('GET /auth/me')).rejects.toThrow('HTTP error! status: 502');
  });

  it('reports that the server cannot be reached', async () => {
    fetch.mockRejectedValue(new TypeError('Failed to fetch'));
    await expect(api('GET /auth/me')).rejects.toThrow('Network error. Please try again.');
  });

  it('ends the session when its token is no longer valid', async () => {
    answers(answer(401, { detail: 'Log in again.', code: 'UNAUTHENTICATED' }));
    await expect(api('GET /auth/me')).rejects.toThrow('Log in again.');
    expect(currentSession()).toBeNull();
  });

  it('leaves the new session alone when rejected for a token that was replaced in the meantime', async () => {
    fetch.mockImplementation(async () => {
      startSession('token-2', null);
      return answer(401, { detail: 'Log in again.', code: 'UNAUTHENTICATED' });
    });
    await expect(api('GET /auth/me')).rejects.toThrow();
    expect(currentSession()?.token).toBe('token-2');
  });
});
