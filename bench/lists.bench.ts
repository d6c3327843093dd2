import { CONNECTIONS, type HttpRequest, load, type Server, startServer, statementsOf } from './api/servers';
import { emailOf, loggedIn } from './api/accounts';
import { ADMINISTRATOR, LARGE, seedLargeAccount } from './api/large-account';
import { type BenchDatabase, withBenchDatabase } from './database';
import { alternate, figure, option, report } from './measure';

/**
 * Measures lists of the api over HTTP against the same statements behind node:http and pg, on the same database. Both
 * servers are processes of their own, and the ratio is the time of ours per request divided by that of the reference.
 *
 *   npm run bench -- lists                       1,000,000 deployments and 500,000 accounts
 *   npm run bench -- lists --size 100000 --only customer_transactions
 */
const size = Number(option('--size') ?? 1_000_000);
const rounds = Number(option('--rounds') ?? 5);
const only = option('--only');
const LIMIT = 1.4;
const REQUESTS = 10 * CONNECTIONS;
const DEEP_PAGE = 10_000;
const PAGE_SIZE = 20;

await withBenchDatabase(async (database) => {
  await database.withClient((client) => seedLargeAccount(client, size));
  console.log(`seeded ${size} deployments`);
  const recorder = await startServer('api-moorage', [database.urlOf('api'), '--record']);
  const lists = (await listsOf(database, recorder)).filter(({ name }) => only === undefined || name === only);
  const bare = await startServer('api-bare', [database.urlOf('api')]);
  for (const { request } of lists) {
    const statements = await statementsOf(recorder, request);
    await bare.ask({ ask: 'serve', path: request.path, statements });
  }
  await recorder.close();
  const moorage = await startServer('api-moorage', [database.urlOf('api')]);
  const figures = [];
  for (const { name, request } of lists) {
    const run = (server: Server) => () => load(server, { requests: REQUESTS, request: () => request });
    const pairs = await alternate(rounds, { ours: run(moorage), reference: run(bare) });
    const ratios = pairs.map(({ ours, reference }) => reference / ours);
    figures.push(figure(name, ratios, { limit: LIMIT }));
    const last = pairs.at(-1);
    console.log(`${name}: ${last?.ours.toFixed(0)} requests/s, reference ${last?.reference.toFixed(0)}`);
  }
  await moorage.close();
  await bare.close();
  return report('lists', figures, { size });
});

interface List {
  readonly name: string;
  readonly request: HttpRequest;
}

async function listsOf(database: BenchDatabase, server: Server): Promise<readonly List[]> {
  const customer = await loggedIn(server, emailOf(LARGE.id));
  const administrator = await loggedIn(server, emailOf(ADMINISTRATOR));
  const list = (name: string, headers: HttpRequest['headers'], path: string): List => ({
    name,
    request: { path: `/api/${path}`, headers },
  });
  const [deep, deepOwn, deepUser] = await database.withClient(async (client) => {
    const nth = async (sql: string, rows: number): Promise<number> => {
      const { rows: found } = await client.query<{ id: number }>(`${sql} order by id desc limit 1 offset ${rows}`);
      return found[0]?.id ?? 0;
    };
    return [
      await nth('select id from deployments', DEEP_PAGE * PAGE_SIZE < size ? DEEP_PAGE * PAGE_SIZE : size / 2),
      await nth(`select id from deployments where user_id = ${LARGE.id}`, LARGE.deployments / 2),
      await nth('select id from users', DEEP_PAGE * PAGE_SIZE < size / 2 ? DEEP_PAGE * PAGE_SIZE : size / 4),
    ];
  });
  const page = `page=1&per_page=${PAGE_SIZE}`;
  const after = (id: number | undefined, sort: string): string =>
    `per_page=${PAGE_SIZE}&cursor=${cursorAfter(id ?? 0, sort)}&sort_by=${sort}&sort_order=desc`;
  return [
    list('customer_deployments', customer, `deployments?${page}`),
    list('customer_deployments_deep', customer, `deployments?${after(deepOwn, 'created_at')}`),
    list('customer_deployments_search', customer, `deployments?${page}&search=own-${size + 77}`),
    list('customer_deployments_by_name', customer, `deployments?${page}&sort_by=client_name&sort_order=asc`),
    list('customer_transactions', customer, 'billing/transactions?page=1&days_per_page=1'),
    list('customer_transactions_deep', customer, 'billing/transactions?page=9&days_per_page=1'),
    list('administrator_deployments', administrator, `deployments?${page}`),
    list('administrator_deployments_deep', administrator, `deployments?${after(deep, 'created_at')}`),
    list('administrator_deployments_search', administrator, `deployments?${page}&search=client-${size - 7}`),
    list('administrator_deployments_by_name', administrator, `deployments?${page}&sort_by=client_name&sort_order=asc`),
    list('administrator_users', administrator, `users?${page}`),
    list('administrator_users_deep', administrator, `users?${after(deepUser, 'created_at')}`),
    list('administrator_users_search', administrator, `users?${page}&search=user${size / 4}@`),
    list('administrator_users_by_email', administrator, `users?${page}&sort_by=email&sort_order=asc`),
  ];
}

/** Returns the cursor of the page after a row, as in the link of the page before. */
function cursorAfter(id: number, sort: string): string {
  const total = size;
  const cursor = { sort, order: 'desc', towards: 'next', id, value: null, total, estimated: true };
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}
