import type { CreditAnswer, NewestFirst } from '@moorage/contracts';
import { visibleTo } from '@moorage/database';
import { ACCESS_MESSAGES, type CreditView, DomainError, iso, Money } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Clock, Db, type SqlValue } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { countRows } from '../http/count';
import { type Listed, listed, pageSql, placeOf, type SortedRow } from '../http/paging';
import { ApiSettings } from '../settings';

const STATS = `
select
  (select count(*)::int from users where referred_by_user_id = $1) as referred_count,
  (select count(*)::int from users where referred_by_user_id = $1 and is_verified) as verified_count,
  (select coalesce(sum(amount_micros), 0)::text from credits where user_id = $1 and credit_type = 'referrer') as earned_micros`;

@Injectable()
export class ReferralsService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly ledger: Ledger,
    private readonly settings: ApiSettings,
  ) {}

  /** NOT_FOUND for a code that nobody has, with the same message as at signup. */
  validate(code: string): Promise<{ referrer_username: string }> {
    return this.db.tx('referrals.validate', async (tx) => {
      const [referrer] = await tx.query<{ username: string }>(
        'select username from users where referral_code = $1 and deactivated_at is null',
        [code.toUpperCase()],
      );
      if (referrer === undefined) throw new DomainError('NOT_FOUND', ACCESS_MESSAGES.referral_unknown);
      return { referrer_username: referrer.username };
    });
  }

  myLink(caller: Caller): Promise<{ referral_url: string; referral_code: string }> {
    return this.db.tx('referrals.link', async (tx) => {
      const [row] = await tx.query<{ referral_code: string }>('select referral_code from users where id = $1', [
        caller.userId,
      ]);
      if (row === undefined) throw new Error('a caller without an account');
      const { referral_code } = row;
      return { referral_url: `${this.settings.publicUrl}/signup?ref=${referral_code}`, referral_code };
    });
  }

  stats(caller: Caller): Promise<{ referred_count: number; verified_count: number; earned_amount: number }> {
    return this.db.tx('referrals.stats', async (tx) => {
      const [row] = await tx.query<{ referred_count: number; verified_count: number; earned_micros: string }>(STATS, [
        caller.userId,
      ]);
      if (row === undefined) throw new Error('an aggregate without a row');
      const { referred_count, verified_count, earned_micros } = row;
      return { referred_count, verified_count, earned_amount: Money.fromMicrosText(earned_micros).toWire() };
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
      const page = listed(found, { ask: list, place, counted });
      const ids = page.rows.map(({ id }) => id);
      const views = await this.ledger.credits(tx, { userId: caller.userId, at: await this.clock.now(tx), ids });
      const byId = new Map(views.map((view) => [view.id, view]));
      return { ...page, rows: ids.flatMap((id) => byId.get(id) ?? []).map(creditAnswer) };
    });
  }
}

export function creditAnswer(credit: CreditView): CreditAnswer {
  return {
    id: credit.id,
    credit_type: credit.creditType,
    amount: credit.amount.toWire(),
    used_amount: credit.used.toWire(),
    remaining_amount: credit.remaining.toWire(),
    created_at: iso(credit.grantedAt),
    expires_at: iso(credit.expiresAt),
    is_usable: credit.isUsable,
    is_expired: credit.isExpired,
  };
}
