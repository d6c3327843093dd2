import type { CheckoutSession, Credit, Wallet } from '@moorage/database';
import {
  type AccountCopies,
  type CreditTerms,
  type CreditType,
  type Day,
  type DeploymentFacts,
  type Instant,
  type MoneyFacts,
  Money,
  type Bucket,
  type PostedTransaction,
  type TransactionType,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';

/** Transaction with the content that its hash covers. */
export interface HashedTransaction extends PostedTransaction {
  readonly hash: string | null;
  readonly content: Buffer;
}

/** All data of an account that the proof reads, from a single snapshot. */
export interface History {
  readonly userId: number;
  readonly transactions: readonly HashedTransaction[];
  readonly facts: MoneyFacts;
  readonly copies: AccountCopies;
  /**
   * Time at which the end of each closed interval was written, by deployment. Later than the end itself if a server was
   * lost.
   */
  readonly closedAt: ReadonlyMap<number, Instant>;
  /** Hash stored in the wallet for the next posting. */
  readonly head: string | null;
}

interface TransactionRow {
  readonly id: string;
  readonly user_id: number;
  readonly type: TransactionType;
  readonly amount_micros: string;
  readonly description: string;
  readonly deployment_id: number | null;
  readonly charged_on: Day | null;
  readonly credit_id: number | null;
  readonly due_at: Instant;
  readonly posted_at: Instant;
  readonly cause: string | null;
  readonly actor_user_id: number | null;
  readonly hash: string | null;
  readonly content: string;
  readonly lines: readonly { ledger_account: Bucket; credit_id: number | null; amount: string }[];
}

const TRANSACTIONS = `
select t.id, t.user_id, t.type, t.amount_micros, t.description, t.deployment_id, t.charged_on, t.credit_id, t.due_at,
  t.posted_at, t.cause, t.actor_user_id, encode(t.hash, 'hex') as hash,
  encode(transaction_content(t.id, t.user_id, t.type, t.amount_micros, t.description, t.deployment_id, t.charged_on,
    t.credit_id, t.due_at, t.posted_at, t.corrects_id, t.cause, t.actor_user_id) || l.content, 'hex') as content,
  l.lines
from unnest($1::int[], $2::bigint[]) as w (user_id, after_id)
join ledger_transactions t on t.user_id = w.user_id and t.id > w.after_id
cross join lateral (
  select coalesce(string_agg(line_content(line_no, ledger_account, credit_id, amount_micros), '' order by line_no), '') as content,
    coalesce(json_agg(json_build_object('ledger_account', ledger_account, 'credit_id', credit_id, 'amount', amount_micros::text) order by line_no), '[]') as lines
  from ledger_lines where transaction_id = t.id
) l
order by t.user_id, t.id`;

interface TermsRow {
  readonly id: string;
  readonly credit_id: number;
  readonly user_id: number;
  readonly credit_type: CreditType;
  readonly amount_micros: string;
  readonly expires_at: Instant;
}

interface FactRow {
  readonly user_id: number;
  readonly deployment_id: number;
  readonly rates:
    | readonly { id: number; from_ms: number; hourly: string; written_ms: number | null; of_gap: boolean | null }[]
    | null;
  readonly intervals: readonly { from_ms: number; to_ms: number | null }[] | null;
}

const DEPLOYMENT_FACTS = `
select d.user_id, d.id as deployment_id,
  (select json_agg(json_build_object('id', r.id, 'from_ms', extract(epoch from r.effective_from) * 1000, 'hourly', r.hourly_micros::text,
     'written_ms', extract(epoch from r.written_at) * 1000, 'of_gap', r.reason = 'server found again')
     order by r.effective_from, r.id) from deployment_rates r where r.deployment_id = d.id) as rates,
  (select json_agg(json_build_object('from_ms', extract(epoch from i.billable_from) * 1000, 'to_ms', extract(epoch from i.billable_to) * 1000)
     order by i.id) from interval_changes i where i.deployment_id = d.id) as intervals
from deployments d where d.user_id = any($1::int[])`;

interface WalletRow extends Pick<Wallet, 'user_id' | 'regular_micros' | 'owed_micros' | 'first_paid_at'> {
  readonly head: string | null;
}

type CreditRow = Pick<
  Credit,
  | 'id'
  | 'user_id'
  | 'credit_type'
  | 'amount_micros'
  | 'remaining_micros'
  | 'lapsed_micros'
  | 'expires_at'
  | 'expired_at'
>;

interface MeterRow {
  readonly deployment_id: number;
  readonly user_id: number;
  readonly billable_from: Instant;
  readonly billable_to: Instant | null;
  readonly charged_through: Day | null;
  readonly reckoned: boolean;
  readonly grace_period_day: Day | null;
  readonly grace_period_started_at: Instant | null;
  readonly grace_period_ends_at: Instant | null;
  readonly closed_at: Instant | null;
}

/** Reads the histories of accounts. `after` is the ID after which an account's transactions are read. */
export async function readHistories(
  tx: Tx,
  accounts: readonly { userId: number; after: number }[],
): Promise<History[]> {
  const ids = accounts.map(({ userId }) => userId);
  const transactions = await tx.query<TransactionRow>(TRANSACTIONS, [ids, accounts.map(({ after }) => after)]);
  const terms = await tx.query<TermsRow>(
    `select id, credit_id, user_id, credit_type, amount_micros, expires_at from credit_terms
     where credit_id in (select id from credits where user_id = any($1::int[])) order by id`,
    [ids],
  );
  const facts = await tx.query<FactRow>(DEPLOYMENT_FACTS, [ids]);
  const paid = await tx.query<Pick<CheckoutSession, 'id' | 'user_id' | 'amount_cents'>>(
    `select id, user_id, amount_cents from checkout_sessions where user_id = any($1::int[]) and status = 'paid'`,
    [ids],
  );
  const wallets = await tx.query<WalletRow>(
    `select user_id, regular_micros, owed_micros, first_paid_at, encode(ledger_hash, 'hex') as head from wallets where user_id = any($1::int[])`,
    [ids],
  );
  const credits = await tx.query<CreditRow>(
    `select id, user_id, credit_type, amount_micros, remaining_micros, lapsed_micros, expires_at, expired_at from credits
     where user_id = any($1::int[]) order by id`,
    [ids],
  );
  const meters = await tx.query<MeterRow>(
    `select m.deployment_id, d.user_id, d.billable_from, d.billable_to, m.charged_through, m.reckoned, m.grace_period_day,
       m.grace_period_started_at, m.grace_period_ends_at,
       (select max(i.written_at) from interval_changes i
        where i.deployment_id = d.id and i.billable_to = d.billable_to) as closed_at
     from deployments d join meters m on m.deployment_id = d.id
     where d.user_id = any($1::int[]) and d.billable_from is not null`,
    [ids],
  );
  const of = {
    transactions: byAccount(transactions),
    terms: byAccount(terms),
    facts: byAccount(facts),
    paid: byAccount(paid),
    credits: byAccount(credits),
    meters: byAccount(meters),
  };
  return wallets.map((wallet) => {
    const userId = wallet.user_id;
    const metersOfAccount = of.meters(userId);
    return {
      userId,
      head: wallet.head,
      transactions: of.transactions(userId).map(toTransaction),
      facts: {
        credits: toTerms(of.terms(userId)),
        deployments: new Map(of.facts(userId).map((row) => [row.deployment_id, toDeploymentFacts(row)])),
        payments: new Map(of.paid(userId).map(({ id, amount_cents }) => [id, Money.ofCents(amount_cents)])),
      },
      copies: {
        regular: Money.fromMicrosText(wallet.regular_micros),
        owed: Money.fromMicrosText(wallet.owed_micros),
        firstPaidAt: wallet.first_paid_at,
        credits: of.credits(userId).map(toCreditCopy),
        deployments: metersOfAccount.map(toDeploymentCopy),
      },
      closedAt: new Map(
        metersOfAccount.flatMap(({ deployment_id, closed_at }) =>
          closed_at === null ? [] : [[deployment_id, closed_at]],
        ),
      ),
    };
  });
}

/** Groups rows by their account. */
function byAccount<R extends { user_id: number }>(rows: readonly R[]): (userId: number) => readonly R[] {
  const grouped = new Map<number, R[]>();
  for (const row of rows) {
    const found = grouped.get(row.user_id);
    if (found === undefined) grouped.set(row.user_id, [row]);
    else found.push(row);
  }
  return (userId) => grouped.get(userId) ?? [];
}

function toCreditCopy(row: CreditRow): AccountCopies['credits'][number] {
  return {
    id: row.id,
    creditType: row.credit_type,
    amount: Money.fromMicrosText(row.amount_micros),
    remaining: Money.fromMicrosText(row.remaining_micros),
    lapsed: Money.fromMicrosText(row.lapsed_micros),
    expiresAt: row.expires_at,
    expired: row.expired_at !== null,
  };
}

function toDeploymentCopy(row: MeterRow): AccountCopies['deployments'][number] {
  return {
    id: row.deployment_id,
    clientName: '',
    billableFrom: row.billable_from,
    billableTo: row.billable_to,
    rates: [],
    chargedThrough: row.charged_through,
    gracePeriod:
      row.grace_period_day === null || row.grace_period_started_at === null || row.grace_period_ends_at === null
        ? null
        : { day: row.grace_period_day, openedAt: row.grace_period_started_at, endsAt: row.grace_period_ends_at },
    closedOut: row.reckoned,
    allocations: [],
  };
}

function toTransaction(row: TransactionRow): HashedTransaction {
  return {
    id: Number(row.id),
    type: row.type,
    amount: Money.fromMicrosText(row.amount_micros),
    description: row.description,
    deploymentId: row.deployment_id,
    chargedOn: row.charged_on,
    creditId: row.credit_id,
    dueAt: row.due_at,
    postedAt: row.posted_at,
    cause: row.cause,
    actorUserId: row.actor_user_id,
    lines: row.lines.map(({ ledger_account, credit_id, amount }) => ({
      bucket: ledger_account,
      creditId: credit_id,
      amount: Money.fromMicrosText(amount),
    })),
    hash: row.hash,
    content: Buffer.from(row.content, 'hex'),
  };
}

function toTerms(rows: readonly TermsRow[]): ReadonlyMap<number, CreditTerms[]> {
  const terms = new Map<number, CreditTerms[]>();
  for (const row of rows)
    terms.set(row.credit_id, [
      ...(terms.get(row.credit_id) ?? []),
      {
        id: Number(row.id),
        creditType: row.credit_type,
        amount: Money.fromMicrosText(row.amount_micros),
        expiresAt: row.expires_at,
      },
    ]);
  return terms;
}

function toDeploymentFacts({ rates, intervals }: FactRow): DeploymentFacts {
  return {
    rates: (rates ?? []).map(({ id, from_ms, hourly, written_ms, of_gap }) => ({
      id,
      from: from_ms,
      hourly: Money.fromMicrosText(hourly),
      writtenAt: written_ms,
      ofGap: of_gap === true,
    })),
    intervals: (intervals ?? []).map(({ from_ms, to_ms }) => ({ from: from_ms, to: to_ms })),
  };
}
