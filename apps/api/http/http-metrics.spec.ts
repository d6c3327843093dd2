import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Metrics } from '@moorage/runtime';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

const metrics = new Metrics();
let api: ApiHarness;
let jane: TestAccount;
beforeAll(async () => {
  api = await apiHarness({ deps: (deps) => ({ ...deps, metrics }) });
  jane = await api.user();
});
afterAll(() => api.close());

/** Returns the counts by `method route status`. */
async function counted(): Promise<Record<string, number>> {
  const { values } = await metrics.httpRequestSeconds.get();
  return Object.fromEntries(
    values
      .filter(({ metricName }) => metricName?.endsWith('_count'))
      .map(({ labels: { method, route, status }, value }) => [`${method} ${route} ${status}`, value]),
  );
}

it('counts a request by its route template, whatever its path contains', async () => {
  await api.http.get('/api/deployments/4711').set(jane.auth);
  await api.http.get('/api/deployments/4712').set(jane.auth);
  expect(await counted()).toMatchObject({ 'GET /api/deployments/{id} 404': 2, 'POST /api/auth/login 200': 1 });
});

it('counts unmatched requests together', async () => {
  await api.http.get(`/api/${jane.username}`);
  await api.http.put('/api/nothing/here');
  const found = await counted();
  expect(found['other other 404']).toBe(2);
  expect(Object.keys(found).join()).not.toContain(jane.username);
});

it('counts live streams while they are open, and not as requests', async () => {
  const { port } = api.api.app.getHttpServer().address() as AddressInfo;
  const request = get({ host: '127.0.0.1', port, path: '/api/live', headers: jane.auth });
  request.on('error', () => undefined);
  const [stream] = (await once(request, 'response')) as [IncomingMessage];
  stream.on('error', () => undefined);
  expect(await metrics.text()).toMatch(/^moorage_http_streams 1$/m);
  request.destroy();
  while (!/^moorage_http_streams 0$/m.test(await metrics.text())) await new Promise(setImmediate);
  expect(Object.keys(await counted()).filter((request) => request.includes('/live'))).toEqual([]);
});
