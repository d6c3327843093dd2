import type { AccountEventName, EventData, SignInAnswer } from '@moorage/contracts';
import {
  type Deployment,
  type DeploymentRow,
  lastRestore,
  type RestoreRow,
  rolloutState,
  type User,
} from '@moorage/database';
import {
  certificateTrouble,
  BACKUP_DAYS,
  BACKUP_MESSAGES,
  remedyMessage,
  DAY_MS,
  hasBackups,
  incidentMessage,
  type Instant,
  MINUTE_MS,
  isMailed,
  iso,
  reasonOfUpdate,
  type RolloutState,
} from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { OnEvent, type ProductEvent } from '@moorage/runtime';
import { Clock, type Tx } from '@moorage/server';
import type { BalanceEnd, MailFacts, MailName, SignInFacts } from '@moorage/texts/server';
import { Injectable } from '@nestjs/common';
import { BackupPromises } from '../backup-policy/backup-promises.policy';
import { PackageCredentials } from '../deployments/package-credentials.service';
import { PlatformNames } from '../deployments/platform-names.service';
import { balanceEnd, topUpOffers } from '../mail/balance-end';
import { Mails } from '../mail/mails.service';
import { MAIL_KIND_OF } from '../mail/mail-rules';
import { usersRepository } from '../users-store/users.repository';

type AccountMail = {
  readonly [N in MailName]: {
    readonly template: N;
    readonly facts: MailFacts[N];
    /** Key for which the email is sent once, whichever event causes it. Without it, each event sends an email. */
    readonly once?: string;
  };
}[MailName];

type Recipient = Pick<User, 'username' | 'email' | 'language' | 'muted_mails'>;

type AccountForecast = Awaited<ReturnType<Ledger['forecast']>>;

/** Data for emails that their events do not contain. */
interface LookUp {
  /** Time at which the event occurred. */
  readonly at: string;
  /** Forecasts the account now, because the balance may have changed since the event. */
  readonly forecast: () => Promise<AccountForecast & { readonly at: Instant }>;
  readonly signIns: (deployment: { id: number; userId: number }) => Promise<SignInFacts[]>;
  /** Returns whether we set the DNS records of the deployment. */
  readonly hasPlatformName: (deploymentId: number) => Promise<boolean>;
  /** The latest restore in place. */
  readonly restore: (deploymentId: number) => Promise<RestoreRow | null>;
  /** Returns the state of the rollout of a version of the deployment's package. */
  readonly rollout: (deploymentId: number, version: string) => Promise<RolloutState>;
  /**
   * Returns the number of days for which the last backup is stored when the balance runs out, or null if none is
   * created.
   */
  readonly lastBackupDays: (deploymentId: number) => Promise<number | null>;
}

type MessageOf<Data> = (
  data: Data,
  account: Recipient,
  lookUp: LookUp,
) => AccountMail | null | Promise<AccountMail | null>;

/** Emails to the account by event. A function returns null if nothing is to be sent. */
const MESSAGES: { readonly [N in AccountEventName]?: MessageOf<EventData<N>> } = {
  'user.verified': (_, { username }) => ({ template: 'welcome', facts: { username } }),
  'payment.received': async ({ amount_micros }, _, lookUp) => ({
    template: 'payment_received',
    facts: { amount_micros, ...(await endFact(lookUp)) },
  }),
  'payment.refunded': async ({ amount_micros, owed_micros }, _, lookUp) => ({
    template: 'payment_refunded',
    facts: { amount_micros, owed_micros, ...(await endFact(lookUp)) },
  }),
  'payment.refund_failed': ({ amount_micros }) => ({ template: 'payment_refund_failed', facts: { amount_micros } }),
  'payment.disputed': async ({ amount_micros, owed_micros, won }, _, lookUp) => ({
    template: 'payment_disputed',
    facts: { amount_micros, owed_micros, won, ...(await endFact(lookUp)) },
  }),
  'payment.automatic_top_up_stopped': async ({ reason, brand, last4 }, _, lookUp) => ({
    template: 'automatic_top_up_stopped',
    facts: { reason, brand, last4, ...(await endFact(lookUp)) },
  }),
  'deployment.status_changed': statusMessage,
  'deployment.address_changed': ({ deployment_id, client_name, from, to, hosts }) => ({
    template: 'deployment_address_changed',
    facts: { deployment_id, client_name, from, to, hosts },
  }),
  'deployment.update_ended': async ({ outcome, failure, ...data }, _, { rollout }) => {
    const { deployment_id, client_name, from, to, is_automatic } = data;
    const facts = { deployment_id, client_name, from, to, is_automatic };
    if (outcome === 'done') return { template: 'deployment_updated', facts };
    const reason = failure === null ? null : reasonOfUpdate(failure);
    return {
      template: 'deployment_update_failed',
      facts: { ...facts, outcome, rollout: await rollout(deployment_id, to), reason },
    };
  },
  'deployment.incident_changed': incidentMail,
  'deployment.move_changed': moveMessage,
  'deployment.backup_changed': backupMessage,
  'deployment.backup_quota_exceeded': ({ deployment_id, client_name, used_bytes, quota_bytes }, _, { at }) => ({
    template: 'backup_quota_exceeded',
    facts: { deployment_id, client_name, used_bytes, quota_bytes },
    once: daily('backup_quota', deployment_id, at),
  }),
  'deployment.backup_bucket_changed': (
    { deployment_id, client_name, bucket, state, failure, worked_before },
    _,
    { at },
  ) =>
    state !== 'failed' || failure === null || !worked_before
      ? null
      : {
          template: 'backup_bucket_failed',
          facts: { deployment_id, client_name, bucket, reason: failure },
          once: daily('backup_bucket', deployment_id, at),
        },
  'deployment.backup_damaged': ({ deployment_id, client_name, failure }, _, { at }) => ({
    template: 'backup_damaged',
    facts: { deployment_id, client_name, reason: failure },
    once: daily('backup_damaged', deployment_id, at),
  }),
  'balance.low': async ({ locked_micros }, _, { forecast: readForecast, lastBackupDays }) => {
    const { at, ...forecast } = await readForecast();
    const { stopsFirst, stops } = forecast.runway;
    const end = balanceEnd(forecast, at);
    // The balance was topped up in the meantime, or the end has come and has its own email.
    if (end === undefined || stopsFirst === null || forecast.level === 'calm') return null;
    return {
      template: 'balance_low',
      facts: {
        ...end,
        client_name: forecast.clientNames.get(stopsFirst) ?? '',
        more: stops.length - 1,
        locked_micros,
        ...retentionMs(await lastBackupDays(stopsFirst)),
      },
    };
  },
  'balance.grace_period_started': async (
    { deployment_id, client_name, amount_micros, available_micros, ends_at, locked_micros },
    _,
    { forecast, lastBackupDays },
  ) => {
    const { at, ...now } = await forecast();
    return {
      template: 'grace_period_started',
      facts: {
        at: iso(at),
        client_name,
        amount_micros,
        available_micros,
        ends_at,
        locked_micros,
        top_ups: topUpOffers(now),
        ...retentionMs(await lastBackupDays(deployment_id)),
      },
    };
  },
  'balance.depleted': async (
    { deployment_id, client_name, amount_micros, due_at, locked_micros },
    _,
    { at, lastBackupDays },
  ) => {
    const days = await lastBackupDays(deployment_id);
    const backup = days === null ? {} : { backup: { deployment_id, until: iso(Date.parse(at) + days * DAY_MS) } };
    return { template: 'balance_depleted', facts: { client_name, amount_micros, due_at, locked_micros, ...backup } };
  },
};

async function endFact({ forecast }: LookUp): Promise<{ end?: BalanceEnd }> {
  const { at, ...now } = await forecast();
  const end = balanceEnd(now, at);
  return end === undefined ? {} : { end };
}

const retentionMs = (days: number | null): { backup_days?: number } => (days === null ? {} : { backup_days: days });

/** Returns a key that limits a kind of email to one a day per deployment. */
const daily = (what: string, deploymentId: number, at: string): string => `${what}:${deploymentId}:${at.slice(0, 10)}`;

function backupMessage(
  { deployment_id, client_name, kind, state, failure }: EventData<'deployment.backup_changed'>,
  _: Recipient,
  { at }: LookUp,
): AccountMail | null {
  if (state !== 'failed' || failure === null) return null;
  // The restore or move that needed this backup failed as well and sends its own email. A deployment removed in the
  // meantime needs no email.
  if (kind === 'before_restore' || kind === 'before_move' || failure.code === BACKUP_MESSAGES.gone.code) return null;
  const once = kind === 'last' ? `last_backup:${deployment_id}` : daily('backup_failed', deployment_id, at);
  return { template: 'backup_failed', facts: { deployment_id, client_name, kind, reason: failure }, once };
}

/** Returns the email about a move. A clone is a new deployment, with the emails of any other. */
function moveMessage({
  deployment_id,
  client_name,
  kind,
  state,
  source_id,
  remove_at,
  failure,
}: EventData<'deployment.move_changed'>): AccountMail | null {
  if (kind !== 'move') return null;
  if (state === 'waiting' && remove_at !== null)
    return { template: 'deployment_moved', facts: { deployment_id, client_name, remove_at } };
  if (state !== 'failed') return null;
  return { template: 'deployment_move_failed', facts: { deployment_id: source_id, client_name, reason: failure } };
}

/**
 * Returns the email about a restore, which ends together with a restart. A restore that its owner has undone needs
 * none.
 */
async function restoreMessage(
  { deployment_id, client_name, failure_reason, failure }: EventData<'deployment.status_changed'>,
  { at, restore: readRestore }: LookUp,
): Promise<AccountMail | null> {
  const restore = await readRestore(deployment_id);
  const endedAt = restore?.finished_at ?? null;
  if (restore === null || endedAt === null || Math.abs(Date.parse(at) - endedAt) > MINUTE_MS) return null;
  const reason = failure ?? failure_reason;
  if (reason !== null) {
    const facts = { deployment_id, client_name, is_undo: restore.state === 'done', reason };
    return { template: 'deployment_restore_failed', facts };
  }
  if (restore.state !== 'done' || restore.undo_until === null) return null;
  const facts = { taken_at: iso(restore.taken_at), undo_until: iso(restore.undo_until) };
  return {
    template: 'deployment_restored',
    facts: { deployment_id, client_name, ...facts },
    once: `restored:${restore.id}`,
  };
}

async function statusMessage(
  event: EventData<'deployment.status_changed'>,
  _: Recipient,
  lookUp: LookUp,
): Promise<AccountMail | null> {
  const { deployment_id, user_id, client_name, package: name, from, to, failure_reason, failure } = event;
  const reason = failure ?? failure_reason;
  // The owner requested the restart and watches it, whereas a restore may take hours.
  if (from === 'RESTARTING' && to !== 'FAILED' && to !== 'DNS_FAILED') return restoreMessage(event, lookUp);
  if (to === 'READY' || to === 'ACTIVE') {
    const sign_in = await lookUp.signIns({ id: deployment_id, userId: user_id });
    return { template: 'deployment_running', facts: { deployment_id, client_name, package: name, sign_in } };
  }
  // Administrators are alerted instead, because its owner has no records to set.
  if (to === 'DNS_FAILED' && (await lookUp.hasPlatformName(deployment_id))) return null;
  if (to === 'DNS_FAILED' && failure != null && certificateTrouble(failure) !== null)
    return {
      template: 'deployment_certificate_refused',
      facts: { deployment_id, client_name, reason },
      // Each automatic attempt may fail.
      once: daily('deployment_certificate_refused', deployment_id, lookUp.at),
    };
  if (to === 'DNS_FAILED') return { template: 'deployment_dns_failed', facts: { deployment_id, client_name, reason } };
  if (to === 'FAILED') return { template: 'deployment_failed', facts: { deployment_id, client_name, reason } };
  return null;
}

/** Reports an incident, and its end once it can no longer return. */
function incidentMail(data: EventData<'deployment.incident_changed'>): AccountMail | null {
  const { deployment_id, client_name, kind, change, began_at: from, ended_at: to, was_told } = data;
  // The failure of the deployment reports the lost server.
  if (kind === 'server_gone') return null;
  const facts = { deployment_id, client_name, from, what: incidentMessage(data) };
  if (change === 'told') return { template: 'deployment_incident', facts: { ...facts, remedy: remedyMessage(data) } };
  if (change !== 'settled' || !was_told || to === null) return null;
  return { template: 'deployment_incident_ended', facts: { ...facts, to } };
}

@Injectable()
export class AccountMailEvents {
  constructor(
    private readonly mails: Mails,
    private readonly signIns: PackageCredentials,
    private readonly platformNames: PlatformNames,
    private readonly promises: BackupPromises,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  /** Inserts the email's row in the transaction that marks the event as handled, so that each event is emailed once. */
  @OnEvent(...(Object.keys(MESSAGES) as AccountEventName[]))
  async mail(
    tx: Tx,
    { event_id, event_name, occurred_at: at, data: reported }: ProductEvent<AccountEventName>,
  ): Promise<void> {
    const data = await withStoredOwner(tx, reported);
    const account = data === null ? null : await recipient(tx, data.user_id);
    if (data === null || account === null) return;
    // The cast is safe because `OnEvent` is given the names of the table, so name and data match.
    const messageOf = MESSAGES[event_name as AccountEventName] as MessageOf<typeof data> | undefined;
    const lookUp: LookUp = {
      at,
      hasPlatformName: async (id) => (await this.platformNames.nameOf(tx, id)) !== null,
      forecast: async () => {
        const now = await this.clock.now(tx);
        return { ...(await this.ledger.forecast(tx, { userId: data.user_id, at: now })), at: now };
      },
      signIns: async (deployment) => (await this.signIns.of(tx, deployment)).map(signInFacts),
      restore: (deploymentId) => lastRestore(tx, deploymentId),
      rollout: (deploymentId, version) => rolloutState(tx, { deploymentId, version }),
      lastBackupDays: (deploymentId) => this.lastBackupDays(tx, deploymentId),
    };
    const message = (await messageOf?.(data, account, lookUp)) ?? null;
    if (message === null || !isMailed(MAIL_KIND_OF[message.template] ?? 'security', account.muted_mails)) return;
    const { once, ...mail } = message;
    await this.mails.post(tx, {
      cause: once ?? `event:${event_id}`,
      recipient: account.email,
      userId: data.user_id,
      language: account.language,
      ...mail,
    });
  }

  private async lastBackupDays(tx: Tx, deploymentId: number): Promise<number | null> {
    const [row] = await tx.query<LastBackup>(LAST_BACKUP, [deploymentId]);
    if (row === undefined || !hasBackups(row.support_level) || this.promises.modeOf(row) === 'off') return null;
    return BACKUP_DAYS[row.support_level];
  }
}

/** Same rule as the provisioner's for the last backup (`wantsLastBackup`). */
const LAST_BACKUP = `
select support_level, server_type, cloud_provider from deployments
where id = $1 and server_exists and billable_from is not null`;

type LastBackup = Pick<DeploymentRow, 'support_level' | 'server_type' | 'cloud_provider'>;

/**
 * Replaces owner and name of a deployment with those of its row, because another service wrote the event. Returns null
 * if there is no such deployment.
 */
async function withStoredOwner<D extends object>(tx: Tx, data: D): Promise<D | null> {
  if (!('deployment_id' in data)) return data;
  const [row] = await tx.query<Pick<Deployment, 'user_id' | 'client_name'>>(
    'select user_id, client_name from deployments where id = $1',
    [Number(data.deployment_id)],
  );
  return row === undefined ? null : { ...data, ...row };
}

const signInFacts = ({ title_texts: title, address, open_link, user }: SignInAnswer): SignInFacts => ({
  title,
  address: open_link ?? address,
  user,
});

function recipient(tx: Tx, userId: number): Promise<Recipient | null> {
  return usersRepository.find(tx, userId, ['username', 'email', 'language', 'muted_mails'], { state: 'present' });
}
