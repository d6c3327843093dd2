import type { Credit } from '@moorage/database';
import {
  type Actor,
  type BalanceInfo,
  balanceInfo,
  type CreditView,
  DomainError,
  type Instant,
  iso,
  Money,
  ORDER_MESSAGES,
  postAdjustment,
  postCreditAdjustment,
  postGrant,
  PRICE_LIST,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { loadAccount } from './account-store';
import { creditView } from './credits';
import type { Postings } from './postings';
import { saveFirstPayment } from './save-account';
import type { BalanceAdjustment, CreditAdjustment, CreditGrant } from './types';

/** Changes balances and credits at the request of the product or an administrator. */
export class Adjustments {
  constructor(
    private readonly postings: Postings,
    private readonly actor: Actor,
  ) {}

  async adjust(
    tx: Tx,
    { userId, amount, description, actorUserId, at, cause }: BalanceAdjustment,
  ): Promise<BalanceInfo> {
    const loaded = await loadAccount(tx, userId);
    const posting = postAdjustment(loaded.account, { amount, at, description });
    if (amount.isPositive) await saveFirstPayment(tx, loaded, at);
    return balanceInfo(await this.postings.post(tx, loaded, posting, { at, actorUserId, cause }), at);
  }

  async grantCredit(
    tx: Tx,
    {
      userId,
      creditType,
      at,
      amount = PRICE_LIST.creditAmount,
      ipAddress,
      referralUserId,
      actorUserId,
      cause,
    }: CreditGrant,
  ): Promise<number> {
    const loaded = await loadAccount(tx, userId);
    const expiresAt = at + PRICE_LIST.creditLifeMs;
    const [row] = await tx.query<Pick<Credit, 'id'>>(
      `insert into credits (user_id, credit_type, amount_micros, remaining_micros, granted_at, expires_at, ip_address, referral_user_id)
       values ($1, $2, $3, $3, $4, $5, $6, $7) returning id`,
      [userId, creditType, amount.micros, iso(at), iso(expiresAt), ipAddress ?? null, referralUserId ?? null],
    );
    if (row === undefined) throw new Error('a credit was not inserted');
    await this.recordTerms(tx, row.id, { reason: 'granted', actorUserId, at });
    const credit = {
      id: row.id,
      creditType,
      amount,
      remaining: amount,
      lapsed: Money.ZERO,
      expiresAt,
      expired: false,
    };
    await this.postings.post(tx, loaded, postGrant(loaded.account, { credit, at }), { at, actorUserId, cause });
    return row.id;
  }

  async adjustCredit(tx: Tx, { creditId, amount, actorUserId, at, cause }: CreditAdjustment): Promise<CreditView> {
    const [owner] = await tx.query<Pick<Credit, 'user_id'>>('select user_id from credits where id = $1', [creditId]);
    if (owner === undefined) throw new DomainError('NOT_FOUND', ORDER_MESSAGES.credit_unknown);
    const loaded = await loadAccount(tx, owner.user_id);
    const posting = postCreditAdjustment(loaded.account, { creditId, amount, at });
    if (posting.entries.length > 0)
      await this.recordTerms(tx, creditId, { amount, reason: 'adjusted', actorUserId, at });
    await this.postings.post(tx, loaded, posting, { at, actorUserId, cause });
    return creditView(tx, { creditId, at });
  }

  /** Records the terms of a granted or adjusted credit with actor and reason, because they affect money. */
  private async recordTerms(
    tx: Tx,
    creditId: number,
    terms: { amount?: Money; reason: string; actorUserId?: number | null | undefined; at: Instant },
  ): Promise<void> {
    await tx.execute(
      `insert into credit_terms (credit_id, user_id, credit_type, amount_micros, expires_at, actor, actor_user_id, reason, written_at)
       select id, user_id, credit_type, coalesce($2, amount_micros), expires_at, $3, $4, $5, $6 from credits where id = $1`,
      [creditId, terms.amount?.micros ?? null, this.actor, terms.actorUserId ?? null, terms.reason, iso(terms.at)],
    );
  }
}
