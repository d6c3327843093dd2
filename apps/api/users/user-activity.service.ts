import {
  type CreditAnswer,
  type Sent,
  toSent,
  type UserHistory,
  type UserMail,
  type UserSession,
  type UserSupportMessage,
} from '@moorage/contracts';
import { auditLog, type AuditRecord, Mail, SupportMessage, type User } from '@moorage/database';
import { asStored, iso, isoOrNull, MAIL_TITLES, type Message, USERS_MESSAGES } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Clock, Db, type Tx } from '@moorage/server';
import type { MailName } from '@moorage/texts/server';
import { Injectable } from '@nestjs/common';
import { sessionAnswer, Sessions } from '../auth/sessions.service';
import type { Caller } from '../http/call-input';
import { creditAnswer } from '../credits/credit-answer';
import { NO_ACCOUNT } from '../users-store/accounts';
import { type HistoryFacts, historyMessage } from '../history/history-messages';
import { usersRepository } from '../users-store/users.repository';

/** Maximum length of each list. Older records do not matter for current support cases. */
const LISTED_MAX = 100;

/** Records of a user that administrators read in addition to the account itself. Erased accounts have none. */
@Injectable()
export class UserActivity {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly ledger: Ledger,
    private readonly sessionRows: Sessions,
  ) {}

  sessions(userId: number): Promise<UserSession[]> {
    return this.db.tx('users.sessions', async (tx) => {
      await findAccount(tx, userId);
      return (await this.sessionRows.list(tx, userId)).map(sessionAnswer);
    });
  }

  /**
   * Ends the sessions of the user. Personal API tokens remain: their owner created them for scripts and revokes them
   * individually.
   */
  async endSessions(caller: Caller, userId: number): Promise<Sent> {
    const name = await this.db.tx('users.end-sessions', async (tx) => {
      // Locks the account as a login does. Otherwise a login could open a session concurrently.
      const { username } = await findAccount(tx, userId, 'for no key update');
      await this.sessionRows.endAll(tx, userId);
      const at = await this.clock.now(tx);
      const subject = subjectOf(userId);
      await auditLog.record(tx, { actor: caller.userId, action: 'account.signed_out', subject, facts: {}, at });
      return username;
    });
    return toSent(USERS_MESSAGES.sessions_ended({ name }));
  }

  credits(userId: number): Promise<CreditAnswer[]> {
    return this.db.tx('users.credits', async (tx) => {
      await findAccount(tx, userId);
      const all = await this.ledger.credits(tx, { userId, at: await this.clock.now(tx) });
      return all.slice(0, LISTED_MAX).map(creditAnswer);
    });
  }

  /**
   * Returns the emails to the account's current address. Their text is excluded because it may contain a link that
   * grants access.
   */
  mails(userId: number): Promise<UserMail[]> {
    return this.db.tx('users.mails', async (tx) => {
      const { email: recipient } = await findAccount(tx, userId);
      const rows = await tx.repository(Mail).find({
        select: { id: true, template: true, created_at: true, sent_at: true, given_up_at: true, waits_for: true },
        where: { recipient },
        order: { id: 'desc' },
        take: LISTED_MAX,
      });
      return rows.map(({ id, template, created_at, sent_at, given_up_at, waits_for }) => ({
        id: Number(id),
        template,
        title: titleOf(template),
        created_at: iso(created_at),
        sent_at: isoOrNull(sent_at),
        given_up_at: isoOrNull(given_up_at),
        is_refused: sent_at === null && waits_for === 'mailbox',
      }));
    });
  }

  supportMessages(caller: Caller, userId: number): Promise<UserSupportMessage[]> {
    return this.db.tx('users.support-messages', async (tx) => {
      await findAccount(tx, userId);
      const rows = await tx
        .repository(SupportMessage)
        .find({ where: { user_id: userId }, order: { id: 'desc' }, take: LISTED_MAX });
      if (rows.length > 0 && caller.userId !== userId)
        await auditLog.recordRead(tx, {
          actor: caller.userId,
          action: 'conversation.read',
          subject: subjectOf(userId),
          facts: {},
          at: await this.clock.now(tx),
        });
      return rows.map(({ id, kind, subject, message, created_at }) => ({
        id,
        kind,
        subject,
        message,
        created_at: iso(created_at),
      }));
    });
  }

  /** Returns the actions on the account and on its deployments, by any user. */
  history(userId: number): Promise<UserHistory[]> {
    return this.db.tx('users.history', async (tx) => {
      await findAccount(tx, userId);
      const rows = await tx.query<HistoryRow>(HISTORY, [userId, LISTED_MAX]);
      return rows.map(historyAnswer);
    });
  }
}

const subjectOf = (userId: number): string => `user:${userId}`;

async function findAccount(
  tx: Tx,
  userId: number,
  lock: '' | 'for no key update' = '',
): Promise<Pick<User, 'username' | 'email'>> {
  const row = await usersRepository.find(tx, userId, ['username', 'email'], { state: 'present', lock });
  if (row === null) throw NO_ACCOUNT;
  return row;
}

const TITLES = new Map<string, Message>(Object.entries(MAIL_TITLES satisfies Readonly<Record<MailName, Message>>));

/**
 * Returns the title of an email. If an older version sent it and its template no longer exists, the title is the
 * template's name.
 */
function titleOf(template: string): Message {
  return TITLES.get(template) ?? asStored(template);
}

interface HistoryRow extends Pick<AuditRecord, 'id' | 'action' | 'at' | 'via' | 'reason'> {
  readonly facts: HistoryFacts;
  readonly deployment_id: number | null;
  readonly actor_id: number | null;
  readonly actor_username: string | null;
  readonly ip_address: string | null;
}

const HISTORY = `
with records as materialized (
  select * from audit_records where account_id = $1 order by id desc limit $2
)
select r.id, r.action, r.at, r.facts, r.via, r.reason, u.id as actor_id, u.username as actor_username,
  host(o.ip_address) as ip_address, substring(r.subject from '^deployment:([0-9]+)$')::int as deployment_id
from records r left join users u on u.id = r.actor_user_id left join audit_origins o on o.record_id = r.id
order by r.id desc`;

function historyAnswer(row: HistoryRow): UserHistory {
  const { id, action, at, facts, via, reason, ip_address, deployment_id, actor_id, actor_username } = row;
  return {
    id: Number(id),
    at: iso(at),
    what: historyMessage(action, facts),
    by: actor_id === null || actor_username === null ? null : { id: actor_id, username: actor_username },
    via,
    reason,
    ip_address,
    deployment_id,
  };
}
