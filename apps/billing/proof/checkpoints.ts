import {
  addDays,
  type Day,
  EMPTY_STATE,
  Money,
  type PostedTransaction,
  type ReplayState,
  type Allocation,
  type AllocationsOfDay,
} from '@moorage/domain';
import { type Instant, iso } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { History } from './history';

/** Possible start of a replay. `head` is the account's hash at that point. */
export interface Checkpoint {
  readonly userId: number;
  readonly throughId: number;
  readonly transactions: number;
  /** Hash of the unhashed transactions in the first checkpoint, or the head in all later checkpoints. */
  readonly hash: string;
  readonly head: string | null;
  readonly state: ReplayState;
}

/** Number of days for which a day can still be corrected. Longer than any provider takes to confirm a loss. */
const CORRECTABLE_DAYS = 100;

/** Serializes a state for storage and comparison. */
export function writeState(
  { regular, owed, firstPaidAt, credits, deployments }: ReplayState,
  head: string | null,
): string {
  const text = (amount: Money): string => amount.micros.toString();
  return JSON.stringify({
    head,
    regular: text(regular),
    owed: text(owed),
    first_paid_at: firstPaidAt,
    credits: [...credits]
      .sort((a, b) => a.id - b.id)
      .map((credit) => ({
        id: credit.id,
        type: credit.creditType,
        amount: text(credit.amount),
        remaining: text(credit.remaining),
        lapsed: text(credit.lapsed),
        expires_at: credit.expiresAt,
        expired: credit.expired,
      })),
    deployments: deployments
      .filter(({ chargedThrough }) => chargedThrough !== null)
      .sort((a, b) => a.id - b.id)
      .map(({ id, chargedThrough, allocations }) => ({
        id,
        charged_through: chargedThrough,
        taken: allocations
          .filter(
            ({ day, lines }) =>
              chargedThrough !== null && day > addDays(chargedThrough, -CORRECTABLE_DAYS) && lines.length > 0,
          )
          .map(({ day, lines }) => ({
            day,
            lines: lines.map(({ creditId, amount }) => ({ credit_id: creditId, amount: text(amount) })),
          })),
      })),
  });
}

interface StateJson {
  readonly head: string | null;
  readonly regular: string;
  readonly owed: string;
  readonly first_paid_at: Instant | null;
  readonly credits: readonly {
    id: number;
    type: ReplayState['credits'][number]['creditType'];
    amount: string;
    remaining: string;
    lapsed: string;
    expires_at: Instant;
    expired: boolean;
  }[];
  readonly deployments: readonly {
    id: number;
    charged_through: Day;
    taken: readonly { day: Day; lines: readonly { credit_id: number | null; amount: string }[] }[];
  }[];
}

function readState(json: StateJson): ReplayState {
  const money = Money.fromMicrosText.bind(Money);
  return {
    regular: money(json.regular),
    owed: money(json.owed),
    firstPaidAt: json.first_paid_at,
    credits: json.credits.map((credit) => ({
      id: credit.id,
      creditType: credit.type,
      amount: money(credit.amount),
      remaining: money(credit.remaining),
      lapsed: money(credit.lapsed),
      expiresAt: credit.expires_at,
      expired: credit.expired,
    })),
    deployments: json.deployments.map(({ id, charged_through, taken }) => ({
      id,
      chargedThrough: charged_through,
      allocations: taken.map(({ day, lines }) => ({
        day,
        lines: lines.map(({ credit_id, amount }) => ({ creditId: credit_id, amount: money(amount) })),
      })),
    })),
  };
}

interface CheckpointRow {
  readonly user_id: number;
  readonly through_id: string;
  readonly transactions: number;
  readonly hash: string;
  readonly state: StateJson;
}

/** Returns all checkpoints of these accounts, oldest first per account. */
export async function readCheckpoints(tx: Tx, userIds: readonly number[]): Promise<Checkpoint[]> {
  const rows = await tx.query<CheckpointRow>(
    `select user_id, through_id, transactions, encode(hash, 'hex') as hash, state from ledger_checkpoints
     where user_id = any($1::int[]) order by user_id, through_id`,
    [[...userIds]],
  );
  return rows.map((row) => ({
    userId: row.user_id,
    throughId: Number(row.through_id),
    transactions: row.transactions,
    hash: row.hash,
    head: row.state.head,
    state: readState(row.state),
  }));
}

export async function writeCheckpoint(
  tx: Tx,
  { userId, throughId, transactions, hash, head, state }: Checkpoint,
  at: Instant,
): Promise<void> {
  await tx.execute(
    `insert into ledger_checkpoints (user_id, through_id, transactions, hash, state, written_at)
     values ($1, $2, $3, decode($4, 'hex'), $5, $6) on conflict do nothing`,
    [userId, throughId, transactions, hash, writeState(state, head), iso(at)],
  );
}

/** Derives the state from the ledger itself, for postings from before proofs existed. */
export function adoptedState({ copies, transactions }: Pick<History, 'copies' | 'transactions'>): ReplayState {
  let { regular, owed } = EMPTY_STATE;
  let firstPaidAt: Instant | null = null;
  const remaining = new Map<number, Money>();
  const lapsed = new Map<number, Money>();
  const deployments = new Map<number, { chargedThrough: Day | null; allocations: Map<Day, Allocation[]> }>();
  const add = (amounts: Map<number, Money>, id: number, amount: Money): void => {
    amounts.set(id, (amounts.get(id) ?? Money.ZERO).plus(amount));
  };
  for (const transaction of transactions) {
    for (const { bucket, creditId, amount } of transaction.lines) {
      if (bucket === 'regular') regular = regular.plus(amount);
      if (bucket === 'owed') owed = owed.plus(amount);
      if (bucket === 'credit' && creditId !== null) add(remaining, creditId, amount);
    }
    const { type, creditId, deploymentId, chargedOn } = transaction;
    if (type === 'payment' || (type === 'adjustment' && transaction.amount.isPositive))
      firstPaidAt ??= transaction.dueAt;
    if (type === 'credit_expired' && creditId !== null) add(lapsed, creditId, transaction.amount.negated());
    if (deploymentId === null || chargedOn === null) continue;
    const known = deployments.get(deploymentId) ?? { chargedThrough: null, allocations: new Map<Day, Allocation[]>() };
    deployments.set(deploymentId, known);
    if (type === 'charge') known.chargedThrough = chargedOn;
    const stack = known.allocations.get(chargedOn) ?? [];
    known.allocations.set(chargedOn, stack);
    for (const [id, part] of takeOrGiveBack(stack, transaction)) add(lapsed, id, part);
  }
  return {
    regular,
    owed,
    firstPaidAt,
    credits: copies.credits
      .filter(({ id }) => remaining.has(id))
      .map((credit) => ({
        ...credit,
        remaining: remaining.get(credit.id) ?? Money.ZERO,
        lapsed: lapsed.get(credit.id) ?? Money.ZERO,
      })),
    deployments: [...deployments].map(([id, { chargedThrough, allocations }]) => ({
      id,
      chargedThrough,
      allocations: [...allocations].map(([day, lines]): AllocationsOfDay => ({ day, lines })),
    })),
  };
}

/** Applies a transaction to the allocations of a day. Refunds that a credit did not receive have lapsed. */
function takeOrGiveBack(stack: Allocation[], { lines }: PostedTransaction): [number, Money][] {
  const missing = new Map<number, Money>();
  for (const { bucket, creditId, amount } of lines) {
    if (bucket === 'revenue' && amount.isNegative) {
      let rest = amount.negated();
      for (let last = stack.pop(); last !== undefined; last = rest.isPositive ? stack.pop() : undefined) {
        const part = Money.min(last.amount, rest);
        rest = rest.minus(part);
        if (part.isLessThan(last.amount)) stack.push({ ...last, amount: last.amount.minus(part) });
        if (last.creditId !== null) missing.set(last.creditId, (missing.get(last.creditId) ?? Money.ZERO).plus(part));
      }
    }
    if ((bucket === 'regular' || bucket === 'credit') && amount.isNegative)
      stack.push({ creditId, amount: amount.negated() });
  }
  for (const { bucket, creditId, amount } of lines)
    if (bucket === 'credit' && creditId !== null && amount.isPositive)
      missing.set(creditId, (missing.get(creditId) ?? Money.ZERO).minus(amount));
  return [...missing].filter(([, part]) => part.isPositive);
}
