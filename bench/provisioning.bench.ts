import { deploymentSecrets, EVENTS, SHARED_SECRETS, SSH_PRIVATE_KEY, SUBSCRIPTIONS } from '@moorage/contracts';
import { Messaging, PgNotify, PostgresEventTransport, PostgresWorkTransport } from '@moorage/messaging';
import { Sandbox } from '@moorage/provisioner/clouds/sandbox/sandbox';
import { SANDBOX_DEFAULTS } from '@moorage/provisioner/clouds/sandbox/sandbox-options';
import { startProvisioner } from '@moorage/provisioner/process';
import { parseSettings } from '@moorage/runtime';
import {
  createLog,
  type Db,
  PostgresDb,
  parseSealKeys,
  type Running,
  SealBox,
  Secrets,
  systemRandom,
} from '@moorage/server';
import { customer, INSTALLATION } from '@moorage/tests/services/provisioner/customer';
import { realFixtureClock } from '@moorage/tests/services/provisioner/fixture-clock';
import { type BenchDatabase, withBenchDatabase } from './database';
import { figure, option, report, timed } from './measure';
import { type Recording, recordSsh } from './provisioning/recorder';
import { replay, type Task } from './provisioning/replay';

/**
 * Measures how long one provisioner takes for new deployments in the sandbox cloud, from the first event until all are
 * READY, against ssh2 alone, which sends the same commands and files to the same servers after these have been reset,
 * over one connection to each and to as many servers at the same time. The servers are in the process that connects to
 * them.
 *
 *   npm run bench -- provisioning                200 deployments
 *   npm run bench -- provisioning --size 1000 --rounds 1
 */
const size = Number(option('--size') ?? 200);
const rounds = Number(option('--rounds') ?? 3);
const LIMIT = 3;
const POLL_MS = 50;

const clock = realFixtureClock();
const random = systemRandom();
const settings = parseSettings({ SECRETS_KEYS: `k1:${Buffer.alloc(32, 9).toString('base64')}` });

await withBenchDatabase(async (database) => {
  await database.withClient(async (client) => {
    await client.query('insert into installation (key, created_at) values ($1, now())', [INSTALLATION]);
    await client.query(
      `insert into users (username, email, email_normalised, password_hash, referral_code, is_verified, created_at)
       values ('captain', 'captain@example.com', 'captain@example.com', '-', 'code', true, now())`,
    );
  });
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) ratios.push(await database.withCopy(measure));
  return report('provisioning', [figure('vs_ssh2', ratios, { limit: LIMIT })], { size });
});

async function measure(database: BenchDatabase): Promise<number> {
  const owner = await PostgresDb.open({ url: database.url });
  const orders = customer({ owner, clock });
  for (let number = 1; number <= size; number++) await orders.order({ domain: `d${number}.sandbox.localhost` });
  const endRecording = recordSsh();
  const ours = await provision(database, owner);
  const recording = endRecording();
  const tasks = await tasksOf(owner, recording);
  await owner.tx('bench', (tx) => tx.execute(`update sandbox_servers set host = '{}'`, []));
  const sandbox = new Sandbox(owner, clock, SANDBOX_DEFAULTS);
  const dial = (address: string, port: number) => sandbox.dial(address, port);
  const reference = await timed(() => replay(tasks, { dial, atOnce: recording.open_max }));
  await sandbox.close();
  await owner.close();
  const commands = recording.connections.flat().filter((sent) => 'command' in sent).length;
  console.log(
    `${ours.toFixed(1)} s, ssh2 ${reference.toFixed(1)} s; ${commands} commands in ${recording.connections.length} connections, ${recording.open_max} at the same time`,
  );
  return ours / reference;
}

/** Returns the seconds until all deployments are READY. */
async function provision(database: BenchDatabase, owner: Db): Promise<number> {
  const log = createLog({
    service: 'provisioner',
    write: (line) => {
      if (/"level":"(warn|error)"/.test(line)) console.log(line.trimEnd());
    },
  });
  const provisioner = await startProvisioner({ settings, databaseUrl: database.urlOf('provisioner'), log });
  const began = performance.now();
  const relay = await startRelay(database.urlOf('billing'));
  while ((await missing(owner)) > 0) await clock.sleep(POLL_MS);
  const seconds = (performance.now() - began) / 1_000;
  await relay.stop();
  await provisioner.stop();
  return seconds;
}

/** Returns the number of deployments that are not READY yet. Throws Error if one has failed. */
async function missing(owner: Db): Promise<number> {
  const [row] = await owner.tx('bench', (tx) =>
    tx.query<{ missing: number; failed: number }>(
      `select count(*) filter (where status <> 'READY')::int as missing,
         count(*) filter (where status in ('FAILED', 'DNS_FAILED'))::int as failed from deployments`,
      [],
    ),
  );
  if (row === undefined || row.failed > 0) throw new Error(`${row?.failed} deployments failed`);
  return row.missing;
}

/** Starts the part of billing that publishes events for the provisioner. */
async function startRelay(url: string): Promise<Running> {
  const db = await PostgresDb.open({ url });
  const pgNotify = new PgNotify({ db, clock });
  const relay = new Messaging({
    db,
    clock,
    random,
    service: 'billing',
    known: EVENTS,
    subscriptions: { provisioner: SUBSCRIPTIONS.provisioner },
    handlers: {},
    work: {},
    transports: {
      events: new PostgresEventTransport({ db, clock, pgNotify }),
      work: new PostgresWorkTransport({ db, clock, pgNotify }),
    },
    pgNotify,
    onError: (error) => console.error(error),
  });
  await relay.start();
  return {
    async stop() {
      await relay.stop();
      await pgNotify.close();
      await db.close();
    },
  };
}

/** Returns what the product sent to each server, with its address and key. */
function tasksOf(owner: Db, { connections }: Recording): Promise<Task[]> {
  const box = new SealBox({ keys: parseSealKeys(settings.SECRETS_KEYS ?? ''), random });
  const secrets = new Secrets({ box, clock, kinds: SHARED_SECRETS });
  return owner.tx('bench', async (tx) => {
    const servers = await tx.query<{ id: number; ref: string; address: string }>(
      'select id, ref, host(instance_ip) as address from deployments order by id',
      [],
    );
    const tasks: Task[] = [];
    for (const { id, ref, address } of servers) {
      const sent = connections
        .filter((each) => each.some((one) => 'command' in one && one.command.includes(`/${ref}/`)))
        .flat();
      const privateKey = await secrets.get(tx, deploymentSecrets(id), SSH_PRIVATE_KEY);
      if (privateKey === null) throw new Error(`deployment ${id} has no key`);
      tasks.push({ address, privateKey, sent });
    }
    return tasks;
  });
}
