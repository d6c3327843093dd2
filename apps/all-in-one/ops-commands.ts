import {
  Mails,
  openSealBoxes,
  resealAccounts,
  resetTwoFactor,
  rotateMails,
  type RunningApi,
  SecurityMails,
  startApi,
} from '@moorage/api';
import { ACCOUNT_SECRETS, BACKUP_PASSWORD, backupSecrets, SHARED_SECRETS } from '@moorage/contracts';
import { describeCovered, newestAudit, withBilling } from '@moorage/billing';
import { auditLog, type CatalogueState, catalogueStates, Alerts, initDatabase, SERVICES } from '@moorage/database';
import { alertTitle, CLOUD_NAMES, confirmedFrom, instant, isCloudName, iso, providerMode } from '@moorage/domain';
import { Parked, WorkSchedule } from '@moorage/messaging';
import { cloudCommands } from './cloud-commands';
import { type OpsCommand, type OpsContext, OpsRefused } from './ops-command';
import { type ProviderOperations, type ProviderState, withProviderOperations } from '@moorage/provisioner';
import { cloudSetupOf, hasCredentials, repositoryOf, type Settings } from '@moorage/runtime';
import { AccountSecrets, type Clock, Secrets, PostgresDb, systemClock, systemRandom, type Tx } from '@moorage/server';

/** A command that uses no database and may run where none exists yet. */
export interface OpsCommandWithout {
  readonly name: string;
  readonly usage: string;
  readonly what: string;
  readonly without: 'database';
  run(context: OpsContextWithout, args: readonly string[]): Promise<void>;
}

export interface OpsContextWithout {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
}

const SECRETS_BATCH = 200;
const RESET_TWO_FACTOR = 'account:reset-two-factor <email> <your name> <reason>';
const BACKUP_KEY = 'backups:key <deployment id> <your name> <reason>';
const RETRY_ALL = 'parked:retry --all --consumer <consumer> --since <instant> <your name> <reason>';

export { type OpsCommand, type OpsContext, OpsRefused } from './ops-command';

export const commands: readonly OpsCommand[] = [
  ...cloudCommands,
  {
    name: 'db:init',
    usage: 'db:init',
    what: 'migrate, set grants, create the first administrator; safe to repeat',
    async run(context) {
      const { settings, databaseUrl, print } = context;
      await initDatabase({ settings, url: databaseUrl, random: systemRandom() });
      // The API creates the first administrator.
      const { firstAdmin } = await withApi(context, (api) => Promise.resolve(api));
      print('The database is initialised.');
      if (firstAdmin === null) return;
      print(`administrator: ${firstAdmin.email}`);
      if (firstAdmin.password !== null) print(`password (shown only once): ${firstAdmin.password}`);
    },
  },
  {
    name: 'db:login',
    usage: 'db:login <api|provisioner|billing>',
    what: 'print the DATABASE_URL of a service; it contains a password',
    async run({ urlOf, print }, [name]) {
      const service = SERVICES.find((known) => known === name);
      if (service === undefined) throw new OpsRefused(`usage: db:login <${SERVICES.join('|')}>`);
      print(await urlOf(service));
    },
  },
  {
    name: 'billing:run',
    usage: 'billing:run --at <instant>',
    what: 'run billing up to an instant, including ends of grace periods',
    async run({ settings, urlOf, log, print }, args) {
      const at = instantOf(args);
      const process = { settings, databaseUrl: await urlOf('billing'), log, relays: false };
      await withBilling(process, async (billing, base) => {
        const now = await base.db.tx('ops.now', (tx) => base.clock.now(tx));
        if (settings.MODE === 'production' && at > now) {
          throw new OpsRefused(`production cannot charge beyond the current time, which is ${iso(now)}`);
        }
        const { days, charged, settled, failed } = await billing.runDay({ at });
        print(
          `up to ${iso(at)}: ${days.length} days, ${charged} charged in chunks, ${settled} accounts settled individually`,
        );
        if (failed > 0)
          throw new OpsRefused(
            `${failed} accounts could not be settled; see the log for the reasons. The next run retries.`,
          );
      });
    },
  },
  {
    name: 'billing:audit',
    usage: 'billing:audit [--whole]',
    what: 'audit the ledger and print what was covered; --whole: including closed months; exit 1 if an invariant is violated',
    async run({ settings, urlOf, log, print }, args) {
      const whole = args[0] === '--whole';
      if (args.length !== (whole ? 1 : 0)) throw new OpsRefused('usage: billing:audit [--whole]');
      const process = { settings, databaseUrl: await urlOf('billing'), log, relays: false };
      await withBilling(process, async (billing) => {
        const audited = await billing.audit({ whole });
        print(`audited: ${describeCovered(audited.covered)}`);
        const breaches = [...audited.breaches, ...(await billing.prove())];
        for (const { id, title, rows } of breaches) print(`${id} ${title}: ${rows.length} rows`);
        if (breaches.length > 0) throw new OpsRefused('the ledger violates its invariants');
        print('All invariants of the ledger hold.');
      });
    },
  },
  {
    name: 'payments:compare',
    usage: 'payments:compare',
    what: "compare the payment provider's records with the ledger and post what is missing; exit 1 while a difference is open",
    run: (context) =>
      withApi(context, async (api) => {
        const { compared, differences } = await api.comparePayments();
        context.print(`compared: ${compared} payments, refunds and disputes`);
        if (differences > 0)
          throw new OpsRefused(`${differences} open; administrators can settle them on the Payments page`);
        context.print('The ledger matches the payment provider.');
      }),
  },
  {
    name: 'health',
    usage: 'health',
    what: 'check for stuck, parked, unsent or late work and list the open alerts; exit 1 if there are any',
    async run({ settings, urlOf, log, print }) {
      const process = { settings, databaseUrl: await urlOf('billing'), log, relays: false };
      await withBilling(process, async (billing, base) => {
        await billing.check();
        const alerts = new Alerts(base);
        const { open, watched, audited, audit } = await base.db.tx('ops.health', async (tx) => ({
          open: await alerts.open(tx),
          watched: await alerts.lastRun(tx, 'watch'),
          audited: await alerts.lastRun(tx, 'audit'),
          audit: await newestAudit(tx),
        }));
        print(`last automatic check by billing: ${watched === null ? 'none yet' : iso(watched)}`);
        print(`last audit of the ledger: ${audited === null ? 'none yet' : iso(audited)}`);
        if (audit !== undefined) print(`the audit covered ${describeCovered(audit.covered)}`);
        for (const { kind, subject, facts, first_seen_at, mailed_at } of open) {
          const mailed = mailed_at === null ? 'not emailed' : `emailed ${iso(mailed_at)}`;
          print(
            `${kind} ${subject}: ${alertTitle(kind)} Since ${iso(first_seen_at)}, ${mailed}: ${JSON.stringify(facts)}`,
          );
        }
        if (open.length > 0)
          throw new OpsRefused(open.length === 1 ? 'one alert is open' : `${open.length} alerts are open`);
        print('No alert is open.');
      });
    },
  },
  {
    name: 'parked:list',
    usage: 'parked:list [consumer]',
    what: 'list deliveries that failed too often and wait for a decision',
    run: (context, [consumer]) =>
      withParked(context, async (parked) => {
        const found = await parked.list(consumer === undefined ? {} : { consumer });
        for (const p of found) {
          context.print(
            `${p.consumer} ${p.event_id} ${p.event_name} of ${p.stream} ${p.aggregate_id} #${p.sequence}, ${p.attempts} attempts, since ${iso(p.parked_at)}, ${p.behind} behind it: ${p.last_error ?? 'reason not stored'}`,
          );
        }
        context.print(`${found.length} parked`);
      }),
  },
  decision('parked:retry', 'give a parked delivery ten more attempts'),
  {
    ...decision('parked:retry', ''),
    usage: RETRY_ALL,
    what: 'retry up to 1000 deliveries of a consumer that were parked since an instant, in order',
  },
  decision('parked:skip', 'never handle a parked delivery; the deliveries behind it continue'),
  {
    name: 'providers',
    usage: 'providers',
    what: 'list mode, credentials, project, breaker, pause, catalogue and last callback of each provider',
    run: (context) =>
      withProviders(context, async (providers) => {
        for (const state of await providers.states()) context.print(stateLine(context.settings, state));
      }),
  },
  {
    name: 'clouds:prices',
    usage: 'clouds:prices',
    what: "list age and source of each provider's sizes and prices, and what is sold out",
    async run({ settings, urlOf, print }) {
      const clock = systemClock({ offsetMs: settings.LAB_CLOCK_OFFSET_MS ?? 0 });
      const db = await PostgresDb.open({ url: await urlOf('api'), connections_max: 1 });
      try {
        const states = await db.tx('ops.clouds', async (tx) =>
          catalogueStates(tx, cloudSetupOf(settings), await clock.now(tx)),
        );
        for (const state of states) print(catalogueLine(state));
      } finally {
        await db.close();
      }
    },
  },
  {
    name: 'servers:confirm-lost',
    usage: 'servers:confirm-lost <provider> [<your name> <reason>]',
    what: 'list servers missing at a provider whose breaker is open; with name and reason, mark them as lost',
    run: (context, args) =>
      withProviders(context, async (providers) => {
        const { provider, by, reason } = decisionOf('servers:confirm-lost', args);
        const { opened_at, reason: why, servers } = await providers.plan(provider);
        if (opened_at === null)
          throw new OpsRefused(`the breaker of ${provider} is closed: losses need no confirmation`);
        context.print(`breaker of ${provider} open since ${iso(opened_at)}: ${why ?? ''}`);
        for (const s of servers) {
          const effect =
            s.kept_because === null
              ? `FAILED, charged until ${iso(s.missed_at)}`
              : { restarting: 'stays: it is restarting', missed_too_shortly: 'stays: missing for too short a time' }[
                  s.kept_because
                ];
          context.print(
            `deployment ${s.deployment_id} "${s.client_name}" of user ${s.user_id}, ${s.status}, server ${s.region}/${s.provider_server_id} at ${s.address ?? 'no address'}, missing since ${iso(s.missed_at)}: ${effect}`,
          );
        }
        if (by === null) {
          context.print(`${servers.length} servers; nothing changes without your name and a reason`);
          return;
        }
        const lost = await providers.confirm({ provider, by, reason });
        context.print(`${lost.length} of ${servers.length} are lost: ${lost.join(', ')}`);
      }),
  },
  {
    name: 'servers:forget-project',
    usage: 'servers:forget-project <provider> <your name> <reason>',
    what: 'accept the project of the credentials at the next check as ours',
    run: (context, args) =>
      withProviders(context, async (providers) => {
        const { provider, by, reason } = decisionOf('servers:forget-project', args);
        if (by === null) throw new OpsRefused('usage: servers:forget-project <provider> <your name> <reason>');
        if (!(await providers.forgetProject({ provider, by, reason })))
          throw new OpsRefused(`no project of ${provider} is pinned`);
        context.print('done');
      }),
  },
  {
    name: 'servers:confirm-removal',
    usage: 'servers:confirm-removal <provider> <server id> <your name> <reason>',
    what: 'allow removal of a server that reappeared after its lost deployment was given up',
    run: (context, [provider = '', server_id = '', ...rest]) =>
      withProviders(context, async (providers) => {
        const { by, reason } = decisionOf('servers:confirm-removal', [provider, ...rest]);
        if (by === null)
          throw new OpsRefused('usage: servers:confirm-removal <provider> <server id> <your name> <reason>');
        if (!(await providers.confirmRemoval({ provider, server_id, by, reason })))
          throw new OpsRefused('no such server of a deployment that was lost and given up');
        context.print('it will be removed when the next comparison finds it');
      }),
  },
  {
    name: 'servers:remove-unowned',
    usage: 'servers:remove-unowned <provider> <region> <server id> [<your name> <reason>]',
    what: 'show a server at a provider that belongs to no deployment; with name and reason, remove it',
    run: (context, [provider = '', region = '', id = '', ...rest]) =>
      withProviders(context, async (providers) => {
        const { by, reason } = decisionOf('servers:remove-unowned', [provider, ...rest]);
        const place = { region, id };
        const found = await providers.unowned(provider, place);
        if (found === null) throw new OpsRefused('no server without an owner was found under this id');
        context.print(
          `server ${found.name}, ${found.state}, first seen ${iso(found.first_seen_at)}, owner ${found.ref ?? 'unknown'}`,
        );
        if (by === null) {
          context.print('nothing changes without your name and a reason');
          return;
        }
        const removal = await providers.removeUnowned({ provider, place, by, reason });
        if (removal === 'none') throw new OpsRefused('no server without an owner was found under this id');
        if (removal === 'suspected')
          throw new OpsRefused(
            `it has been found once: it can be removed after a check that finds it again from ${iso(confirmedFrom(found))}`,
          );
        context.print('the server is being removed with all its data, unless it now has an owner');
      }),
  },
  {
    name: 'account:reset-two-factor',
    usage: RESET_TWO_FACTOR,
    what: 'turn off two-factor authentication for a user who has lost app and recovery codes; the user is notified by email',
    async run({ settings, urlOf, print }, [email = '', by = '', ...words]) {
      const reason = words.join(' ');
      if (email === '' || by === '' || reason === '') throw new OpsRefused(`usage: ${RESET_TWO_FACTOR}`);
      const random = systemRandom();
      const clock = systemClock({ offsetMs: settings.LAB_CLOCK_OFFSET_MS ?? 0 });
      const { account: box } = await openSealBoxes(settings, random);
      const secrets = new AccountSecrets({ box, clock, kinds: ACCOUNT_SECRETS });
      const securityMails = new SecurityMails(new Mails(clock, box, new WorkSchedule({ clock })));
      const db = await PostgresDb.open({ url: await urlOf('api'), connections_max: 1 });
      try {
        const isReset = await db.tx('account.reset-two-factor', async (tx) =>
          resetTwoFactor(tx, { email, by, reason, at: await clock.now(tx), secrets, securityMails }),
        );
        if (!isReset) throw new OpsRefused('no account with this address uses two-factor authentication');
        print('done: the user can log in with the password alone');
      } finally {
        await db.close();
      }
    },
  },
  {
    name: 'backups:key',
    usage: BACKUP_KEY,
    what: 'print location and password of the backups of a deployment, for restic, and list them',
    async run({ settings, urlOf, print }, [id = '', by = '', ...words]) {
      const reason = words.join(' ');
      if (!/^\d{1,9}$/.test(id) || by === '' || reason === '')
        throw new OpsRefused(`usage: ${BACKUP_KEY}: your name and the reason are recorded`);
      const clock = systemClock({ offsetMs: settings.LAB_CLOCK_OFFSET_MS ?? 0 });
      const { shared: box } = await openSealBoxes(settings, systemRandom());
      const secrets = new Secrets({ box, clock, kinds: SHARED_SECRETS });
      const db = await PostgresDb.open({ url: await urlOf('api'), connections_max: 1 });
      try {
        const lines = await db.tx('backups.key', (tx) =>
          backupKey(tx, { id: Number(id), by, reason, clock, secrets, settings }),
        );
        for (const line of lines) print(line);
      } finally {
        await db.close();
      }
    },
  },
  {
    name: 'secrets:rotate',
    usage: 'secrets:rotate',
    what: 're-encrypt every secret and all unsent emails with the newest keys of SECRETS_KEYS and ACCOUNT_SECRETS_KEYS',
    async run({ settings, urlOf, print }) {
      const random = systemRandom();
      const clock = systemClock({ offsetMs: settings.LAB_CLOCK_OFFSET_MS ?? 0 });
      const boxes = await openSealBoxes(settings, random);
      const secrets = new Secrets({ box: boxes.shared, clock, kinds: SHARED_SECRETS });
      const db = await PostgresDb.open({ url: await urlOf('api'), connections_max: 2 });
      const untilNoneIsLeft = async (rotate: (tx: Tx) => Promise<number>): Promise<void> => {
        for (let left = 1; left > 0;) left = await db.tx('secrets.rotate', rotate);
      };
      try {
        await untilNoneIsLeft((tx) => secrets.rotate(tx, SECRETS_BATCH));
        await untilNoneIsLeft((tx) => rotateMails(tx, { clock, box: boxes.account, batch: SECRETS_BATCH }));
        await resealAccounts(db, { box: boxes.account, clock });
      } finally {
        await db.close();
      }
      print('Every secret is encrypted with the newest key.');
    },
  },
];

const COPIES_LISTED_MAX = 200;

/** Formats the variables as Docker's `--env-file` expects them. */
async function backupKey(
  tx: Tx,
  {
    id,
    by,
    reason,
    clock,
    secrets,
    settings,
  }: { id: number; by: string; reason: string; clock: Clock; secrets: Secrets; settings: Settings },
): Promise<string[]> {
  const [repository] = await tx.query<{ ref: string; mode: string }>(
    `select d.ref, r.mode from backup_repositories r join deployments d on d.id = r.deployment_id
     where r.deployment_id = $1 and r.removed_at is null`,
    [id],
  );
  const password = await secrets.get(tx, backupSecrets(id), BACKUP_PASSWORD);
  const target = repositoryOf(settings, repository?.ref ?? '');
  if (repository === undefined || password === null) throw new OpsRefused(`deployment ${id} has no backups`);
  if (repository.mode !== 'real' || target === null)
    throw new OpsRefused(`the backups of deployment ${id} are simulated: restic cannot read them`);
  const copies = await tx.query<{ snapshot_id: string; started_at: number; bytes: number }>(
    `select snapshot_id, started_at, bytes::float8 as bytes from backups
     where deployment_id = $1 and state = 'complete' order by id desc limit $2`,
    [id, COPIES_LISTED_MAX],
  );
  await auditLog.record(tx, {
    action: 'deployment.backup_key_read',
    subject: `deployment:${id}`,
    facts: { by, reason },
    at: await clock.now(tx),
  });
  return [
    ...copies.map(({ snapshot_id, started_at, bytes }) => `# ${iso(started_at)} ${snapshot_id} ${bytes} bytes`),
    `RESTIC_REPOSITORY=${target}`,
    `RESTIC_PASSWORD=${password}`,
  ];
}

const SOLD_OUT_MAX = 20;

const UNOFFERED = {
  refused: 'its credentials are rejected',
  unproven: 'its credentials are not proven',
  unconfirmed: 'its project is not confirmed',
} as const;

function catalogueLine(state: CatalogueState): string {
  const { provider, mode, unoffered, refreshed_at, due_at, source, sizes, sold_out } = state;
  const answered = refreshed_at === null ? 'no response yet' : `last response ${iso(refreshed_at)}`;
  const next = due_at === null ? '' : `, next request from ${iso(due_at)}`;
  if (unoffered !== null) {
    const why = UNOFFERED[unoffered];
    return `${provider} ${mode}: not offered, ${why}; ${answered}${next}`;
  }
  const sold =
    mode === 'live' && source === 'built_in'
      ? 'sold from the built-in catalogue'
      : "sold from the provider's catalogue";
  const more = sold_out.length > SOLD_OUT_MAX ? ` and ${sold_out.length - SOLD_OUT_MAX} more` : '';
  const none = sold_out.length === 0 ? 'none' : `${sold_out.slice(0, SOLD_OUT_MAX).join(', ')}${more}`;
  return `${provider} ${mode}: ${answered}${next}; ${mode === 'live' ? `${sold}; ` : ''}${sizes} sizes, sold out: ${none}`;
}

function decision(name: 'parked:retry' | 'parked:skip', what: string): OpsCommand {
  return {
    name,
    usage: `${name} <consumer> <event id> <your name> <reason>`,
    what,
    run: (context, args) =>
      withParked(context, async (parked) => {
        if (name === 'parked:retry' && args[0] === '--all') return retryAll(parked, context, args.slice(1));
        const [consumer, event_id, by, ...words] = args;
        const reason = words.join(' ');
        if (consumer === undefined || event_id === undefined || by === undefined || reason === '') {
          throw new OpsRefused(
            `usage: ${name} <consumer> <event id> <your name> <reason>: your name and the reason are recorded`,
          );
        }
        const decided = await parked[name === 'parked:retry' ? 'retry' : 'skip']({ consumer, event_id, by, reason });
        if (decided === 'not_parked') throw new OpsRefused('no such parked delivery');
        if (decided === 'not_first')
          throw new OpsRefused(
            'an earlier event has arrived in the meantime: retry this delivery instead of skipping it',
          );
        context.print('done');
      }),
  };
}

function stateLine(settings: Settings, state: ProviderState): string {
  const { provider, project_id, is_confirmed, opened_at, reason, paused_until, source, refreshed_at, called_at } =
    state;
  const mode = providerMode(cloudSetupOf(settings), provider);
  return `${provider}: ${[
    mode,
    ...(mode === 'live' ? [credentialsOf(settings, state)] : []),
    ...(project_id === null
      ? []
      : [`project ${project_id}${mode !== 'live' || is_confirmed ? '' : ' (not confirmed)'}`]),
    ...(opened_at === null ? [] : [`breaker open since ${iso(opened_at)} (${reason ?? ''})`]),
    ...(paused_until === null ? [] : [`paused until ${iso(paused_until)}`]),
    refreshed_at === null ? 'no catalogue yet' : `catalogue ${source ?? ''} of ${iso(refreshed_at)}`,
    ...(called_at === null ? [] : [`last callback ${iso(called_at)}`]),
  ].join(', ')}`;
}

function credentialsOf(
  settings: Settings,
  { provider, has_entered, proven_at, refused_at, create_refused }: ProviderState,
): string {
  if (!has_entered && !hasCredentials(settings, provider)) return 'no credentials';
  if (refused_at !== null)
    return `credentials rejected${create_refused ? ' for creating servers' : ''} since ${iso(refused_at)}`;
  return proven_at === null ? 'credentials not checked yet' : `credentials proven since ${iso(proven_at)}`;
}

/**
 * Parses the provider, the actor and the reason. `by` is null if none is given, in which case nothing must be changed.
 */
function decisionOf(
  command: string,
  [provider = '', by, ...words]: readonly string[],
): { provider: string; by: string | null; reason: string } {
  if (!isCloudName(provider)) throw new OpsRefused(`${command}: the provider must be one of ${CLOUD_NAMES.join(', ')}`);
  const reason = words.join(' ');
  if (by !== undefined && reason === '') throw new OpsRefused(`${command}: your name and the reason are recorded`);
  return { provider, by: by ?? null, reason };
}

/** Starts an API that accepts no external requests, runs `act` and stops it. */
async function withApi<T>({ settings, urlOf, log }: OpsContext, act: (api: RunningApi) => Promise<T>): Promise<T> {
  const own = { ...settings, PORT: 0, HOST: '127.0.0.1' };
  const api = await startApi({ settings: own, databaseUrl: await urlOf('api'), log, relays: false });
  try {
    return await act(api);
  } finally {
    await api.stop();
  }
}

async function withProviders(
  { settings, urlOf, log }: OpsContext,
  act: (providers: ProviderOperations) => Promise<void>,
): Promise<void> {
  await withProviderOperations({ settings, databaseUrl: await urlOf('provisioner'), log }, act);
}

async function retryAll(parked: Parked, { print }: OpsContext, args: readonly string[]): Promise<void> {
  const [consumerFlag, named = '', sinceFlag, since, by, ...words] = args;
  const reason = words.join(' ');
  if (consumerFlag !== '--consumer' || sinceFlag !== '--since' || since === undefined || by === undefined || !reason)
    throw new OpsRefused(`usage: ${RETRY_ALL}: your name and the reason are recorded`);
  const consumer = SERVICES.find((service) => service === named);
  if (consumer === undefined) throw new OpsRefused(`not a consumer: ${named} (${SERVICES.join(', ')})`);
  const from = instantFrom(since);
  const { retried, left } = await parked.retryAll({ consumer, since: from, by, reason });
  print(`retrying ${retried} deliveries of ${consumer} that were parked since ${iso(from)}`);
  if (left) print('more are parked: run the command again');
}

async function withParked({ urlOf }: OpsContext, act: (parked: Parked) => Promise<void>): Promise<void> {
  const clock = systemClock();
  const db = await PostgresDb.open({ url: await urlOf('api'), connections_max: 2 });
  try {
    await act(new Parked({ db, clock, audit: auditLog.record }));
  } finally {
    await db.close();
  }
}

function instantOf(args: readonly string[]): number {
  const text = args[0] === '--at' ? args[1] : undefined;
  if (text === undefined) throw new OpsRefused('usage: billing:run --at 2026-12-01T00:00:00Z');
  return instantFrom(text);
}

function instantFrom(text: string): number {
  try {
    return instant(text);
  } catch {
    throw new OpsRefused(`not an instant: ${text}`);
  }
}
