import {
  backupSecrets,
  BUCKET_SECRETS,
  deploymentSecrets,
  event,
  FORGET_CUSTOMER,
  MAINTAIN_COPIES_WORK,
  type Sent,
  toSent,
  ownServerSecrets,
  userSecrets,
  userTwoFactor,
} from '@moorage/contracts';
import { auditLog, type DeploymentRow, Deployments } from '@moorage/database';
import { DomainError, type Instant, iso, reactivatedUsername, USERS_MESSAGES } from '@moorage/domain';
import { Outbox, WorkSchedule } from '@moorage/messaging';
import { Clock, Db, Random, Secrets, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Passwords } from '../auth/passwords.service';
import { Mailboxes } from '../credits/mailboxes.repository';
import type { Caller } from '../http/call-input';
import { removeMailFiles } from '../mail/mail-transport';
import { ApiSettings } from '../settings';
import { usersRepository } from '../users-store/users.repository';
import { Deactivation } from './deactivation.policy';

/** Removes personal data that is not about money. $1 is the account. */
const ERASE_ROWS = [
  'delete from account_views where user_id = $1',
  'delete from automatic_top_ups where user_id = $1',
  'delete from sessions where user_id = $1',
  'delete from sign_ins where user_id = $1',
  'delete from recovery_codes where user_id = $1',
  'delete from user_tokens where user_id = $1',
  'delete from data_exports where user_id = $1',
  'delete from login_networks where user_id = $1',
  'delete from idempotency_keys where user_id = $1',
  // Issued documents are retained because tax law requires it.
  'delete from billing_details where user_id = $1',
  'delete from audit_origins where actor_user_id = $1',
  'delete from vps_checks where user_id = $1',
  'delete from vps_hosts where user_id = $1',
  'delete from deployment_ssh_keys where deployment_id in (select id from deployments where user_id = $1)',
  'delete from deployment_ssh_key_states where deployment_id in (select id from deployments where user_id = $1)',
  'delete from dns_checks where deployment_id in (select id from deployments where user_id = $1)',
  'update credit_requests set holder_user_id = null where holder_user_id = $1',
  'update support_messages set assignee_user_id = null where assignee_user_id = $1',
  'update referral_pairs set network = null where referred_user_id = $1',
  // The IP address of this user's verification is also on the credit of the referrer.
  `update credits set ip_address = null
   where user_id = $1 or (referral_user_id = $1 and credit_type = 'referrer')`,
] as const;

/** Requests by the user or in the user's name. The ledger contains the credits that were granted. */
const ERASE_CREDIT_REQUESTS = `
delete from credit_requests where user_id = $1 or lower(email) = lower($2)
  or credit_id in (select id from credits where user_id = $1)`;

/**
 * Removes the customer's data from deployments. The table requires an address for a customer's own server, so it is set
 * to an address that no server has.
 */
const ERASE_DEPLOYMENTS = `
update deployments set version = version + 1, client_name = 'deployment-' || id, client_id = 'deployment-' || id,
  vps_ip_address = case when server_type = 'vps' then '0.0.0.0'::inet end, instance_ip = null, domain = null,
  admin_subdomain = null, static_page_subdomain = null, komodo_host_ip = null, config = '{}', user_ssh_key = null,
  postgres_host = null, postgres_user = null, github_repo = null,
  failure_reason = null, failure_code = null, failure_facts = null
where user_id = $1`;

/** Erases the personal data of a deactivated account. The ledger is retained. */
@Injectable()
export class EraseAccount {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly outbox: Outbox,
    private readonly work: WorkSchedule,
    private readonly secrets: Secrets,
    private readonly deployments: Deployments,
    private readonly deactivation: Deactivation,
    private readonly passwords: Passwords,
    private readonly mailboxes: Mailboxes,
    private readonly settings: ApiSettings,
  ) {}

  async run(caller: Caller, userId: number): Promise<Sent> {
    // Hash of a random password that is known to nobody.
    const passwordHash = await this.passwords.hash(this.random.text(32));
    return this.db.tx('users.erase', async (tx) => {
      const { username, email, deactivated_at } = await this.deactivation.lock(tx, userId);
      if (userId === caller.userId) throw new DomainError('ACCOUNT_STATE', USERS_MESSAGES.erase_self);
      if (deactivated_at === null) throw new DomainError('ACCOUNT_STATE', USERS_MESSAGES.erase_active);
      const at = await this.clock.now(tx);
      // The hash of its mailbox is retained to show that it received credits.
      await this.mailboxes.store(tx, { userId, at });
      await this.eraseDeployments(tx, { userId, username, at });
      for (const sql of ERASE_ROWS) await tx.execute(sql, [userId]);
      await this.eraseCards(tx, userId, at);
      // Users also write to support without having logged in.
      await tx.execute('delete from support_messages where user_id = $1 or lower(email) = lower($2)', [userId, email]);
      await tx.execute(ERASE_CREDIT_REQUESTS, [userId, email]);
      await this.eraseMails(tx, { userId, email });
      await this.secrets.remove(tx, userSecrets(userId));
      await this.secrets.remove(tx, ownServerSecrets(userId));
      await this.secrets.remove(tx, userTwoFactor(userId));
      await usersRepository.erase(tx, { id: userId, passwordHash, at });
      await auditLog.record(tx, {
        actor: caller.userId,
        action: 'account.erased',
        subject: `user:${userId}`,
        facts: {},
        at,
      });
      await this.outbox.append(tx, event('user.changed', userId, { user_id: userId }));
      return toSent(USERS_MESSAGES.erased);
    });
  }

  /** Deletes the emails, in a demo also their files. */
  private async eraseMails(tx: Tx, { userId, email }: { userId: number; email: string }): Promise<void> {
    const mails = await tx.query<{ id: string }>(
      'delete from mails where lower(recipient) = lower($1) or user_id = $2 returning id',
      [email, userId],
    );
    const ids = mails.map(({ id }) => id);
    tx.afterCommit(() => removeMailFiles(this.settings.mail, ids));
  }

  /** Erases the deployments and removes them from lists. Requires that all are gone from their servers. */
  private async eraseDeployments(
    tx: Tx,
    { userId, username, at }: { userId: number; username: string; at: Instant },
  ): Promise<void> {
    const rows = await tx.query<Pick<DeploymentRow, 'id' | 'status' | 'server_exists'>>(
      'select id, status, server_exists from deployments where user_id = $1 order by id for update',
      [userId],
    );
    const count = rows.filter((row) => !isGone(row)).length;
    if (count > 0) {
      const name = reactivatedUsername(userId, username);
      throw new DomainError('ACCOUNT_STATE', USERS_MESSAGES.erase_deployments({ name, count }));
    }
    for (const { id, status } of rows) {
      if (status !== 'DELETED') await this.forget(tx, id, at);
      await this.secrets.remove(tx, deploymentSecrets(id));
    }
    await this.removeBuckets(tx, userId);
    await tx.execute(
      'delete from deployment_domains where deployment_id in (select id from deployments where user_id = $1)',
      [userId],
    );
    await this.endCopies(tx, userId, at);
    // Must run last, because the unique index covers the addresses of all deployments that still exist.
    await tx.execute(ERASE_DEPLOYMENTS, [userId]);
  }

  /**
   * Ends the copying to the customer's buckets and removes their keys at once. The content of a bucket belongs to the
   * user.
   */
  private async removeBuckets(tx: Tx, userId: number): Promise<void> {
    const removed = await tx.query<{ deployment_id: number }>(
      `delete from backup_buckets where deployment_id in (select id from deployments where user_id = $1)
       returning deployment_id`,
      [userId],
    );
    for (const { deployment_id: id } of removed)
      for (const name of BUCKET_SECRETS) await this.secrets.removeOne(tx, backupSecrets(id), name);
  }

  /**
   * Ends the copies, which contain the user's data. The provisioner removes them and their keys now instead of at the
   * end of retention.
   */
  private async endCopies(tx: Tx, userId: number, at: Instant): Promise<void> {
    const ended = await tx.query<{ deployment_id: number }>(
      `update backup_repositories set ends_at = $2
       where removed_at is null and deployment_id in (select id from deployments where user_id = $1) returning deployment_id`,
      [userId, iso(at)],
    );
    await this.work.scheduleMany(
      tx,
      ended.map(({ deployment_id: id }) => ({ kind: MAINTAIN_COPIES_WORK, key: String(id), due_at: at })),
    );
  }

  /** Removes the cards at the payment provider, together with its customers, which contain the email address. */
  private async eraseCards(tx: Tx, userId: number, at: Instant): Promise<void> {
    const customers = await tx.query<{ customer: string }>(
      `select customer from saved_cards where user_id = $1
       union select customer from checkout_sessions where user_id = $1 and customer is not null`,
      [userId],
    );
    await tx.execute('delete from saved_cards where user_id = $1', [userId]);
    await tx.execute('update checkout_sessions set customer = null where user_id = $1', [userId]);
    await this.work.scheduleMany(
      tx,
      customers.map(({ customer }) => ({ kind: FORGET_CUSTOMER, key: customer, due_at: at })),
    );
  }

  private async forget(tx: Tx, id: number, at: Instant): Promise<void> {
    const row = await this.deployments.lock(tx, id);
    if (row === null) return;
    // The event must not contain erased data either: the name, and the reason of a failure.
    const gone = { desired: 'destroyed', failure: null } as const;
    const changes = row.deleted_at === null ? { ...gone, deleted_at: at } : gone;
    const unnamed = { ...row, client_name: `deployment-${id}` };
    await this.deployments.move(tx, unnamed, { to: 'DELETED', by: 'api', at, changes });
  }
}

const isGone = ({ status, server_exists }: Pick<DeploymentRow, 'status' | 'server_exists'>): boolean =>
  status === 'DESTROYED' || status === 'DELETED' || (status === 'FAILED' && !server_exists);
