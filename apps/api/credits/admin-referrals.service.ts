import type { AdminReferralAnswer, AdminReferralPage } from '@moorage/contracts';
import { auditLog, ReferralPair, type User } from '@moorage/database';
import {
  CONSTANTS,
  CREDITS_MESSAGES,
  DomainError,
  doubtMessage,
  type Instant,
  iso,
  type Message,
} from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { Mails } from '../mail/mails.service';
import { numberedPage } from '../http/numbered-page';
import { ReferralCredits } from './referral-credits.service';
import { refuseOwnMoney } from '../wallet/own-money';

interface Row extends Omit<ReferralPair, 'referred_user_id' | 'referrer_user_id' | 'decided_by_user_id'> {
  readonly ip_address: string | null;
  readonly referred_id: number;
  readonly referred_username: string;
  readonly referred_email: string;
  readonly referred_deactivated: boolean;
  readonly referrer_id: number;
  readonly referrer_username: string;
  readonly referrer_email: string;
  readonly referrer_deactivated: boolean;
  readonly decider_id: number | null;
  readonly decider_username: string | null;
}

const SELECT = `
select p.id, p.network::text, p.state, p.doubts, p.verified_at, p.granted_at, p.decided_at, p.rejection,
  host(u.signup_ip) as ip_address,
  u.id as referred_id, u.username as referred_username, u.email as referred_email,
  u.deactivated_at is not null as referred_deactivated,
  r.id as referrer_id, r.username as referrer_username, r.email as referrer_email,
  r.deactivated_at is not null as referrer_deactivated,
  d.id as decider_id, d.username as decider_username
from referral_pairs p
  join users u on u.id = p.referred_user_id
  join users r on r.id = p.referrer_user_id
  left join users d on d.id = p.decided_by_user_id`;

/** Referrals for administrators, who decide once on each that is waiting for a review (decisions 12). */
@Injectable()
export class AdminReferrals {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly ledger: Ledger,
    private readonly mails: Mails,
    private readonly credits: ReferralCredits,
  ) {}

  page({ state, page }: { state: ReferralPair['state']; page: number }): Promise<AdminReferralPage> {
    return this.db.tx('referrals.list', async (tx) => {
      const perPage = CONSTANTS.adminCreditsPerPage;
      const total = await tx.repository(ReferralPair).countBy({ state });
      const rows = await tx.query<Row>(
        `${SELECT} where p.state = $1 order by p.id ${state === 'waiting' ? 'asc' : 'desc'} limit $2 offset $3`,
        [state, perPage, (page - 1) * perPage],
      );
      return { referrals: rows.map(answer), ...numberedPage({ page, perPage, total }) };
    });
  }

  /** Grants a credit to each of the two users who is active, and notifies them. */
  approve(caller: Caller, id: number): Promise<AdminReferralAnswer> {
    return this.db.tx('referrals.approve', async (tx) => {
      const { referred_id, referrer_id } = await read(tx, id);
      for (const wallet of [referred_id, referrer_id].sort((a, b) => a - b)) await this.ledger.lock(tx, wallet);
      const pair = await lockWaiting(tx, id);
      for (const wallet of [referred_id, referrer_id]) refuseOwnMoney(caller, wallet);
      if (pair.referred_deactivated) throw conflict(CREDITS_MESSAGES.pair_deactivated);
      const at = await this.clock.now(tx);
      await this.credits.pay(
        tx,
        {
          userId: referred_id,
          signupIp: pair.ip_address,
          referrer: { id: referrer_id, isActive: !pair.referrer_deactivated },
        },
        { at, actorUserId: caller.userId },
      );
      await tx
        .repository(ReferralPair)
        .update({ id }, { state: 'granted', granted_at: at, decided_at: at, decided_by_user_id: caller.userId });
      await record(tx, { caller, pair, action: 'referral.approved', facts: { referral_id: id }, at });
      await this.notify(tx, pair);
      return answer(await read(tx, id));
    });
  }

  reject(caller: Caller, id: number, reason: string): Promise<AdminReferralAnswer> {
    return this.db.tx('referrals.reject', async (tx) => {
      const pair = await lockWaiting(tx, id);
      const at = await this.clock.now(tx);
      await tx
        .repository(ReferralPair)
        .update({ id }, { state: 'rejected', rejection: reason, decided_at: at, decided_by_user_id: caller.userId });
      await record(tx, { caller, pair, action: 'referral.rejected', facts: { referral_id: id, reason }, at });
      return answer(await read(tx, id));
    });
  }

  private async notify(tx: Tx, pair: Row): Promise<void> {
    const rows = await tx.query<CreditedRow>(CREDITED, [pair.referred_id, pair.referrer_id]);
    for (const { user_id, username, email, language, amount_micros, currency, ends_at } of rows)
      await this.mails.post(tx, {
        cause: `referral:${pair.id}:${user_id}`,
        recipient: email,
        language,
        template: 'referral_approved',
        facts: {
          username,
          other: user_id === pair.referred_id ? pair.referrer_username : pair.referred_username,
          amount_micros,
          currency,
          ends_at: iso(ends_at),
        },
      });
  }
}

interface CreditedRow extends Pick<User, 'username' | 'email' | 'language'> {
  readonly user_id: number;
  readonly amount_micros: string;
  readonly currency: string;
  readonly ends_at: Instant;
}

const CREDITED = `
select u.id as user_id, u.username, u.email, u.language, c.amount_micros::text, c.display_currency as currency,
  c.expires_at as ends_at
from credits c join users u on u.id = c.user_id
where (c.user_id = $1 and c.credit_type = 'referred') or (c.referral_user_id = $1 and c.user_id = $2 and c.credit_type = 'referrer')`;

const conflict = (message: Message): DomainError => new DomainError('CREDIT_STATE', message);

async function read(tx: Tx, id: number): Promise<Row> {
  const [row] = await tx.query<Row>(`${SELECT} where p.id = $1`, [id]);
  if (row === undefined) throw new DomainError('NOT_FOUND', CREDITS_MESSAGES.pair_unknown);
  return row;
}

async function lockWaiting(tx: Tx, id: number): Promise<Row> {
  await tx.query('select 1 from referral_pairs where id = $1 for no key update', [id]);
  const pair = await read(tx, id);
  if (pair.state !== 'waiting') throw conflict(CREDITS_MESSAGES.pair_decided);
  return pair;
}

/** Records the decision in the histories of both accounts. */
async function record(
  tx: Tx,
  {
    caller,
    pair,
    ...entry
  }: { caller: Caller; pair: Row; action: 'referral.approved' | 'referral.rejected'; facts: object; at: Instant },
): Promise<void> {
  for (const userId of [pair.referred_id, pair.referrer_id])
    await auditLog.record(tx, { actor: caller.userId, subject: `user:${userId}`, ...entry });
}

function answer(row: Row): AdminReferralAnswer {
  return {
    id: row.id,
    state: row.state,
    referred: {
      id: row.referred_id,
      username: row.referred_username,
      email: row.referred_email,
      is_deactivated: row.referred_deactivated,
    },
    referrer: {
      id: row.referrer_id,
      username: row.referrer_username,
      email: row.referrer_email,
      is_deactivated: row.referrer_deactivated,
    },
    network: row.network,
    ip_address: row.ip_address,
    doubts: row.doubts.map((kind) => ({ kind, text: doubtMessage(kind) })),
    verified_at: iso(row.verified_at),
    granted_at: row.granted_at === null ? null : iso(row.granted_at),
    decided_at: row.decided_at === null ? null : iso(row.decided_at),
    decided_by:
      row.decider_id === null || row.decider_username === null
        ? null
        : { id: row.decider_id, username: row.decider_username },
    rejection: row.rejection,
  };
}
