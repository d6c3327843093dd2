import type { AdminUserAnswer, AdminUserDetailsAnswer, AdminUserList, UserSort } from '@moorage/contracts';
import { ACTIVE_DEPLOYMENT, CONSTANTS, type Instant, iso, Money, SHAPE_WORDS } from '@moorage/domain';
import type { SqlValue, Tx } from '@moorage/server';
import type { ApiDeps } from '../feature';
import { type Counted, countRows } from '../http/count';
import { FieldsInvalid } from '../http/field-problems';
import { balanceAnswer, NO_ACCOUNT } from '../wallet/wallet';

/** What administrators see of accounts. Erased ones are gone for good. */
export interface AdminUsers {
  list(ask: AdminUserList): Promise<Counted & { readonly rows: AdminUserAnswer[] }>;
  get(id: number): Promise<AdminUserDetailsAnswer>;
}

interface Row {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly is_admin: boolean;
  readonly is_verified: boolean;
  readonly created_at: Instant;
  readonly deactivated_at: Instant | null;
  readonly regular_micros: string;
  readonly credits_micros: string;
  readonly active_deployments: number;
  readonly low_balance_days: 1 | 3 | 7 | null;
}

const SORTS: Readonly<Record<UserSort, string>> = {
  id: 'u.id',
  username: 'lower(u.username)',
  email: 'lower(u.email)',
  created_at: 'u.created_at',
  balance: 'w.regular_micros',
};

const ACTIVE = ACTIVE_DEPLOYMENT.map((status) => `'${status}'`).join(', ');

/** `at`: the parameter that holds now. */
const columns = (
  at: string,
): string => `u.id, u.username, u.email, u.is_admin, u.is_verified, u.created_at, u.deactivated_at,
  w.regular_micros::text as regular_micros, w.low_warned_days as low_balance_days,
  (select coalesce(sum(c.remaining_micros), 0)::text from credits c
    where c.user_id = u.id and c.expired_at is null and c.expires_at > ${at}::timestamptz) as credits_micros,
  (select count(*)::int from deployments d where d.user_id = u.id and d.status in (${ACTIVE})) as active_deployments`;

const TABLES = 'users u join wallets w on w.user_id = u.id';

export function createAdminUsers({ db, clock, ledger }: ApiDeps): AdminUsers {
  return {
    list: (ask) =>
      db.tx('users.list', async (tx) => {
        const { page, per_page: perPage, sort_by, sort_order } = ask;
        if (page * perPage > CONSTANTS.pagedRowsMax) {
          throw new FieldsInvalid([{ path: 'page', message: SHAPE_WORDS.pages_end_search }]);
        }
        const params: SqlValue[] = [];
        const param = (value: SqlValue): string => `$${params.push(value)}`;
        const where = conditionsOf(ask, param).join(' and ');
        const counted = await countRows(tx, `${TABLES} where ${where}`, params);
        const at = param(iso(await clock.now(tx)));
        const rows = await tx.query<Row>(
          `select ${columns(at)} from ${TABLES} where ${where}
           order by ${SORTS[sort_by]} ${sort_order}, u.id ${sort_order} limit ${perPage} offset ${(page - 1) * perPage}`,
          params,
        );
        return { ...counted, rows: rows.map(userAnswer) };
      }),

    get: (id) =>
      db.tx('users.get', async (tx) => {
        const at = await clock.now(tx);
        const row = await findUser(tx, id, at);
        return { ...userAnswer(row), balances: balanceAnswer(await ledger.balance(tx, { userId: id, at })) };
      }),
  };
}

async function findUser(tx: Tx, id: number, at: Instant): Promise<Row> {
  const [row] = await tx.query<Row>(`select ${columns('$2')} from ${TABLES} where u.id = $1 and u.erased_at is null`, [
    id,
    iso(at),
  ]);
  if (row === undefined) throw NO_ACCOUNT;
  return row;
}

function conditionsOf({ search, show_deactivated }: AdminUserList, param: (value: SqlValue) => string): string[] {
  const conditions = ['u.erased_at is null'];
  if (!show_deactivated) conditions.push('u.deactivated_at is null');
  const text = search?.trim() ?? '';
  if (text === '') return conditions;
  const pattern = param(`%${text.replace(/[\\%_]/g, (letter) => `\\${letter}`)}%`);
  const named = `(u.username || ' ' || u.email) ilike ${pattern}`;
  // an id of nine digits at most fits the column
  conditions.push(/^[1-9]\d{0,8}$/.test(text) ? `(${named} or u.id = ${param(Number(text))})` : named);
  return conditions;
}

function userAnswer(row: Row): AdminUserAnswer {
  const regular = Money.fromMicrosText(row.regular_micros);
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    is_admin: row.is_admin,
    is_verified: row.is_verified,
    balance: regular.toWire(),
    created_at: iso(row.created_at),
    deactivated_at: row.deactivated_at === null ? null : iso(row.deactivated_at),
    total_balance: regular.plus(Money.fromMicrosText(row.credits_micros)).toWire(),
    active_deployments: row.active_deployments,
    low_balance_days: row.low_balance_days,
  };
}
