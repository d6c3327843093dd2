import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { emailOf, hashedPassword, loggedIn, loginRequest } from './api/accounts';
import { ADMINISTRATOR, LARGE, seedLargeAccount } from './api/large-account';
import { connections, type HttpRequest, load, type Server, startServer } from './api/servers';
import { type BenchDatabase, withBenchDatabase } from './database';
import { alternate, figure, option, report } from './measure';

/**
 * Compares lists and logins with Directus, which people could use instead, on the same PostgreSQL and data. The figures
 * are the times of ours divided by those of Directus. They have no bounds.
 *
 *   npm install --prefix /a/folder directus@11.1.0
 *   DIRECTUS=/a/folder npm run bench -- directus
 */
const size = Number(option('--size') ?? 1_000_000);
const rounds = Number(option('--rounds') ?? 3);
const REQUESTS = 160;
const LOGINS = 100;
const PORT = 8_055;
const PASSWORD = 'a password of Directus';
const JSON_HEADERS = { 'content-type': 'application/json' };
const CUSTOMER_EMAIL = 'customer@example.com';
const ADMINISTRATOR_EMAIL = 'admin@example.com';

type Client = Pick<Server, 'request'>;

await withBenchDatabase(async (database) => {
  await database.withClient(async (client) => {
    await seedLargeAccount(client, size);
    // Every account can log in.
    await client.query('update users set password_hash = $1 where id <= $2', [await hashedPassword(), LOGINS]);
  });
  const moorage = await startServer('api-moorage', [database.urlOf('api')]);
  const directus = await startDirectus(database);
  try {
    const figures = [];
    for (const { name, ours, theirs, requests } of await pairsOf(moorage, directus)) {
      const pairs = await alternate(rounds, {
        ours: () => load(moorage, { requests, request: ours }),
        reference: () => load(directus, { requests, request: theirs }),
      });
      const last = pairs.at(-1);
      console.log(`${name}: ${last?.ours.toFixed(0)} requests/s, Directus ${last?.reference.toFixed(0)}`);
      figures.push(
        figure(
          name,
          pairs.map(({ ours: fast, reference }) => reference / fast),
          {},
        ),
      );
    }
    return report('directus', figures, { size });
  } finally {
    await directus.close();
    await moorage.close();
  }
});

interface Pair {
  readonly name: string;
  readonly ours: (index: number) => HttpRequest;
  readonly theirs: (index: number) => HttpRequest;
  readonly requests: number;
}

async function pairsOf(moorage: Client, directus: Client): Promise<readonly Pair[]> {
  const [customer, administrator] = [LARGE.id, ADMINISTRATOR].map(emailOf) as [string, string];
  const asCustomer = [await loggedIn(moorage, customer), await sessionOf(directus, CUSTOMER_EMAIL)] as const;
  const asAdministrator = [
    await loggedIn(moorage, administrator),
    await sessionOf(directus, ADMINISTRATOR_EMAIL),
  ] as const;
  const list = (name: string, [ours, theirs]: typeof asCustomer, path: string, query: string): Pair => ({
    name,
    ours: () => ({ path: `/api/${path}`, headers: ours }),
    theirs: () => ({
      path: `/items/deployments?limit=20&meta=filter_count&${query}`,
      headers: theirs,
    }),
    requests: REQUESTS,
  });
  const page = 'deployments?page=1&per_page=20';
  return [
    list('customer_deployments', asCustomer, page, 'sort=-created_at'),
    list(
      'customer_deployments_search',
      asCustomer,
      `${page}&search=own-${size + 77}`,
      `filter[client_name][_icontains]=own-${size + 77}`,
    ),
    list('administrator_deployments', asAdministrator, page, 'sort=-created_at'),
    list(
      'administrator_deployments_search',
      asAdministrator,
      `${page}&search=client-${size - 7}`,
      `filter[client_name][_icontains]=client-${size - 7}`,
    ),
    list(
      'administrator_deployments_by_name',
      asAdministrator,
      `${page}&sort_by=client_name&sort_order=asc`,
      'sort=client_name',
    ),
    {
      name: 'logins',
      ours: (index) => loginRequest(emailOf((index % LOGINS) + 1)),
      theirs: () => loginOf(CUSTOMER_EMAIL),
      requests: LOGINS,
    },
  ];
}

function loginOf(email: string): HttpRequest {
  const body = JSON.stringify({ email, password: PASSWORD });
  return { path: '/auth/login', method: 'POST', headers: JSON_HEADERS, body };
}

async function sessionOf(directus: Client, email: string): Promise<Readonly<Record<string, string>>> {
  const { data } = JSON.parse(await directus.request(loginOf(email))) as { data: { access_token: string } };
  return { authorization: `Bearer ${data.access_token}` };
}

/** Starts Directus on the database, with a customer who may read the deployments of one account. */
async function startDirectus(database: BenchDatabase): Promise<Client & { close: () => Promise<void> }> {
  const folder = process.env.DIRECTUS;
  if (folder === undefined) throw new Error('DIRECTUS is not set to a folder in which Directus is installed');
  const environment = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(PORT),
    PUBLIC_URL: `http://127.0.0.1:${PORT}`,
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: database.url,
    DB_POOL__MAX: '10',
    SECRET: 'a secret of benchmarks',
    ADMIN_EMAIL: ADMINISTRATOR_EMAIL,
    ADMIN_PASSWORD: PASSWORD,
    ACCESS_TOKEN_TTL: '1d',
    RATE_LIMITER_ENABLED: 'false',
    CACHE_ENABLED: 'false',
    TELEMETRY: 'false',
    LOG_LEVEL: 'error',
    NO_UPDATE_NOTIFIER: '1',
  };
  const run = (command: string) =>
    spawn(process.execPath, [join(folder, 'node_modules', 'directus', 'cli.js'), command], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  const [code] = (await once(run('bootstrap'), 'exit')) as [number];
  if (code !== 0) throw new Error('Directus could not prepare the database');
  const child = run('start');
  const ended = once(child, 'exit');
  const { request, close: disconnect } = connections(PORT);
  const close = async (): Promise<void> => {
    disconnect();
    child.kill();
    await ended;
  };
  try {
    await answers(request);
    await addCustomer({ request });
  } catch (error) {
    await close();
    throw error;
  }
  return { request, close };
}

/** Waits for at most two minutes. */
async function answers(request: Client['request']): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    const found = await request({ path: '/server/ping', headers: {} }).catch(() => undefined);
    if (found !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('Directus does not answer');
}

async function addCustomer(directus: Client): Promise<void> {
  const headers = { ...JSON_HEADERS, ...(await sessionOf(directus, ADMINISTRATOR_EMAIL)) };
  const add = async (path: string, body: object): Promise<string> => {
    const added = await directus.request({ path, method: 'POST', headers, body: JSON.stringify(body) });
    return (JSON.parse(added) as { data: { id: string } }).data.id;
  };
  const role = await add('/roles', { name: 'customer' });
  const policy = await add('/policies', { name: 'own deployments' });
  await add('/access', { role, policy });
  const permissions = { user_id: { _eq: LARGE.id } };
  await add('/permissions', { policy, collection: 'deployments', action: 'read', permissions, fields: ['*'] });
  await add('/users', { email: CUSTOMER_EMAIL, password: PASSWORD, role });
}
