import type { AdminUserAnswer, AdminUserDetailsAnswer, AdminUserList, UserSort } from '@moorage/contracts';
import { ACTIVE_DEPLOYMENT, asciiEmail, type Instant, iso, Money } from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Clock, Db, type SqlValue, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { countRows } from '../http/count';
import { type Listed, listed, pageSql, placeOf, type SortColumn, type SortedRow } from '../http/paging';
import { NO_ACCOUNT, USER_COLUMNS, userAnswer, type UserRow } from '../users-store/accounts';
import { balanceAnswer } from '../wallet/wallet.service';

interface Row extends UserRow {
  readonly deactivated_at: Instant | null;
  readonly credits_micros: string;
  readonly active_deployments: number;
  readonly low_balance_days: 1 | 3 | 7 | null;
}

/** created_at is sorted by id, which rises with it. */
const SORTS: Readonly<Record<UserSort, SortColumn>> = {
  id: null,
  username: { sql: 'folded(u.username)', type: 'text' },
  email: { sql: 'lower(u.email)', type: 'text' },
  created_at: null,
  balance: { sql: 'w.regular_micros', type: 'bigint' },
};

const ACTIVE = ACTIVE_DEPLOYMENT.map((status) => `'${status}'`).join(', ');

/** `at` is the parameter with the current time. */
const columns = (at: string): string => `${USER_COLUMNS}, u.deactivated_at, w.low_warned_days as low_balance_days,
  (select coalesce(sum(c.remaining_micros), 0)::text from credits c
    where c.user_id = u.id and c.expired_at is null and c.expires_at > ${at}::timestamptz) as credits_micros,
  (select count(*)::int from deployments d where d.user_id = u.id and d.status in (${ACTIVE})) as active_deployments`;

const TABLES = 'users u join wallets w on w.user_id = u.id';

/** Accounts as administrators see them. Erased accounts are not included. */
@Injectable()
export class AdminUsersService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly ledger: Ledger,
  ) {}

  list(paged: AdminUserList): Promise<Listed<AdminUserAnswer>> {
    return this.db.read('users.list', async (reads) => {
      const place = placeOf(paged);
      const params: SqlValue[] = [];
      const param = (value: SqlValue): string => `$${params.push(value)}`;
      const conditions = conditionsOf(paged, param);
      const counted = place.cursor ?? (await countRows(reads, `${TABLES} where ${conditions.join(' and ')}`, params));
      const {
        conditions: beyond,
        orderBy,
        sortValue,
      } = pageSql(paged, place, { id: 'u.id', by: SORTS[paged.sort_by] }, param);
      const at = param(iso(await this.clock.now(reads)));
      const found = await reads.query<Row & SortedRow>(
        `select ${columns(at)}, ${sortValue} as sort_value from ${TABLES} where ${[...conditions, ...beyond].join(' and ')}
           order by ${orderBy} limit ${place.perPage + 1} offset ${place.offset}`,
        params,
      );
      const page = listed(found, { paged, place, counted });
      return { ...page, rows: page.rows.map(adminAnswer) };
    });
  }

  get(id: number): Promise<AdminUserDetailsAnswer> {
    return this.db.tx('users.get', async (tx) => {
      const at = await this.clock.now(tx);
      const row = await findUser(tx, { id, at });
      return {
        ...adminAnswer(row),
        balances: balanceAnswer(await this.ledger.balance(tx, { userId: id, at })),
        payments: await paymentsOf(tx, id),
      };
    });
  }
}

const PAYMENTS = `
select count(*)::int as count, coalesce(sum(c.amount_cents), 0)::float8 as cents,
  coalesce(sum((select sum(case when m.kind in ('refund', 'dispute') then m.amount_micros else - m.amount_micros end)
    from payment_movements m where m.payment_intent = c.payment_intent)), 0)::text as taken_back_micros
from checkout_sessions c where c.user_id = $1 and c.status = 'paid'`;

async function paymentsOf(tx: Tx, userId: number): Promise<AdminUserDetailsAnswer['payments']> {
  const [row] = await tx.query<{ count: number; cents: number; taken_back_micros: string }>(PAYMENTS, [userId]);
  return {
    count: row?.count ?? 0,
    paid: Money.ofCents(row?.cents ?? 0).toWire(),
    taken_back: Money.fromMicrosText(row?.taken_back_micros ?? '0').toWire(),
  };
}

/** Returns an account as `list` shows it. */
export async function readAdminUser(tx: Tx, account: { id: number; at: Instant }): Promise<AdminUserAnswer> {
  return adminAnswer(await findUser(tx, account));
}

async function findUser(tx: Tx, { id, at }: { id: number; at: Instant }): Promise<Row> {
  const [row] = await tx.query<Row>(`select ${columns('$2')} from ${TABLES} where u.id = $1 and u.erased_at is null`, [
    id,
    iso(at),
  ]);
  if (row === undefined) throw NO_ACCOUNT;
  return row;
}

function conditionsOf(
  { search, name, show_deactivated, is_admin, is_verified, low_balance }: AdminUserList,
  param: (value: SqlValue) => string,
): string[] {
  const conditions = ['u.erased_at is null'];
  if (!show_deactivated) conditions.push('u.deactivated_at is null');
  // Same form as the partial indexes.
  if (is_admin !== undefined) conditions.push(is_admin ? 'u.is_admin' : 'not u.is_admin');
  if (is_verified !== undefined) conditions.push(is_verified ? 'u.is_verified' : 'not u.is_verified');
  if (low_balance !== undefined) conditions.push('w.low_warned_days is not null');
  if (name !== undefined) {
    const wanted = param(name);
    const address = param(asciiEmail(name));
    conditions.push(`(folded(u.username) = folded(${wanted}) or lower(u.email) = lower(${address}))`);
  }
  const text = asciiEmail(search ?? '');
  if (text === '') return conditions;
  const pattern = param(`%${text.replace(/[\\%_]/g, (letter) => `\\${letter}`)}%`);
  const named = `folded(u.username || ' ' || u.email) like folded(${pattern})`;
  // An id of up to nine digits fits the column.
  conditions.push(/^[1-9]\d{0,8}$/.test(text) ? `(${named} or u.id = ${param(Number(text))})` : named);
  return conditions;
}

function adminAnswer(row: Row): AdminUserAnswer {
  const regular = Money.fromMicrosText(row.regular_micros);
  return {
    ...userAnswer(row),
    deactivated_at: row.deactivated_at === null ? null : iso(row.deactivated_at),
    total_balance: regular.plus(Money.fromMicrosText(row.credits_micros)).toWire(),
    active_deployments: row.active_deployments,
    low_balance_days: row.low_balance_days,
  };
}
