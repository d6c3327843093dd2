import { ALL_CALLS } from '@moorage/contracts';
import { emailOf, loggedIn } from './api/accounts';
import { LARGE, seedLargeAccount } from './api/large-account';
import { startServer } from './api/servers';
import { withBenchDatabase } from './database';
import { figure, option, report, timed } from './measure';

/**
 * Measures how long every call with which a customer reads takes for an account with 10,000 deployments and 100,000
 * transactions, among 100,000 deployments of others. The slowest call counts, in milliseconds.
 *
 *   npm run bench -- large-account
 */
const size = Number(option('--size') ?? 100_000);
const ROUNDS = 7;
const LIMIT_MS = 200;
const SHOWN = 5;
/** Streams, files, and addresses that need more than the id of a deployment. */
const LEFT_OUT = new Set(['GET /live', 'GET /docs-json']);
/** Parameters without which a call is refused. */
const PARAMETERS: Readonly<Record<string, string>> = {
  '/deployments/{id}/support-level': '?level=2',
  '/deployments/{id}/resize': '?instance_type=cpx32',
  '/deployments/{id}/logs/search': '?contains=error',
};

await withBenchDatabase(async (database) => {
  await database.withClient((client) => seedLargeAccount(client, size));
  const server = await startServer('api-moorage', [database.urlOf('api')]);
  const headers = await loggedIn(server, emailOf(LARGE.id));
  const calls = [];
  for (const { method, path, access } of ALL_CALLS) {
    const address = path.replace('{id}', String(path.startsWith('/users/') ? LARGE.id : size + 1));
    const isRead = method === 'GET' && (access === 'user' || access === 'verified');
    if (!isRead || address.includes('{') || LEFT_OUT.has(`GET ${path}`)) continue;
    const request = { path: `/api${address}${PARAMETERS[path] ?? ''}`, headers };
    const first = await server.request(request).catch((error: unknown) => error as Error);
    if (first instanceof Error) {
      console.log(`not measured: ${first.message.slice(0, 120)}`);
      continue;
    }
    const times = [];
    for (let round = 0; round < ROUNDS; round++) times.push((await timed(() => server.request(request))) * 1_000);
    calls.push(figure(path, times, {}));
  }
  await server.close();
  calls.sort((a, b) => b.ratio - a.ratio);
  for (const { name, ratio } of calls.slice(0, SHOWN)) console.log(`${name}: ${ratio.toFixed(0)} ms`);
  const slowest = calls[0];
  if (slowest === undefined) throw new Error('no call was measured');
  console.log(`${calls.length} calls`);
  return report('large-account', [{ ...slowest, name: 'slowest_answer_ms', limit: LIMIT_MS }]);
});
