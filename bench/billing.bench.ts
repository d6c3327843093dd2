import { buildBilling } from '@moorage/tests/services/billing';
import { Deployments, loginUrl, migrate, setLogins } from '@moorage/database';
import { instant } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { PostgresDb, SILENT, startEmbeddedPostgres, systemClock, systemRandom } from '@moorage/server';
import { seedAccounts } from '@moorage/testing';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { handWrittenRun, rowLoop } from './billing/reference';
import { MIDNIGHT, MIDNIGHT_BEFORE } from './billing/seed';
import { figure, median, option, report, timed } from './measure';

const PASSWORDS = { api: 'bench-api', provisioner: 'bench-provisioner', billing: 'bench-billing' };

/**
 * Measures the daily run against hand-written SQL for the same tables, against one transaction per deployment, and
 * against itself on a finished day. Each round runs on a fresh copy of the same database, alternating.
 *
 *   npm run bench -- billing                      100,000 deployments, 5 rounds
 *   npm run bench -- billing --size 1000000    3 rounds
 */
const size = Number(option('--size') ?? 100_000);
const rounds = Number(option('--rounds') ?? (size > 500_000 ? 3 : 5));
const CHUNK_USERS = 5_000;
const WORKERS = 2;
const ROW_LOOP = { deployments: Math.min(4_000, size), connections: 8 };

const folder = await mkdtemp(join(tmpdir(), 'moorage-bench-'));
await chmod(folder, 0o755);
const postgres = await startEmbeddedPostgres({
  folder,
  database: 'base',
  settings: ['autovacuum=off', 'shared_buffers=256MB', 'max_wal_size=4GB'],
});
try {
  process.exitCode = (await measure()) ? 0 : 1;
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(): Promise<boolean> {
  await migrate(postgres.url);
  await setLogins(postgres.url, PASSWORDS, systemRandom());
  await withClient(postgres.url, (client) => seedAccounts(client, size));
  console.log(`seeded ${size} deployments; charging the night before`);
  await run(postgres.url, `${MIDNIGHT_BEFORE}T00:00:05Z`);
  await withClient(postgres.url, (client) => client.query('vacuum analyze'));

  const ours: number[] = [];
  const byHand: number[] = [];
  const withoutHashes: number[] = [];
  const again: number[] = [];
  const rowRates: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const warmUp = round === 0;
    const oursFirst = round % 2 === 0;
    const measureOurs = () =>
      onCopy('ours', async (url) => {
        const first = await timed(() => run(url, `${MIDNIGHT}T00:00:05Z`));
        await expectCharged(url, 'ours');
        const second = await timed(() => run(url, `${MIDNIGHT}T00:00:06Z`));
        await expectCharged(url, 'the second run');
        if (!warmUp) {
          ours.push(first);
          again.push(second);
        }
        console.log(`${label(round)} ours      ${seconds(first)}, again ${seconds(second)}`);
      });
    const measureByHand = (times: number[], hashes: boolean) =>
      onCopy('by_hand', async (url) => {
        const users = Math.ceil(size / 2);
        const time = await timed(() =>
          handWrittenRun(url, { users, chunkUsers: CHUNK_USERS, workers: WORKERS, hashes }),
        );
        await expectCharged(url, 'the reference');
        if (!warmUp) times.push(time);
        console.log(`${label(round)} by hand   ${seconds(time)}${hashes ? '' : ' without hashes'}`);
      });
    if (oursFirst) await measureOurs();
    await measureByHand(byHand, true);
    if (!oursFirst) await measureOurs();
    await measureByHand(withoutHashes, false);
    if (!warmUp)
      await onCopy('rows', async (url) => {
        const rate = await rowLoop(url, ROW_LOOP);
        rowRates.push(rate);
        console.log(
          `${label(round)} row loop  ${Math.round(rate)} deployments/s on ${ROW_LOOP.connections} connections`,
        );
      });
  }

  const figures = [
    figure(
      'vs_sql',
      byHand.map((time, index) => time / at(ours, index)),
      { floor: 0.8, aim: 0.9 },
    ),
    // Cost of tamper-evident ledger entries. This reference writes no hashes.
    figure(
      'vs_sql_without_hashes',
      withoutHashes.map((time, index) => time / at(ours, index)),
      { floor: 0, aim: 0.8 },
    ),
    figure(
      'vs_row_loop',
      rowRates.map((rate, index) => size / at(ours, index) / rate),
      { floor: 30, aim: 40 },
    ),
    // How many times faster a finished day is checked than run. 50 is 0.02x.
    figure(
      'again',
      again.map((time, index) => at(ours, index) / time),
      // A check takes some milliseconds regardless of the size. At 10,000 the run itself takes a fifth of a second.
      { floor: size < 100_000 ? 10 : 50, aim: 50 },
    ),
  ];
  console.log(
    `${size} deployments: ours ${seconds(median(ours))} (${Math.round(size / median(ours))}/s), by hand ${seconds(median(byHand))}, peak memory of this process ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
  );
  return report('billing', figures, { size, rounds });
}

/** Performs the run of the billing service, with its role and its ledger. */
async function run(url: string, at: string): Promise<void> {
  const db = await PostgresDb.open({ url: loginUrl(url, 'billing', PASSWORDS.billing), connections_max: 4 });
  const clock = systemClock();
  const outbox = new Outbox({ clock, random: systemRandom() });
  const ledger = new Ledger({
    deployments: new Deployments({ outbox }),
    outbox,
    actor: 'billing',
    gracePeriodMinutes: 60,
  });
  const billing = buildBilling({
    db,
    clock,
    log: SILENT,
    ledger,
    invariants: [],
    chunkUsers: CHUNK_USERS,
    workers: WORKERS,
  });
  const { failed, settled } = await billing.runDay({ at: instant(at) });
  await db.close();
  if (failed > 0 || settled > 0) throw new Error(`${failed} accounts failed, ${settled} were settled one by one`);
}

/**
 * Checks that every deployment was charged once for the day, and that balances match the ledger. Otherwise the measured
 * time is meaningless.
 */
async function expectCharged(url: string, who: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ charges: string; wrong: string }>(
      `select (select count(*) from ledger_transactions where type = 'charge' and charged_on = '${MIDNIGHT}') as charges,
         (select count(*) from (
           select w.user_id from wallets w
           left join (select user_id, sum(remaining_micros) as credits from credits group by user_id) c on c.user_id = w.user_id
           join (select user_id, sum(amount_micros) as rows from ledger_transactions group by user_id) t on t.user_id = w.user_id
           where w.regular_micros + coalesce(c.credits, 0) <> t.rows
         ) x) as wrong`,
    );
    const [{ charges, wrong } = { charges: '0', wrong: '0' }] = rows;
    if (Number(charges) !== size || Number(wrong) !== 0)
      throw new Error(`${who}: ${charges} charges, ${wrong} wrong balances`);
  });
}

async function onCopy(name: string, work: (url: string) => Promise<void>): Promise<void> {
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  const admin = new URL(postgres.url);
  admin.pathname = '/postgres';
  await withClient(admin.href, async (client) => {
    await client.query(`create database ${name} template base strategy file_copy`);
    await client.query('checkpoint');
  });
  await work(url.href);
  await withClient(admin.href, (client) => client.query(`drop database ${name} with (force)`));
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function at(values: readonly number[], index: number): number {
  const value = values[index];
  if (value === undefined) throw new RangeError('no such round');
  return value;
}

function label(round: number): string {
  return round === 0 ? 'warm-up' : `round ${round}`;
}

function seconds(time: number): string {
  return `${time.toFixed(time < 0.1 ? 4 : 2)} s`;
}
