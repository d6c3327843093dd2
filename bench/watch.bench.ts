import { type ChildProcess, fork } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loginUrl, migrate, setLogins } from '@moorage/database';
import { MINUTE_MS } from '@moorage/domain';
import { buildWatching } from '@moorage/tests/services/provisioner/watching';
import { createLog, type Db, PostgresDb, startEmbeddedPostgres, systemClock, systemRandom } from '@moorage/server';
import { option } from './measure';
import type { Asked, Figures, Listening } from './watch/protocol';
import { secretsOf, seedDeployments } from './watch/seed';

const PASSWORDS = { api: 'bench-api', provisioner: 'bench-provisioner', billing: 'bench-billing' };

/**
 * Measures a provisioner that watches deployments, with real HTTPS, SSH and DNS to servers in another process, on the
 * schedule of the product. The first round of responses is not measured, because every deployment is new in it.
 *
 *   npm run bench -- watch                       1,000 deployments, 5 minutes
 *   npm run bench -- watch --minutes 2
 */
const count = Number(option('--size') ?? 1_000);
const minutes = Number(option('--minutes') ?? 5);
/** Limits for 1,000 deployments: share of one core, and simultaneously open connections to servers. */
const CPU_MAX = 0.5;
const OPEN_MAX = 100;
const TICKS_PER_S = 100;
const HTTPS_PORT = 443;
const SSH_PORT = 22;

/** Seconds of the minute as in ProvisionerSchedule, with the column of the due time and that of the last result. */
const CHECKS = [
  { check: 'responses', second: 30, due: 'due_at', done: 'checked_at' },
  { check: 'hosts', second: 40, due: 'host_due_at', done: 'host_checked_at' },
  {
    check: 'names',
    second: 50,
    due: 'names_due_at',
    done: '(select checked_at from dns_checks c where c.deployment_id = r.deployment_id)',
  },
] as const;

const clock = systemClock();
const random = systemRandom();
const folder = await mkdtemp(join(tmpdir(), 'moorage-bench-'));
await chmod(folder, 0o755);
const postgres = await startEmbeddedPostgres({ folder, database: 'bench' });
const servers = fork('dist/bench/watch-servers.js', [String(count)]);
try {
  process.exitCode = (await measure(await messageOf<Listening>(servers))) ? 0 : 1;
} finally {
  if (servers.connected) servers.send('end' satisfies Asked);
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(there: Listening): Promise<boolean> {
  await migrate(postgres.url);
  await setLogins(postgres.url, PASSWORDS, random);
  const owner = await PostgresDb.open({ url: postgres.url, connections_max: 1 });
  await seedDeployments(owner, { count, host_key: there.host_key, random });
  await owner.tx('bench', (tx) =>
    tx.execute('create table bench_due ("check" text, deployment_id int, due_at timestamptz, done_at timestamptz)', []),
  );
  const db = await PostgresDb.open({ url: loginUrl(postgres.url, 'provisioner', PASSWORDS.provisioner) });
  const nowhere = createWriteStream('/dev/null');
  let lines = 0;
  const log = createLog({
    service: 'provisioner',
    write: (line) => {
      lines += 1;
      if (/"level":"(warn|error)"/.test(line)) console.log(line.trimEnd());
      nowhere.write(line);
    },
  });
  const port = (wanted: number): number => {
    if (wanted === HTTPS_PORT) return there.https;
    if (wanted === SSH_PORT) return there.ssh;
    throw new RangeError(`nothing listens at port ${wanted}`);
  };
  const dial = (_: string, wanted: number) => Promise.resolve({ host: '127.0.0.1', port: port(wanted) });
  const checks = await buildWatching({
    db,
    clock,
    random,
    log,
    secrets: secretsOf(random),
    dialer: { dial },
    resolvers: [there.dns],
    trustAnchors: there.authority,
  });

  console.log(`${count} deployments; the first round`);
  await checks.responses.run();
  const start = (Math.floor(clock.localNow() / MINUTE_MS) + 1) * MINUTE_MS;
  await clock.sleep(start - clock.localNow());
  await ask(servers);
  lines = 0;
  const before = { ours: process.cpuUsage(), database: await databaseCpu(owner), servers: (await ask(servers)).cpu_s };
  const end = start + minutes * MINUTE_MS;
  const rounds = await Promise.all(
    CHECKS.map(({ check, second, due, done }) =>
      everyMinute(start + second * 1_000, end, async () => {
        await noteDue(owner, check, due);
        const took = await timed(() => checks[check].run());
        await noteDone(owner, check, done);
        return took;
      }),
    ),
  );
  await clock.sleep(end - clock.localNow());
  const { user, system } = process.cpuUsage(before.ours);
  const figures = await ask(servers);
  const share = (cpu_s: number): number => round(cpu_s / ((clock.localNow() - start) / 1_000));
  const ours = share((user + system) / 1e6);
  const database = share((await databaseCpu(owner)) - before.database);
  await expectHealthy(owner, figures);

  for (const [index, { check }] of CHECKS.entries()) {
    const [row] = await owner.tx('bench', (tx) =>
      tx.query<{ checked: number; p50: number; p95: number; missed: number }>(
        `select count(done_at)::int as checked, count(*) filter (where done_at is null)::int as missed,
           (percentile_cont(0.5) within group (order by extract(epoch from done_at - due_at)))::float8 as p50,
           (percentile_cont(0.95) within group (order by extract(epoch from done_at - due_at)))::float8 as p95
         from bench_due where "check" = $1`,
        [check],
      ),
    );
    const { checked = 0, p50 = NaN, p95 = NaN, missed = 0 } = row ?? {};
    console.log(
      `${check.padEnd(9)} ${checked} checks, ${missed} missed; behind the due time p50 ${p50.toFixed(1)} s, p95 ${p95.toFixed(1)} s; rounds of ${(rounds[index] ?? []).map((s) => s.toFixed(1)).join(', ')} s`,
    );
  }
  console.log(
    `CPU       ${ours} of a core; not counted: PostgreSQL ${database}, the servers ${share(figures.cpu_s - before.servers)}`,
  );
  console.log(`open      at most ${figures.open_max} connections to servers at the same time`);
  console.log(`log       ${Math.round(lines / minutes)} lines per minute`);
  console.log(`memory    at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
  const results = [
    { name: 'cpu_share', value: ours, limit: CPU_MAX },
    { name: 'connections', value: figures.open_max, limit: OPEN_MAX },
  ];
  for (const { name, value, limit } of results)
    console.log(`${name}: ${value}, at most ${limit}: ${value <= limit ? 'met' : 'MISSED'}`);
  console.log(JSON.stringify({ bench: 'watch', size: count, minutes, figures: results }));
  await owner.close();
  await db.close();
  return results.every(({ value, limit }) => value <= limit);
}

/** Runs the work every minute as the schedule does, and skips a minute in which it is still running. */
async function everyMinute(from: number, end: number, work: () => Promise<number>): Promise<number[]> {
  const took: number[] = [];
  for (let at = from; at < end; at = Math.ceil((clock.localNow() - from) / MINUTE_MS) * MINUTE_MS + from) {
    await clock.sleep(at - clock.localNow());
    took.push(await work());
  }
  return took;
}

function noteDue(owner: Db, check: string, due: string): Promise<unknown> {
  return owner.tx('bench', (tx) =>
    tx.execute(`insert into bench_due select $1, deployment_id, ${due} from reachability where ${due} <= now()`, [
      check,
    ]),
  );
}

function noteDone(owner: Db, check: string, done: string): Promise<unknown> {
  return owner.tx('bench', (tx) =>
    tx.execute(
      `update bench_due b set done_at = ${done} from reachability r
       where b."check" = $1 and b.done_at is null and r.deployment_id = b.deployment_id and ${done} >= b.due_at`,
      [check],
    ),
  );
}

/** Checks that nothing was found. Otherwise the measured time is meaningless. */
async function expectHealthy(owner: Db, { unknown }: Figures): Promise<void> {
  const found = await owner.tx('bench', (tx) =>
    tx.query(
      `select kind as what, count(*)::int from incidents group by 1
       union all select host_failure ->> 'detail', count(*)::int from reachability where host_failure is not null group by 1
       union all select 'not quiet', count(*)::int from reachability where not is_quiet having count(*) > 0
       union all select 'dns', count(*)::int from dns_checks where not all_right having count(*) > 0`,
      [],
    ),
  );
  if (found.length > 0) throw new Error(`${JSON.stringify(found)}; unknown names: ${unknown.join(', ')}`);
}

function ask(child: ChildProcess): Promise<Figures> {
  const figures = messageOf<Figures>(child);
  child.send('figures' satisfies Asked);
  return figures;
}

function messageOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`the servers ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}

/** CPU time of PostgreSQL with all its processes, in seconds. NaN where there is no /proc. */
async function databaseCpu(owner: Db): Promise<number> {
  try {
    const [row] = await owner.tx('bench', (tx) => tx.query<{ pid: number }>('select pg_backend_pid() as pid', []));
    const { parent } = await processOf(String(row?.pid));
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const all = await Promise.all(pids.map((pid) => processOf(pid).catch(() => null)));
    const main = await processOf(parent);
    const children = all.filter((each) => each?.parent === parent).reduce((sum, each) => sum + (each?.own ?? 0), 0);
    return (main.own + main.ended + children) / TICKS_PER_S;
  } catch {
    return NaN;
  }
}

/** Returns the parent of a process, its CPU time and that of its ended children, in ticks. */
async function processOf(pid: string): Promise<{ parent: string; own: number; ended: number }> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // After the name of the program, which may contain spaces.
  const [, parent = '', , , , , , , , , , ...times] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = times.map(Number);
  return { parent, own: user + system, ended: endedUser + endedSystem };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = clock.localNow();
  await work();
  return (clock.localNow() - began) / 1_000;
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
