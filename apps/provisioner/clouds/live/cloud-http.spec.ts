import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { SECOND_MS } from '@moorage/domain';
import { z } from 'zod';
import { fixtureClock } from '@moorage/tests/services/provisioner/fixture-clock';
import { CloudHttp } from './cloud-http';

const TOKEN = 'canary-of-the-token';
const clock = fixtureClock();
const opened: Server[] = [];
afterEach(() => opened.splice(0).forEach((server) => (server.closeAllConnections(), server.close())));

async function clientOf(answer: RequestListener): Promise<CloudHttp> {
  const server = createServer(answer);
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new CloudHttp({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authorization: () => Promise.resolve(`Bearer ${TOKEN}`),
    secrets: [TOKEN],
    kindOf: ({ body }) => ((body as { code?: string }).code === 'full' ? 'capacity' : null),
    messageOf: (body) => (typeof body === 'string' ? body : JSON.stringify(body)),
    resetHeader: 'ratelimit-reset',
    clock,
  });
}

const answer = z.object({ id: z.number() });
const refusalOf = async (listener: RequestListener, signal?: AbortSignal): Promise<unknown> =>
  (await clientOf(listener)).send('POST', '/things', { body: {}, answer, signal }).catch((error: unknown) => error);

describe('provider call', () => {
  it('sends JSON with the token and reads the requested fields', async () => {
    const client = await clientOf((request, response) => {
      expect(request.headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' });
      expect(request.url).toBe('/things?page=2');
      response.end('{"id": 7, "more": true}');
    });
    expect(await client.send('PUT', '/things', { query: { page: 2, tag: undefined }, body: {}, answer })).toEqual({
      id: 7,
    });
  });

  it.each([
    [401, '{}', 'auth'],
    [403, '{}', 'permission'],
    [404, '{}', 'not_found'],
    [409, '{}', 'conflict'],
    [422, '{"code":"full"}', 'capacity'],
    [422, '{}', 'invalid'],
    [302, '', 'invalid'],
    [500, '<html>', 'transient'],
    // Responses of a proxy in front of the provider, which knows neither our credentials nor our servers.
    [401, '<html>', 'transient'],
    [403, '<!doctype html>', 'transient'],
    [403, '', 'transient'],
    [404, '<html>', 'transient'],
    [404, '', 'not_found'],
  ])('with the response %i %s is classified as %s', async (status, body, kind) => {
    const refused = await refusalOf((_, response) => response.writeHead(status, { location: '/elsewhere' }).end(body));
    expect(refused).toMatchObject({ name: 'CloudError', kind, retry_after_ms: null });
  });

  it.each([
    ['seconds', { 'retry-after': '12' }, 12 * SECOND_MS],
    ['a date', { 'retry-after': new Date(clock.at + 20 * SECOND_MS).toUTCString() }, 20 * SECOND_MS],
    ['a timestamp in its own header', { 'ratelimit-reset': String(clock.at / SECOND_MS + 40) }, 40 * SECOND_MS],
    ['nothing', {}, 30 * SECOND_MS],
    ['an invalid value', { 'retry-after': 'soon' }, 30 * SECOND_MS],
    ['a year', { 'retry-after': '31536000' }, 900 * SECOND_MS],
  ])('waits after a rate limit for as long as the provider demands: %s', async (_, headers, retry_after_ms) => {
    const refused = await refusalOf((__, response) => response.writeHead(429, headers).end('{}'));
    expect(refused).toMatchObject({ kind: 'rate_limit', retry_after_ms });
  });

  it.each<[string, RequestListener]>([
    ['not JSON', (_, response) => response.end('<html>busy</html>')],
    ['of another format', (_, response) => response.end('{"id": "seven"}')],
    ['longer than any list', (_, response) => response.end(`{"id": 7, "more": "${'x'.repeat(5_000_000)}"}`)],
    ['truncated', (request) => request.socket.destroy()],
  ])('with a response that is %s may have been carried out', async (_, listener) => {
    expect(await refusalOf(listener)).toMatchObject({ name: 'CloudError', kind: 'transient' });
  });

  it('is aborted when its caller stops waiting', async () => {
    const given = new AbortController();
    const refused = await refusalOf(() => given.abort(), given.signal);
    expect(refused).toMatchObject({ kind: 'transient', message: 'POST /things: no response in time' });
  });

  it('does not expose a token when rejected, even if the provider repeats it', async () => {
    const refused = await refusalOf((_, response) => response.writeHead(400).end(`"${TOKEN} is no token"`));
    expect(refused).toMatchObject({ kind: 'invalid', message: '400 *** is no token' });
  });
});
