import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Activity during which a process is killed. */
export type Occasion = 'idle' | 'create' | 'destroy' | 'check' | 'own create' | 'own destroy' | 'daily run';

/**
 * Every named place of the provisioner, of billing and of messaging, with the activities in which a process is killed
 * there.
 */
export const KILLED_IN: Readonly<Record<string, readonly Occasion[]>> = {
  'login.read': ['idle'],
  'schema.read': ['idle'],
  'inbox.read': ['idle'],
  'relay.read': ['idle'],
  'events.read': ['idle'],
  'work.read': ['idle'],
  'sweep.read': ['idle'],
  'sweep.work': ['idle'],
  'sweep.missed': ['idle'],
  'sweep.gaps': ['idle'],
  'sweep.unpark': ['idle'],
  'sweep.retire': ['idle'],
  'reconcile.read': ['idle'],
  'reconcile.owner': ['idle'],
  'reconcile.project': ['idle'],
  'reconcile.trust': ['idle'],
  'reconcile.running': ['idle'],
  'reconcile.back': ['idle'],
  'rules.due': ['idle'],

  'inbox.arrive': ['create', 'destroy'],
  'inbox.drain': ['create', 'destroy'],
  'inbox.drain.handled': ['create', 'destroy'],
  'relay.publish': ['create', 'destroy'],
  'relay.publish.sent': ['create', 'destroy'],
  'work.claim': ['create', 'destroy', 'check'],
  'work.finish': ['create', 'destroy', 'check'],
  'work.finish.effected': ['create', 'destroy', 'check'],
  'run.read': ['create', 'destroy'],
  'run.begin': ['create', 'destroy'],

  'installation.key': ['create', 'destroy'],
  'create-server.wanted': ['create'],
  'create-server.budget': ['create'],
  'create-server.asked': ['create'],
  'create-server.returned': ['create'],
  'reach.key': ['create', 'destroy'],
  'bootstrap.next-key': ['create'],
  'bootstrap.key': ['create'],
  'stack.secrets': ['create'],
  'stack.redirects': ['create'],
  'provider.may-believe': ['create', 'destroy'],
  'sandbox.project': ['create', 'destroy'],
  'sandbox.find': ['create', 'destroy'],
  'sandbox.create': ['create'],
  'sandbox.get': ['create', 'destroy'],
  'sandbox.list': ['destroy'],
  'sandbox.delete': ['destroy'],
  'sandbox.host': ['create', 'destroy', 'check'],
  'sandbox.host_changed': ['create', 'destroy', 'check'],
  'sandbox.names': ['create'],
  'sandbox.resolve': ['create'],
  'sandbox.authority': ['create'],

  'check-vps.read': ['check'],
  'wait-for-ssh.pin': ['own create'],
  'user.public-key': ['own destroy'],

  'billing.read': ['daily run'],
  'billing.days': ['daily run'],
  'billing.last': ['daily run'],
  'billing.plan': ['daily run'],
  'billing.chunk': ['daily run'],
  'billing.chunk.inside': ['daily run'],
  'billing.settle': ['daily run'],
  'billing.checkpoint': ['daily run'],
  'billing.finish': ['daily run'],
};

/** Places that none of these activities pass, and where they are passed. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'billing.forecast': 'warnings: the hourly clock, which writes a mail and no money',
  'billing.audit': 'the nightly audit, which only reads',
  'billing.audited': "alerts of the nightly audit: billing's own tests",
  'billing.proof': "the nightly proof, which only reads: billing's own tests",
  'billing.adopt': "the first night's proof: billing's own tests",
  'billing.seal': "the night's seal: billing's own tests",
  logins: 'the migration, before anything runs',
  retire: "rows at their end, in batches: the database's own tests",
  'billing.watch': 'a look for what is stuck, which only reads',
  'billing.watched': "alerts of what is stuck: billing's own tests",
  'billing.gauges': 'gauges for Prometheus, which only read',
  'billing.failed': "an account that throws: billing's own tests",
  'billing.due': "a row that no chunk can be charged with, and it only reads: billing's own tests",
  'create-server.sold-out': "the cloud has sold out: the provisioner's own tests of failures",
  'provider.blocked': 'before each call to a live cloud, and it only reads: `tests/clouds`',
  'provider.block':
    "a live cloud that asks to wait, and is asked once more if that is lost: the provisioner's own tests",
  'create-server.confirmed': 'before the first server of a live cloud, and it only reads: `tests/clouds`',
  'catalogue.stored': 'once a minute, and it only reads',
  'provider.credentials': 'before each call to a live cloud, and it only reads: `tests/clouds`',
  'provider.error': "a live cloud that refuses: the provisioner's own tests",
  'provider.entered': "credentials entered for a live cloud: the provisioner's own tests",
  'provider.tested': "credentials entered for a live cloud: the provisioner's own tests",
  'provider.check-now': 'at the start, for live clouds',
  'provider.check-read': "a live cloud, and it only reads: the provisioner's own tests",
  'provider.checked': "a live cloud: the provisioner's own tests",
  'clouds.checked': "an operator's command",
  'clouds.read': "an operator's command, which only reads",
  'clouds.confirm': "an operator's command",
  'provider.states': "an operator's command, which only reads",
  'provider.unowned': "an operator's command, which only reads",
  'provider.remove-unowned': "an operator's command",
  'leaks.read': 'once an hour, and it only reads',
  'leaks.note': 'once an hour, all of a look in one transaction: the next look repeats what was not written',
  'leaks.failed': 'once an hour, a single line that the next look replaces',
  'leaks.forget': 'once an hour: rows of a year ago that the next look removes as well',
  'leak.check': "before the provider is asked, which each attempt asks again: the provisioner's own tests",
  'provider.calls': "a provider that counts calls, which the sandbox does not: the provisioner's own tests",
  'create-server.quota': "a limit of our account: the provisioner's own tests of live clouds",
  'create-server.credentials': "credentials that are refused: the provisioner's own tests of live clouds",
  'delete-server.credentials': "credentials that are refused: the provisioner's own tests of live clouds",
  'pull-images.read': "an update: the provisioner's own tests of processes that die",
  'keep-data.read': "an update: the provisioner's own tests of processes that die",
  'put-back-data.read': "an update: the provisioner's own tests of processes that die",
  'tidy-update.read': "an update: the provisioner's own tests of processes that die",
  'set-records.acquire': "a name below the platform domain: the provisioner's own tests",
  'remove-records.read': "a name below the platform domain: the provisioner's own tests",
  'remove-records.removed': "a name below the platform domain: the provisioner's own tests",
  'platform-dns.mark': 'before each change of a zone, and it only reads',
  'platform-records.read': 'every five minutes, and it only reads',
  'platform-records.plan': 'every five minutes: the next sweep repeats what was not written',
  'platform-records.look-again': 'before records are removed, and it only reads',
  'platform-records.removed': 'after records were removed, which the next sweep finds again',
  'platform-records.resolved': 'every five minutes, a single line that the next sweep repeats',
  'platform-records.failed': 'a name server that refuses, a single line that the next sweep repeats',
  'resize-server.read': "a resize: the provisioner's own tests",
  'resize-server.sold-out': "the cloud has sold out: the provisioner's own tests of a resize",
  'resize-server.credentials': "credentials that are refused: the provisioner's own tests of live clouds",
  'create-server.place': "a place where nothing may be created: the provisioner's own tests of failures",
  'create-server.refused': "the cloud refuses: the provisioner's own tests of failures",
  'backup.read': "a backup: the provisioner's own tests of processes that die",
  'backups.access': 'before a backup, and at the start: writes the file of who is let in from the rows again',
  'backups.last': 'at the start, which only reads',
  'backups.page': 'at the start, which only reads',
  'backups.adopt': 'at the start, by rows: the next start does it again',
  'backups.ask': "once a minute: the provisioner's own tests of processes that die",
  'backups.tend': "once a minute: the provisioner's own tests of processes that die",
  'backups.stale': 'once a minute, and raises or resolves an alert: the next tick does it again',
  'copies.tidy': "which only reads: the provisioner's own tests of processes that die",
  'copies.read': "a backup that has ended: the provisioner's own tests of processes that die",
  'copies.known': "which only reads: the provisioner's own tests of processes that die",
  'bucket.read': "a bucket of a customer: the provisioner's own tests of processes that die",
  'access.load': "a change of SSH keys: the provisioner's own tests of processes that die",
  'domains.read': "further domains: the provisioner's own tests of processes that die",
  'logs.load': "logs that are read: the provisioner's own tests of processes that die",
  'logs.wanted': "logs that are read: the provisioner's own tests of processes that die",
  'logs.store': "logs that are read: the provisioner's own tests of processes that die",
  'logs.answer': 'a search in logs, which is repeated: its reader asks again',
  'logs.now': 'which only reads the time',
  'restart-container.load': 'a restart of a container, which may be done twice',
  'bucket.stopped': "a fault of our installation: the provisioner's own tests",
  'download.read': "which only reads: the provisioner's own tests",
  'download.old': 'once a minute, which only reads',
  'download.expire': 'once a minute: the next one does it again',
  'back-up-source.ask': "a move: the provisioner's own tests",
  'moves.due': 'once a minute, which only reads',
  'moves.remove-source': "once a minute, in one transaction: billing's own tests",
  'back-up.ask': "a restore: the provisioner's own tests of processes that die",
  'restore.read': "a restore: the provisioner's own tests of processes that die",
  'swap.read': "a restore: the provisioner's own tests of processes that die",
  'dns-check.read': 'DNS_FAILED: the simulated world',
  'reachability.take': "once a minute: the provisioner's own tests end it there",
  'reachability.save': "once a minute: the provisioner's own tests end it there",
  'reachability.save-quiet': 'once a minute, and repeated by the next round',
  'host-checks.take': 'every five minutes, and claims only the next reading',
  'host-checks.read': 'every five minutes, and changes nothing',
  'host-checks.save': "every five minutes: the provisioner's own tests end it there",
  'name-checks.take': 'every hour, and claims only the next check',
  'name-checks.read': 'every hour, and changes nothing',
  'name-checks.save': 'every hour, and repeated by the next check',
  'metrics.roll-up': 'every hour: one statement moves a whole hour, and the next run does it again',
  'reconcile.state': 'only for a server that is switched off: the next comparison does it again',
  'reachability.answered': 'once a minute, and resolves an alert: the next round does it again',
  'reachability.silent': "no deployment answers for several rounds: the provisioner's own tests",
  'reconcile.unowned': 'a server without an owner, reported once: the next comparison reports it as well',
  'rules.checked': "once an hour: the provisioner's own tests end it between any two calls",
  'access.read': "the customer's keys, read before they are written to the server: the provisioner's own tests",
  'rules.failed': "a firewall that cannot be repaired: the provisioner's own tests",
  'reconcile.paused': "a live cloud that is left alone: the provisioner's own tests",
  'reconcile.address': "a server whose address has changed: the provisioner's own tests",
  'reconcile.missed': 'a lost server: the simulated world',
  'reconcile.distrust': "answers that are not believed: the provisioner's own tests and the simulated world",
  'reconcile.no-answer': "a provider that does not answer: the provisioner's own tests",
  'reconcile.refused': "credentials that are refused: the provisioner's own tests",
  'reconcile.reappeared': "a lost server that is there again: the provisioner's own tests",
  'confirm-lost.plan': "an operator's command",
  'confirm-lost.one': "an operator's command",
  'provider.forget-project': "an operator's command",
  'provider.confirm-removal': "an operator's command",
  'sweep.look-now': "the start with live clouds, which only schedules: the provisioner's own tests",
  'operations.ready': 'a readiness call, which only reads',
  'sweep.tend': 'a deployment that no event told of (when the sweep comes first, here too): the simulated world',
  'events.fetch': "an event too large for a notice: the transports' tests",
  'inbox.back-off': "a handler that throws: messaging's tests",
  'work.back-off': "a step that throws: messaging's tests",
  'work.heartbeat': 'a step longer than ten seconds: the simulated world',
  'parked.${action}': "an operator's command",
  'parked.list': "an operator's command",
  'sandbox.fault': 'tests plant faults with it',
  'sandbox.own-server': "a simulated own server, made anew by the next connection: the sandbox's own tests",
  'sandbox.catalogue': 'once in six hours',
  'catalogue.take': "once in six hours, and at most every ten minutes: the provisioner's own tests",
  'catalogue.save': "once in six hours: the provisioner's own tests",
  'shortage.raise': "a full disk: `full-disk.e2e.ts` and the database's own tests",
  'shortage.resolve': "an hour after a full disk: the database's own tests",
  'installation.init': 'the migration, before anything runs',
};

/** Returns the checkpoints of an activity. A transaction has two, before it begins and after its commit. */
export function namesOf(occasion: Occasion): string[] {
  const found = placesInSource();
  return Object.entries(KILLED_IN)
    .filter(([, occasions]) => occasions.includes(occasion))
    .flatMap(([name]) => (found.get(name) === 'transaction' ? [name, `${name}.committed`] : [name]));
}

const FOLDERS = ['apps/billing', 'apps/provisioner', 'libs/database', 'libs/ledger', 'libs/messaging', 'libs/runtime'];
const CALLS = /(\.tx|\.read|checkpoints\.at)\(\s*(['`])([^'`]+)\2\s*[,)]/g;
/** Calls after which the sandbox names its transactions. */
const CLOUD_CALLS = ['project', 'create', 'find', 'get', 'list', 'delete', 'catalogue'];

/** Returns every name of a transaction, or of a place inside one, in the source code. */
export function placesInSource(): Map<string, 'transaction' | 'place'> {
  const found = new Map<string, 'transaction' | 'place'>();
  for (const folder of FOLDERS) {
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || /\.(spec|suite)\.ts$|(^|\/)testing/.test(file)) continue;
      for (const [, call, , name = ''] of readFileSync(join(folder, file), 'utf8').matchAll(CALLS)) {
        const names = name === 'sandbox.${kind}' ? CLOUD_CALLS.map((kind) => `sandbox.${kind}`) : [name];
        for (const one of names) found.set(one, call === '.tx' ? 'transaction' : 'place');
      }
    }
  }
  return found;
}

/** Names that an idle process passes continuously. It is killed there once, and not again in every activity. */
export const APPEARANCES = namesOf('idle');
