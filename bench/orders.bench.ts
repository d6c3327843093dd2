import { seedAccounts } from '@moorage/testing';
import { ORDER } from '@moorage/tests/services/api/order';
import pg from 'pg';
import { emailOf, hashedPassword, loggedIn } from './api/accounts';
import type { Sent } from './api/protocol';
import { type Server, startServer } from './api/servers';
import { withBenchDatabase } from './database';
import { alternate, figure, option, report } from './measure';

/**
 * Measures orders per second, one after the other over HTTP, against the same statements sent by pg alone. Each round
 * begins with a new copy of the same database. The statements are recorded from the api, without its rate limits.
 *
 *   npm run bench -- orders
 */
const rounds = Number(option('--rounds') ?? 5);
const WARM_UP = 50;
const ORDERS = 200;
/** An account may have 50 deployments. */
const ACCOUNTS = 10;

await withBenchDatabase(async (database) => {
  const password = await hashedPassword();
  await database.withClient(async (client) => {
    await seedAccounts(client, 10_000);
    await client.query('update users set password_hash = $1', [password]);
    await client.query("select setval(pg_get_serial_sequence('deployments', 'id'), max(id)) from deployments");
  });
  const recorded = await database.withCopy(async (copy) => {
    const recorder = await startServer('api-moorage', [copy.urlOf('api'), '--record']);
    await recorder.ask({ ask: 'statements' });
    await placeOrders(recorder);
    const sent = (await recorder.ask({ ask: 'statements' })) as readonly Sent[];
    await recorder.close();
    return sent.filter(({ text }) => !/\brate_limits\b/.test(text));
  });
  console.log(`${(recorded.length / (WARM_UP + ORDERS)).toFixed(1)} statements per order`);
  const pairs = await alternate(rounds, {
    ours: () =>
      database.withCopy(async (copy) => {
        const moorage = await startServer('api-moorage', [copy.urlOf('api')]);
        const rate = await placeOrders(moorage);
        await moorage.close();
        return rate;
      }),
    reference: () => database.withCopy((copy) => replay(copy.urlOf('api'), recorded)),
  });
  for (const { ours, reference } of pairs)
    console.log(`${ours.toFixed(0)} orders/s, by hand ${reference.toFixed(0)} orders/s`);
  return report('orders', [
    figure(
      'vs_statements',
      pairs.map(({ ours, reference }) => ours / reference),
      { floor: 0.5, aim: 0.6 },
    ),
  ]);
});

/** Places orders of some customers in turn and returns the number per second after the warm-up. */
async function placeOrders(server: Server): Promise<number> {
  const sessions = [];
  for (let index = 0; index < ACCOUNTS; index++) sessions.push(await loggedIn(server, emailOf(index + 1)));
  let began = 0;
  for (let index = 0; index < WARM_UP + ORDERS; index++) {
    if (index === WARM_UP) began = performance.now();
    const body = JSON.stringify({ ...ORDER, domain: `order-${index}.example.com` });
    const headers = { ...sessions[index % ACCOUNTS], 'content-type': 'application/json' };
    await server.request({ path: '/api/deployments', method: 'POST', headers, body });
  }
  return ORDERS / ((performance.now() - began) / 1_000);
}

/** Sends recorded statements on one connection and returns the number of orders per second after the warm-up. */
async function replay(url: string, statements: readonly Sent[]): Promise<number> {
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' });
  await client.connect();
  try {
    let began = 0;
    // Each order sends the same statements, after those of the login.
    const orders = statements.flatMap(({ text }, index) =>
      /^\s*insert into "?deployments"?\b/.test(text) ? index : [],
    );
    const first = orders[WARM_UP] ?? NaN;
    for (const [index, { name, text, values }] of statements.entries()) {
      if (index === first) began = performance.now();
      await client.query({ ...(name === undefined ? {} : { name }), text, values: [...values] });
    }
    if (orders.length !== WARM_UP + ORDERS) throw new Error(`${orders.length} orders were recorded`);
    return ORDERS / ((performance.now() - began) / 1_000);
  } finally {
    await client.end();
  }
}
