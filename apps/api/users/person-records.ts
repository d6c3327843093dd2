import {
  type CreditAnswer,
  type Sent,
  toSent,
  type UserHistory,
  type UserMail,
  type UserSession,
  type UserSupportMessage,
} from '@moorage/contracts';
import { auditLog, type AuditRecord, Mail, SupportMessage } from '@moorage/database';
import { asStored, HISTORY_MESSAGES, iso, MAIL_TITLES, type Message, Money, USERS_MESSAGES } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { sessionAnswer, Sessions } from '../auth/sessions';
import type { Caller } from '../http/call-input';
import type { MailName } from '../mail/mail-texts';
import { creditAnswer } from '../credits/credit-answer';
import { NO_ACCOUNT } from '../wallet/wallet.service';

/** Each list ends here: what is older concerns nobody who is being helped today. */
const LISTED_MAX = 100;

/** What administrators read about one person beside the account itself. Erased accounts have no records any more. */
@Injectable()
export class PersonRecords {
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

  /** Personal API tokens stay: their owner made them for scripts and revokes them one by one. */
  async endSessions(caller: Caller, userId: number): Promise<Sent> {
    const name = await this.db.tx('users.end-sessions', async (tx) => {
      // locked as by a login, which would otherwise open a session beside it
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

  /** To the address that the account has now. What a mail said is not read: it may hold a link that lets somebody in. */
  mails(userId: number): Promise<UserMail[]> {
    return this.db.tx('users.mails', async (tx) => {
      const { email: recipient } = await findAccount(tx, userId);
      const rows = await tx.repository(Mail).find({
        select: { id: true, template: true, created_at: true, sent_at: true },
        where: { recipient },
        order: { id: 'desc' },
        take: LISTED_MAX,
      });
      return rows.map(({ id, template, created_at, sent_at }) => ({
        id: Number(id),
        template,
        title: titleOf(template),
        created_at: iso(created_at),
        sent_at: sent_at === null ? null : iso(sent_at),
      }));
    });
  }

  supportMessages(userId: number): Promise<UserSupportMessage[]> {
    return this.db.tx('users.support-messages', async (tx) => {
      await findAccount(tx, userId);
      const rows = await tx
        .repository(SupportMessage)
        .find({ where: { user_id: userId }, order: { id: 'desc' }, take: LISTED_MAX });
      return rows.map(({ id, kind, subject, message, created_at }) => ({
        id,
        kind,
        subject,
        message,
        created_at: iso(created_at),
      }));
    });
  }

  /** Acts on the account and on its deployments, by whomever. */
  history(userId: number): Promise<UserHistory[]> {
    return this.db.tx('users.history', async (tx) => {
      await findAccount(tx, userId);
      const rows = await tx.query<HistoryRow>(HISTORY, [userId, subjectOf(userId), LISTED_MAX]);
      return rows.map(historyAnswer);
    });
  }
}

const subjectOf = (userId: number): string => `user:${userId}`;

async function findAccount(
  tx: Tx,
  userId: number,
  lock: '' | 'for no key update' = '',
): Promise<{ username: string; email: string }> {
  const [row] = await tx.query<{ username: string; email: string }>(
    `select username, email from users where id = $1 and erased_at is null ${lock}`,
    [userId],
  );
  if (row === undefined) throw NO_ACCOUNT;
  return row;
}

const TITLES = new Map<string, Message>(Object.entries(MAIL_TITLES satisfies Readonly<Record<MailName, Message>>));

/** Of a mail of an older version, whose template is gone, only its name is left. */
function titleOf(template: string): Message {
  return TITLES.get(template) ?? asStored(template);
}

const ACTIONS = new Map(Object.entries(HISTORY_MESSAGES));

interface HistoryRow extends Pick<AuditRecord, 'id' | 'action' | 'at'> {
  /** As far as they are said; each action has its own. */
  readonly facts: {
    readonly reason?: string;
    readonly count?: number;
    readonly amount_micros?: string;
    readonly before_micros?: string;
  };
  readonly deployment_id: number | null;
  readonly actor_id: number | null;
  readonly actor_username: string | null;
}

// materialized: the records of one person by their index, then the newest; not the newest of all until enough are theirs
const HISTORY = `
with records as materialized (
  select * from audit_records
  where subject = any (array(select 'deployment:' || d.id from deployments d where d.user_id = $1) || $2::text)
)
select r.id, r.action, r.at, r.facts, u.id as actor_id, u.username as actor_username,
  substring(r.subject from '^deployment:([0-9]+)$')::int as deployment_id
from records r left join users u on u.id = r.actor_user_id
order by r.id desc limit $3`;

function historyAnswer({ id, action, at, facts, deployment_id, actor_id, actor_username }: HistoryRow): UserHistory {
  return {
    id: Number(id),
    at: iso(at),
    what: whatOf(action, facts),
    by: actor_id === null || actor_username === null ? null : { id: actor_id, username: actor_username },
    deployment_id,
  };
}

function whatOf(
  action: string,
  { reason = '', count = 0, amount_micros = '0', before_micros = '0' }: HistoryRow['facts'],
): Message {
  switch (action) {
    case 'account.viewed':
      return HISTORY_MESSAGES.account_viewed({ reason });
    case 'account.prepared':
      return HISTORY_MESSAGES.account_prepared({ count });
    case 'balance.adjusted':
      return HISTORY_MESSAGES.balance_adjusted({ amount: dollars(amount_micros) });
    case 'credit.adjusted':
      return HISTORY_MESSAGES.credit_adjusted({ before: dollars(before_micros), amount: dollars(amount_micros) });
    case 'payment.refund_requested':
      return HISTORY_MESSAGES.payment_refund_requested({ amount: dollars(amount_micros), reason });
    case 'payment.refund_refused':
      return HISTORY_MESSAGES.payment_refund_refused({ amount: dollars(amount_micros), reason });
    case 'free_credits.rejected':
      return HISTORY_MESSAGES.free_credits_rejected({ reason });
    case 'referral.rejected':
      return HISTORY_MESSAGES.referral_rejected({ reason });
  }
  const said = ACTIONS.get(action.replace('.', '_'));
  // an action of another version, or of the whole installation
  return typeof said === 'object' ? said : asStored(action);
}

/** `$5.00`, `-$2.50` */
function dollars(micros: string): string {
  const amount = Money.fromMicrosText(micros);
  return amount.isNegative ? `-$${amount.negated().toDisplay('price')}` : `$${amount.toDisplay('price')}`;
}
