import type { Wallet as StoredWallet } from '@moorage/database';
import {
  ACCESS_MESSAGES,
  type Account,
  type Credit,
  type CreditType,
  type Day,
  DomainError,
  type Instant,
  iso,
  type LowBalanceDays,
  type Metered,
  Money,
  type Rate,
  type Allocation,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';

/** A wallet with everything the rules need. */
export interface LoadedAccount {
  readonly userId: number;
  readonly account: Account;
  readonly firstPaidAt: Instant | null;
  readonly lowWarned: LowBalanceDays | null;
}

type Wallet = Pick<LoadedAccount, 'firstPaidAt' | 'lowWarned'> & Pick<Account, 'regular' | 'owed'>;

/**
 * Locks the account's deployments whose interval is open, has not begun, or is not fully posted, in order of id. The
 * provisioner opens and closes intervals without the wallet's lock, so data read before these locks may be out of date
 * by the time of the decision.
 */
const LOCK_DEPLOYMENTS = `
select d.id from deployments d
where d.id in (select m.deployment_id from meters m where m.user_id = $1 and (not m.reckoned or m.deployment_id = $2))
order by d.id for update`;

/**
 * Takes the wallet's row lock, which every writer of money takes first.
 *
 * @throws DomainError NOT_FOUND when there is no wallet.
 */
export function lockWallet(tx: Tx, userId: number): Promise<Wallet> {
  return readWallet(tx, userId, `${SELECT_WALLET} for update`);
}

const SELECT_WALLET =
  'select regular_micros, owed_micros, first_paid_at, low_warned_days from wallets where user_id = $1';

async function readWallet(tx: Tx, userId: number, sql: string): Promise<Wallet> {
  const [wallet] = await tx.query<WalletRow>(sql, [userId]);
  if (wallet === undefined) throw new DomainError('NOT_FOUND', ACCESS_MESSAGES.account_unknown);
  return {
    regular: Money.fromMicrosText(wallet.regular_micros),
    owed: Money.fromMicrosText(wallet.owed_micros),
    firstPaidAt: wallet.first_paid_at,
    lowWarned: wallet.low_warned_days,
  };
}

/**
 * Loads an account under its locks. The wallet and its deployments are locked first, and only then is the data that
 * they guard read. Allocations by day are read only where a correction is possible, which is from the end of a closed
 * interval. For the deployment in `correcting`, whose level changes or whose interval is reopened, they are read from
 * `correcting.from`. That deployment is loaded even if it is fully posted.
 */
export async function loadAccount(
  tx: Tx,
  userId: number,
  { correcting }: { correcting?: { deploymentId: number; from: Day } } = {},
): Promise<LoadedAccount> {
  const wallet = await lockWallet(tx, userId);
  await tx.query(LOCK_DEPLOYMENTS, [userId, correcting?.deploymentId ?? null]);
  return toLoaded(userId, wallet, await readBuckets(tx, userId, correcting));
}

/** Reads an account without locks, for responses and forecasts that write nothing. */
export async function readAccount(tx: Tx, userId: number): Promise<LoadedAccount> {
  const wallet = await readWallet(tx, userId, SELECT_WALLET);
  return toLoaded(userId, wallet, await readBuckets(tx, userId, undefined));
}

/** Reads the balance and the credits that have not expired, without locks. */
export async function readMoney(tx: Tx, userId: number): Promise<Pick<Account, 'regular' | 'owed' | 'credits'>> {
  const { regular, owed } = await readWallet(tx, userId, SELECT_WALLET);
  const [row] = await tx.query<Pick<BucketsRow, 'credits'>>(`select ${CREDITS} as credits`, [userId]);
  return { regular, owed, credits: (row?.credits ?? []).map(toCredit) };
}

function toLoaded(
  userId: number,
  { firstPaidAt, lowWarned, ...money }: Wallet,
  buckets: Pick<Account, 'credits' | 'deployments'>,
): LoadedAccount {
  return { userId, firstPaidAt, lowWarned, account: { ...money, ...buckets } };
}

type WalletRow = Pick<StoredWallet, 'regular_micros' | 'owed_micros' | 'first_paid_at' | 'low_warned_days'>;

interface BucketsRow {
  readonly credits: readonly CreditJson[];
  readonly deployments: readonly MeteredJson[];
}
interface CreditJson {
  readonly id: number;
  readonly credit_type: CreditType;
  readonly amount: string;
  readonly remaining: string;
  readonly lapsed: string;
  readonly expires_ms: number;
  readonly expired: boolean;
}
interface MeteredJson {
  readonly id: number;
  readonly client_name: string;
  readonly from_ms: number;
  readonly to_ms: number | null;
  readonly charged_through: Day | null;
  readonly reckoned: boolean;
  readonly grace_period_day: Day | null;
  readonly opened_ms: number | null;
  readonly ends_ms: number | null;
  readonly rates: readonly { from_ms: number; hourly: string }[];
}

const CREDIT_JSON = `json_build_object('id', c.id, 'credit_type', c.credit_type, 'amount', c.amount_micros::text,
  'remaining', c.remaining_micros::text, 'lapsed', c.lapsed_micros::text, 'expires_ms', extract(epoch from c.expires_at) * 1000, 'expired', c.expired_at is not null)`;

const CREDITS = `(select coalesce(json_agg(${CREDIT_JSON}), '[]') from credits c where c.user_id = $1 and c.expired_at is null)`;

/** A single statement, so that credits and deployments are read at the same moment. */
const READ_BUCKETS = `
select
  ${CREDITS} as credits,
  (select coalesce(json_agg(json_build_object(
      'id', d.id, 'client_name', d.client_name,
      'from_ms', extract(epoch from d.billable_from) * 1000, 'to_ms', extract(epoch from d.billable_to) * 1000,
      'charged_through', m.charged_through, 'reckoned', m.reckoned, 'grace_period_day', m.grace_period_day,
      'opened_ms', extract(epoch from m.grace_period_started_at) * 1000, 'ends_ms', extract(epoch from m.grace_period_ends_at) * 1000,
      'rates', (select json_agg(json_build_object('from_ms', extract(epoch from r.effective_from) * 1000, 'hourly', r.hourly_micros::text)
                  order by r.effective_from, r.id) from deployment_rates r where r.deployment_id = d.id)
    )), '[]')
    from meters m join deployments d on d.id = m.deployment_id
    where m.user_id = $1 and (not m.reckoned or m.deployment_id = $2) and d.billable_from is not null) as deployments`;

async function readBuckets(
  tx: Tx,
  userId: number,
  correcting: { deploymentId: number; from: Day } | undefined,
): Promise<Pick<Account, 'credits' | 'deployments'>> {
  const [row] = await tx.query<BucketsRow>(READ_BUCKETS, [userId, correcting?.deploymentId ?? null]);
  const buckets = row ?? { credits: [], deployments: [] };
  const wanted = buckets.deployments.flatMap(({ id, to_ms }) => {
    const from = correcting?.deploymentId === id ? correcting.from : to_ms === null ? undefined : dayText(to_ms);
    return from === undefined ? [] : [{ id, from }];
  });
  const { allocations, ended } =
    wanted.length === 0 ? { allocations: new Map<number, never[]>(), ended: [] } : await readAllocations(tx, wanted);
  return {
    credits: [...buckets.credits, ...ended].map(toCredit),
    deployments: buckets.deployments.map((deployment) => toMetered(deployment, allocations.get(deployment.id) ?? [])),
  };
}

const dayText = (at: number): Day => iso(at).slice(0, 10);

function toCredit(row: CreditJson): Credit {
  return {
    id: row.id,
    creditType: row.credit_type,
    amount: Money.fromMicrosText(row.amount),
    remaining: Money.fromMicrosText(row.remaining),
    lapsed: Money.fromMicrosText(row.lapsed),
    expiresAt: row.expires_ms,
    expired: row.expired,
  };
}

function toMetered(row: MeteredJson, allocations: Metered['allocations']): Metered {
  const rates: Rate[] = row.rates.map(({ from_ms, hourly }) => ({
    from: from_ms,
    hourly: Money.fromMicrosText(hourly),
  }));
  return {
    id: row.id,
    clientName: row.client_name,
    billableFrom: row.from_ms,
    billableTo: row.to_ms,
    rates,
    chargedThrough: row.charged_through,
    gracePeriod:
      row.grace_period_day === null || row.opened_ms === null || row.ends_ms === null
        ? null
        : { day: row.grace_period_day, openedAt: row.opened_ms, endsAt: row.ends_ms },
    closedOut: row.reckoned,
    allocations,
  };
}

interface AllocationRow {
  readonly deployment_id: number;
  readonly charged_on: Day;
  readonly transaction_id: string;
  readonly ledger_account: string | null;
  readonly credit_id: number | null;
  readonly amount_micros: string | null;
}

/** Two halves, because charges and corrections have separate indexes. */
const READ_ALLOCATIONS = `
select t.deployment_id, t.charged_on, t.id as transaction_id, l.ledger_account, l.credit_id, l.amount_micros
from unnest($1::int[], $2::date[]) as w (deployment_id, from_day)
cross join lateral (
  select id, deployment_id, charged_on from ledger_transactions
    where type = 'charge' and deployment_id = w.deployment_id and charged_on >= w.from_day
  union all
  select id, deployment_id, charged_on from ledger_transactions
    where type in ('rerate', 'refund') and deployment_id = w.deployment_id and charged_on >= w.from_day
) t
left join ledger_lines l on l.transaction_id = t.id and l.ledger_account in ('regular', 'credit', 'revenue')
order by t.id, l.line_no`;

/**
 * Replays charges and corrections. Allocated amounts are pushed and refunded amounts are popped, so the last allocation
 * is refunded first.
 */
async function readAllocations(
  tx: Tx,
  wanted: readonly { id: number; from: Day }[],
): Promise<{ allocations: Map<number, { day: Day; lines: Allocation[] }[]>; ended: CreditJson[] }> {
  const rows = await tx.query<AllocationRow>(READ_ALLOCATIONS, [
    wanted.map(({ id }) => id),
    wanted.map(({ from }) => from),
  ]);
  const allocations = new Map<number, { day: Day; lines: Allocation[] }[]>();
  for (const row of rows) {
    const days = allocations.get(row.deployment_id) ?? [];
    allocations.set(row.deployment_id, days);
    let day = days.find((candidate) => candidate.day === row.charged_on);
    if (day === undefined) days.push((day = { day: row.charged_on, lines: [] }));
    if (row.amount_micros === null) continue;
    const amount = Money.fromMicrosText(row.amount_micros);
    // The refunded amount is read from the revenue line, because this line includes what lapsed.
    if (row.ledger_account === 'revenue' && amount.isNegative) pop(day.lines, amount.negated());
    if (row.ledger_account !== 'revenue' && amount.isNegative)
      day.lines.push({ creditId: row.credit_id, amount: amount.negated() });
  }
  const creditIds = [...new Set(rows.flatMap(({ credit_id }) => (credit_id === null ? [] : [credit_id])))];
  if (creditIds.length === 0) return { allocations, ended: [] };
  const ended = await tx.query<{ credit: CreditJson }>(
    `select ${CREDIT_JSON} as credit from credits c where c.id = any($1::int[]) and c.expired_at is not null`,
    [creditIds],
  );
  return { allocations, ended: ended.map(({ credit }) => credit) };
}

function pop(lines: Allocation[], amount: Money): void {
  let rest = amount;
  for (
    let last = lines.pop();
    last !== undefined && rest.isPositive;
    last = rest.isPositive ? lines.pop() : undefined
  ) {
    const part = Money.min(last.amount, rest);
    rest = rest.minus(part);
    if (part.isLessThan(last.amount)) lines.push({ ...last, amount: last.amount.minus(part) });
  }
}
