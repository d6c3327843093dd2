import { CLIENTS_MAX, LIVE_CHANNEL } from '@moorage/api/live/live.service';
import { SESSION_MS_MAX, tokenSigner } from '@moorage/api/auth/sessions.service';
import { seedAccounts } from '@moorage/testing';
import { TEST_SETTINGS } from '@moorage/tests/services/api/api-harness';
import type { AddressedHint } from '@moorage/api/live/hints';
import type pg from 'pg';
import { type Server, startServer } from './api/servers';
import { withBenchDatabase } from './database';
import { Streams } from './live/streams';
import { alternate, figure, median, option, report } from './measure';

/**
 * Measures connections for live updates to one api process, each of another account, against node:http with the same
 * token check. Both servers listen to the same notifications of PostgreSQL. Every round starts new processes, so
 * that none begins with the memory of the round before.
 *
 *   npm run bench -- live                        as many connections as a process accepts
 *   npm run bench -- live --size 500
 */
const size = Number(option('--size') ?? CLIENTS_MAX);
const rounds = Number(option('--rounds') ?? 2);
const LIMIT_TO_ALL = 3;
const LIMIT_MEMORY_KB = 40;
const LIMIT_TO_ONE_MS = 10;
/** Connections that are open before the memory is measured, so that what the first requests load is not counted. */
const FIRST = Math.floor(size / 4);
const HINTS = 20;

interface Measured {
  /** Used memory of the server per connection, in kB. */
  readonly memory: number;
  /** Median times in milliseconds from the NOTIFY to the last connection. */
  readonly toAll: number;
  readonly toOne: number;
}

await withBenchDatabase((database) =>
  database.withClient(async (client) => {
    const tokens = await seedSessions(client);
    const run = (program: string) => async (): Promise<Measured> => {
      const server = await startServer(program, [database.urlOf('api')], ['--expose-gc']);
      try {
        return await measure(server, tokens, client);
      } finally {
        await server.close();
      }
    };
    const pairs = await alternate(rounds, { ours: run('api-moorage'), reference: run('live-bare') });
    for (const pair of pairs) {
      for (const [name, { memory, toAll, toOne }] of Object.entries(pair))
        console.log(
          `${name}: ${memory.toFixed(1)} kB per connection, ${toAll.toFixed(1)} ms to all, ${toOne.toFixed(1)} ms to one`,
        );
    }
    const ours = (of: keyof Measured): number[] => pairs.map((pair) => pair.ours[of]);
    const ratios = (of: keyof Measured): number[] => pairs.map((pair) => pair.ours[of] / pair.reference[of]);
    return report(
      'live',
      [
        figure('memory_kb', ours('memory'), { limit: LIMIT_MEMORY_KB }),
        figure('memory', ratios('memory'), {}),
        figure('to_all', ratios('toAll'), { limit: LIMIT_TO_ALL }),
        figure('to_one_ms', ours('toOne'), { limit: LIMIT_TO_ONE_MS }),
      ],
      { size },
    );
  }),
);

/** Inserts administrators, who receive the hints of all deployments, and returns the token of a session of each. */
async function seedSessions(client: pg.Client): Promise<readonly string[]> {
  await seedAccounts(client, 2 * size);
  await client.query('update users set is_admin = true');
  await client.query(
    `insert into sessions (id, user_id, created_at, last_used_at, expires_at, authenticated_at)
     select 'session' || id, id, now(), now(), now() + $1 * interval '1 millisecond', now() from users`,
    [SESSION_MS_MAX],
  );
  await client.query('vacuum analyze');
  const signer = tokenSigner(TEST_SETTINGS, 'session');
  const exp = Math.floor((Date.now() + SESSION_MS_MAX) / 1_000);
  return Array.from({ length: size }, (_, index) =>
    signer.sign({ sub: String(index + 1), sid: `session${index + 1}`, exp }),
  );
}

async function measure(server: Server, tokens: readonly string[], client: pg.Client): Promise<Measured> {
  const memory = async (): Promise<number> => Number(await server.ask({ ask: 'memory' }));
  const streams = new Streams(server.port);
  await streams.open(tokens.slice(0, FIRST));
  const before = await memory();
  await streams.open(tokens.slice(FIRST));
  const after = await memory();
  const times = async (kind: AddressedHint['hint']['kind'], at: number): Promise<number> => {
    const measured: number[] = [];
    for (let version = 1; version <= HINTS; version++) {
      const addressed: AddressedHint = { userId: version, hint: { kind, id: version, version } };
      const send = (): Promise<unknown> =>
        client.query('select pg_notify($1, $2)', [LIVE_CHANNEL, JSON.stringify([addressed])]);
      measured.push(await streams.delivery({ text: JSON.stringify(addressed.hint), at, send }));
    }
    return median(measured);
  };
  const toAll = await times('deployment', size);
  const toOne = await times('account', 1);
  await streams.close();
  return { memory: (after - before) / 1_024 / (size - FIRST), toAll, toOne };
}
