import type { AdminCreditRequestAnswer, AdminCreditRequestPage } from '@moorage/contracts';
import type { CreditRequest } from '@moorage/database';
import { CONSTANTS, CREDITS_MESSAGES, DomainError, HOUR_MS, type Instant, iso } from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { numberedPage } from '../http/numbered-page';
import { Mailboxes } from './mailboxes.repository';

type State = CreditRequest['state'];

interface Row extends Pick<
  CreditRequest,
  | 'id'
  | 'state'
  | 'email'
  | 'email_normalised'
  | 'reason'
  | 'ip_address'
  | 'created_at'
  | 'code_expires_at'
  | 'credited_at'
  | 'decided_at'
  | 'rejection'
> {
  readonly account_id: number | null;
  readonly account_username: string;
  readonly account_email: string;
  readonly account_verified: boolean;
  readonly account_deactivated: boolean;
  readonly decider_id: number | null;
  readonly decider_username: string | null;
}

const SELECT = `
select r.id, r.state, r.email, r.email_normalised, r.reason, host(r.ip_address) as ip_address, r.created_at, r.code_expires_at, r.credited_at,
  r.decided_at, r.rejection, a.id as account_id, a.username as account_username, a.email as account_email,
  a.is_verified as account_verified, a.deactivated_at is not null as account_deactivated,
  d.id as decider_id, d.username as decider_username
from credit_requests r
  left join users a on lower(a.email) = lower(r.email)
  left join users d on d.id = r.decided_by_user_id`;

/** Requests for free credits for administrators. */
@Injectable()
export class CreditRequestList {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly mailboxes: Mailboxes,
  ) {}

  /** Returns a page. Pending requests are sorted in the order in which they should be decided. */
  page({ state, page }: { state: State; page: number }): Promise<AdminCreditRequestPage> {
    return this.db.tx('credits.requests', async (tx) => {
      const perPage = CONSTANTS.adminCreditsPerPage;
      const at = await this.clock.now(tx);
      const [counted] = await tx.query<{ total: number }>(
        'select count(*)::int as total from credit_requests where state = $1',
        [state],
      );
      const rows = await tx.query<Row>(
        `${SELECT} where r.state = $1 order by r.id ${state === 'waiting' ? 'asc' : 'desc'} limit $2 offset $3`,
        [state, perPage, (page - 1) * perPage],
      );
      return {
        requests: await this.answers(tx, rows, at),
        ...numberedPage({ page, perPage, total: counted?.total ?? 0 }),
      };
    });
  }

  /** Returns a request after a decision. */
  async read(tx: Tx, { id, at }: { id: number; at: Instant }): Promise<AdminCreditRequestAnswer> {
    const [answered] = await this.answers(tx, await tx.query<Row>(`${SELECT} where r.id = $1`, [id]), at);
    if (answered === undefined) throw new DomainError('NOT_FOUND', CREDITS_MESSAGES.request_unknown);
    return answered;
  }

  private async answers(tx: Tx, rows: readonly Row[], at: Instant): Promise<AdminCreditRequestAnswer[]> {
    const mailboxes: string[] = [];
    for (const { email_normalised } of rows) mailboxes.push(await this.mailboxes.hash(tx, email_normalised));
    const found = await tx.query<{ id: number }>(HAD_BEFORE, [rows.map(({ id }) => id), mailboxes]);
    const hadBefore = new Set(found.map(({ id }) => id));
    return rows.map((row) => answer(row, { hadBefore: hadBefore.has(row.id), at }));
  }
}

/**
 * Requests for which the account or mailbox received another free credit, whichever account the mailbox belonged to
 * then.
 */
const HAD_BEFORE = `
with asked as (
  select r.id, r.email, r.email_normalised, r.credit_id, given.mailbox
  from unnest($1::int[], $2::text[]) as given (id, mailbox) join credit_requests r on r.id = given.id
), accounts as (
  select a.id, a.credit_id, u.id as user_id from asked a join users u on lower(u.email) = lower(a.email)
  union select a.id, a.credit_id, u.id from asked a join users u on u.email_normalised = a.email_normalised
  union select a.id, a.credit_id, m.user_id from asked a
    join account_mailboxes m on m.mailbox = a.mailbox and m.what = 'free_credits'
)
select distinct a.id from accounts a
join credits c on c.user_id = a.user_id and c.credit_type = 'signup' and c.id is distinct from a.credit_id`;

function answer(row: Row, { hadBefore, at }: { hadBefore: boolean; at: Instant }): AdminCreditRequestAnswer {
  const due = row.created_at + CONSTANTS.freeCreditsReviewHours * HOUR_MS;
  return {
    id: row.id,
    state: row.state,
    email: row.email,
    reason: row.reason,
    ip_address: row.ip_address,
    created_at: iso(row.created_at),
    due_at: iso(due),
    is_overdue: row.state === 'waiting' && due < at,
    account:
      row.account_id === null
        ? null
        : {
            id: row.account_id,
            username: row.account_username,
            email: row.account_email,
            is_verified: row.account_verified,
            is_deactivated: row.account_deactivated,
          },
    had_before: hadBefore,
    code_expires_at: orNull(row.code_expires_at),
    credited_at: orNull(row.credited_at),
    decided_at: orNull(row.decided_at),
    decided_by:
      row.decider_id === null || row.decider_username === null
        ? null
        : { id: row.decider_id, username: row.decider_username },
    rejection: row.rejection,
  };
}

const orNull = (at: number | null): string | null => (at === null ? null : iso(at));
