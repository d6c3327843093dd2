import type { CreditAnswer, NewestFirst, ReferralStats } from '@moorage/contracts';
import { visibleTo } from '@moorage/database';
import { ACCESS_MESSAGES, DomainError, Money } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Clock, Db, type SqlValue } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { creditAnswer } from '../credits/credit-answer';
import { FreeCreditCodes } from '../credits/free-credit-codes.service';
import type { Caller } from '../http/call-input';
import { countRows } from '../http/count';
import { type Listed, listed, pageSql, placeOf, type SortedRow } from '../http/paging';
import { ApiSettings } from '../settings';
import { usersRepository } from '../users-store/users.repository';

const STATS = `
select
  (select count(*)::int from users where referred_by_user_id = $1) as referred_count,
  (select count(*)::int from users where referred_by_user_id = $1 and is_verified) as verified_count,
  (select coalesce(sum(amount_micros), 0)::text from credits where user_id = $1 and credit_type = 'referrer') as earned_micros,
  (select count(*)::int from referral_pairs where state = 'waiting' and $1 in (referred_user_id, referrer_user_id)) as waiting_count`;

@Injectable()
export class ReferralsService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly ledger: Ledger,
    private readonly settings: ApiSettings,
    private readonly freeCreditCodes: FreeCreditCodes,
  ) {}

  /** Throws NOT_FOUND for an unknown code, with the same message as at sign-up. */
  validate(code: string): Promise<{ referrer_username: string; is_free_credits: boolean }> {
    return this.db.tx('referrals.validate', async (tx) => {
      const referrer = await usersRepository.findByReferralCode(tx, code, ['username'], { state: 'active' });
      if (referrer !== null) return { referrer_username: referrer.username, is_free_credits: false };
      const free = await this.freeCreditCodes.find(tx, { code, at: await this.clock.now(tx), lock: false });
      if (free === null) throw new DomainError('NOT_FOUND', ACCESS_MESSAGES.referral_unknown);
      if (free.refusal !== null) throw new DomainError('NOT_FOUND', free.refusal);
      return { referrer_username: this.settings.brand.name, is_free_credits: true };
    });
  }

  myLink(caller: Caller): Promise<{ referral_url: string; referral_code: string }> {
    return this.db.tx('referrals.link', async (tx) => {
      const row = await usersRepository.find(tx, caller.userId, ['referral_code']);
      if (row === null) throw new Error('the account of the caller does not exist');
      const { referral_code } = row;
      return { referral_url: `${this.settings.publicUrl}/signup?ref=${referral_code}`, referral_code };
    });
  }

  stats(caller: Caller): Promise<ReferralStats> {
    return this.db.tx('referrals.stats', async (tx) => {
      const [row] = await tx.query<Omit<ReferralStats, 'earned_amount'> & { readonly earned_micros: string }>(STATS, [
        caller.userId,
      ]);
      if (row === undefined) throw new Error('the aggregate returned no row');
      const { earned_micros, ...counts } = row;
      return { ...counts, earned_amount: Money.fromMicrosText(earned_micros).toWire() };
    });
  }

  credits(caller: Caller, kind: 'referral' | 'signup', list: NewestFirst): Promise<Listed<CreditAnswer>> {
    return this.db.tx('referrals.credits', async (tx) => {
      const place = placeOf(list);
      const own = visibleTo(caller, { column: 'c.user_id', firstParameter: 1, ownOnly: true });
      const params: SqlValue[] = [...own.params];
      const param = (value: SqlValue): string => `$${params.push(value)}`;
      const whose = `${own.sql} and c.credit_type ${kind === 'signup' ? '=' : '<>'} 'signup'`;
      const counted = place.cursor ?? (await countRows(tx, `credits c where ${whose}`, params));
      const { conditions, orderBy, sortValue } = pageSql(list, place, { id: 'c.id', by: null }, param);
      const found = await tx.query<SortedRow>(
        `select c.id, ${sortValue} as sort_value from credits c where ${[whose, ...conditions].join(' and ')}
           order by ${orderBy} limit ${place.perPage + 1} offset ${place.offset}`,
        params,
      );
      const page = listed(found, { paged: list, place, counted });
      const ids = page.rows.map(({ id }) => id);
      const views = await this.ledger.credits(tx, { userId: caller.userId, at: await this.clock.now(tx), ids });
      const byId = new Map(views.map((view) => [view.id, view]));
      return { ...page, rows: ids.flatMap((id) => byId.get(id) ?? []).map(creditAnswer) };
    });
  }
}
