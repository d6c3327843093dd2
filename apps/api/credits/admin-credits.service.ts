import type {
  AdminCreditAnswer,
  AdminCreditList,
  AdminCreditPage,
  AdminCreditSort,
  ReferralCluster,
  ReferralReviews,
} from '@moorage/contracts';
import { auditLog, type Credit } from '@moorage/database';
import {
  CONSTANTS,
  type CreditView,
  DomainError,
  HOUR_MS,
  type Instant,
  iso,
  Money,
  ORDER_MESSAGES,
} from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Clock, Db, type SqlValue, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { creditAnswer } from './credit-answer';
import { numberedPage } from '../http/numbered-page';
import { TopUpSwitch } from '../top-up-switch/top-up-switch.service';
import { refuseOwnMoney } from '../wallet/own-money';

interface UserNamesRow extends Pick<Credit, 'id' | 'user_id' | 'ip_address'> {
  readonly user_username: string;
  readonly user_email: string;
  readonly referral_user_username: string | null;
  readonly referral_user_email: string | null;
}

const FROM = 'from credits c join users u on u.id = c.user_id left join users p on p.id = c.referral_user_id';
const PEOPLE = `
select c.id, u.id as user_id, u.username as user_username, u.email as user_email, host(c.ip_address) as ip_address,
  p.username as referral_user_username, p.email as referral_user_email ${FROM}`;

const SORTS: Readonly<Record<AdminCreditSort, string>> = {
  created_at: 'c.granted_at',
  user_email: 'lower(u.email)',
  amount: 'c.amount_micros',
  ip_address: 'c.ip_address',
};

const DOMAIN = `split_part(lower(u.email), '@', 2)`;

const CLUSTER_KEYS: Readonly<Record<'network' | 'mail_domain', string>> = {
  network: `network(set_masklen(u.signup_ip, case family(u.signup_ip) when 4 then 24 else 56 end))::text`,
  mail_domain: DOMAIN,
};
const CLUSTERS_MAX = 50;

/**
 * Accounts that signed up with a referral code or received free credits, with the amounts granted to them and to their
 * referrers.
 */
const clustersBy = (key: string): string => `
select key, count(*)::int as accounts, count(*) filter (where state = 'waiting')::int as waiting,
  sum(granted)::text as granted_micros, max(at) as newest_at
from (
  select ${key} as key, p.state, coalesce(p.verified_at, u.created_at) as at,
    (select coalesce(sum(c.amount_micros), 0) from credits c where c.user_id = u.id and c.credit_type <> 'referrer')
      + (select coalesce(sum(c.amount_micros), 0) from credits c
          where c.referral_user_id = u.id and c.credit_type = 'referrer') as granted
  from users u left join referral_pairs p on p.referred_user_id = u.id
  where u.erased_at is null
    and (p.id is not null or exists (select 1 from credits c where c.user_id = u.id and c.credit_type = 'signup'))
) came
where key is not null group by key having count(*) > 1 order by accounts desc, key limit ${CLUSTERS_MAX}`;

/** Credits of all accounts, for administrators who look for abuse. */
@Injectable()
export class AdminCredits {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly ledger: Ledger,
    private readonly topUpSwitch: TopUpSwitch,
  ) {}

  page(list: AdminCreditList): Promise<AdminCreditPage> {
    const { page, per_page, sort_by, sort_order, network, mail_domain } = list;
    return this.db.tx('credits.list', async (tx) => {
      const params: SqlValue[] = [];
      const param = (value: SqlValue): string => `$${params.push(value)}`;
      const conditions = ['true'];
      if (network !== undefined) {
        const place = param(network);
        conditions.push(`(c.ip_address <<= ${place}::inet or u.signup_ip <<= ${place}::inet)`);
      }
      if (mail_domain !== undefined) conditions.push(`${DOMAIN} = ${param(mail_domain.toLowerCase())}`);
      const where = conditions.join(' and ');
      const [counted] = await tx.query<{ total: number }>(
        `select count(*)::int as total ${FROM} where ${where}`,
        params,
      );
      const rows = await tx.query<UserNamesRow>(
        `${PEOPLE} where ${where} order by ${SORTS[sort_by]} ${sort_order} nulls last, c.id ${sort_order}
         limit ${param(per_page)} offset ${param((page - 1) * per_page)}`,
        params,
      );
      const credits = await this.answers(tx, rows);
      return { credits, ...numberedPage({ page, perPage: per_page, total: counted?.total ?? 0 }) };
    });
  }

  /** Sets the amount of a credit. Does nothing if the credit already has this amount. */
  adjust(caller: Caller, creditId: number, units: number): Promise<AdminCreditAnswer> {
    return this.db.tx('credits.adjust', async (tx) => {
      const userId = await ownerOf(tx, creditId);
      refuseOwnMoney(caller, userId);
      await this.ledger.lock(tx, userId);
      const at = await this.clock.now(tx);
      const [before] = await this.ledger.credits(tx, { userId, at, ids: [creditId] });
      if (before === undefined) throw new Error('the credit does not exist');
      const amount = Money.of(units);
      await this.ledger.adjustCredit(tx, { creditId, amount, actorUserId: caller.userId, at });
      if (amount.isLessThan(before.amount)) await this.topUpSwitch.off(tx, { userId, reason: 'adjustment', at });
      if (!before.amount.equals(amount)) await recordAdjusted(tx, { caller, userId, before, amount, at });
      const [answer] = await this.answers(tx, await tx.query<UserNamesRow>(`${PEOPLE} where c.id = $1`, [creditId]));
      if (answer === undefined) throw new Error('the adjusted credit does not exist');
      return answer;
    });
  }

  /** Returns clusters of more than one account, the largest first. */
  clusters(by: 'network' | 'mail_domain'): Promise<ReferralCluster[]> {
    return this.db.tx('credits.clusters', async (tx) => {
      const rows = await tx.query<ClusterRow>(clustersBy(CLUSTER_KEYS[by]));
      return rows.map(({ granted_micros, newest_at, ...cluster }) => ({
        ...cluster,
        granted_amount: Money.fromMicrosText(granted_micros).toWire(),
        newest_at: iso(newest_at),
      }));
    });
  }

  waiting(): Promise<ReferralReviews> {
    return this.db.tx('credits.waiting', async (tx) => {
      const at = await this.clock.now(tx);
      const [row] = await tx.query<ReferralReviews>(
        `select (select count(*)::int from referral_pairs where state = 'waiting') as referrals,
           count(*)::int as requests, count(*) filter (where created_at < $1)::int as overdue_requests
         from credit_requests where state = 'waiting'`,
        [iso(at - CONSTANTS.freeCreditsReviewHours * HOUR_MS)],
      );
      if (row === undefined) throw new Error('the aggregate returned no row');
      return row;
    });
  }

  private async answers(tx: Tx, rows: readonly UserNamesRow[]): Promise<AdminCreditAnswer[]> {
    const ids = rows.map(({ id }) => id);
    const views = await this.ledger.credits(tx, { userId: null, at: await this.clock.now(tx), ids });
    const byId = new Map(views.map((view) => [view.id, view]));
    return rows.flatMap(({ id, ...names }) => {
      const view = byId.get(id);
      return view === undefined ? [] : { ...creditAnswer(view), ...names };
    });
  }
}

interface ClusterRow {
  readonly key: string;
  readonly accounts: number;
  readonly waiting: number;
  readonly granted_micros: string;
  readonly newest_at: number;
}

async function ownerOf(tx: Tx, creditId: number): Promise<number> {
  const [owner] = await tx.query<Pick<Credit, 'user_id'>>('select user_id from credits where id = $1', [creditId]);
  if (owner === undefined) throw new DomainError('NOT_FOUND', ORDER_MESSAGES.credit_unknown);
  return owner.user_id;
}

async function recordAdjusted(
  tx: Tx,
  {
    caller,
    userId,
    before,
    amount,
    at,
  }: { caller: Caller; userId: number; before: CreditView; amount: Money; at: Instant },
): Promise<void> {
  await auditLog.record(tx, {
    actor: caller.userId,
    action: 'credit.adjusted',
    subject: `user:${userId}`,
    facts: {
      credit_id: before.id,
      before_micros: before.amount.micros.toString(),
      amount_micros: amount.micros.toString(),
    },
    at,
  });
}
