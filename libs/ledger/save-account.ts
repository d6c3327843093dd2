import { type Account, assertEntry, type Entry, entryAmount, type Instant, iso, type Money } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { LoadedAccount } from './account-store';

/** Facts of a posting besides the entries of the rules. */
export interface Cause {
  /** Cause of at most a single entry, unique per type. For example the checkout session or the Stripe event. */
  readonly cause?: string | undefined;
  /** Selects the entries that may carry the cause. The first match carries it. Default: any entry. */
  readonly isCaused?: ((entry: Entry) => boolean) | undefined;
  readonly actorUserId?: number | null | undefined;
}

/**
 * Writes a posting with its transactions, their lines, and the hash over both that continues the account's chain. The
 * wallet is locked, so the hash that is read here is the newest.
 */
const WRITE_ENTRIES = `
with numbered as (
  select nextval(pg_get_serial_sequence('ledger_transactions', 'id')) as id, e.*
  from (
    select * from jsonb_to_recordset($3::jsonb) as e (no int, type text, amount bigint, description text, deployment_id int,
      charged_on date, credit_id int, due_at timestamptz, cause text, actor_user_id int)
    order by no
  ) e
), input as (
  select i.*, case when i.type in ('rerate', 'refund') then coalesce(
      (select c.id from numbered c where c.type = 'charge' and c.deployment_id = i.deployment_id and c.charged_on = i.charged_on),
      (select t.id from ledger_transactions t where t.type = 'charge' and t.deployment_id = i.deployment_id and t.charged_on = i.charged_on)
    ) end as corrects_id
  from numbered i
), line as (
  select i.id as transaction_id, l.line_no, l.ledger_account, l.credit_id, l.amount
  from jsonb_to_recordset($4::jsonb) as l (entry_no int, line_no smallint, ledger_account text, credit_id int, amount bigint)
  join input i on i.no = l.entry_no
), content as (
  select id, 0 as line_no, transaction_content(id, $1, type, amount, description, deployment_id, charged_on, credit_id,
      due_at, $2, corrects_id, cause, actor_user_id) as bytes
  from input
  union all
  select transaction_id, line_no, line_content(line_no, ledger_account, credit_id, amount) from line
), posting as (
  select sha256(coalesce((select ledger_hash from wallets where user_id = $1), '')
    || string_agg(bytes, '' order by id, line_no)) as hash
  from content
), written as (
  insert into ledger_transactions (id, user_id, type, amount_micros, description, deployment_id, charged_on, credit_id,
    due_at, posted_at, corrects_id, cause, actor_user_id, hash)
  overriding system value
  select i.id, $1, i.type, i.amount, i.description, i.deployment_id, i.charged_on, i.credit_id, i.due_at, $2,
    i.corrects_id, i.cause, i.actor_user_id, p.hash
  from input i cross join posting p order by i.id
), lines as (
  insert into ledger_lines (transaction_id, line_no, ledger_account, credit_id, amount_micros)
  select transaction_id, line_no, ledger_account, credit_id, amount from line
)
select encode(hash, 'hex') as hash from posting`;

const WRITE_BUCKETS = `
with buckets as (
  update credits c set amount_micros = p.amount, remaining_micros = p.remaining,
    lapsed_micros = p.lapsed, expired_at = case when p.expired then coalesce(c.expired_at, c.expires_at) end
  from jsonb_to_recordset($4::jsonb) as p (id int, amount bigint, remaining bigint, lapsed bigint, expired boolean)
  -- said twice: of a list in JSON the planner expects a hundred rows, and would rather read the table
  where c.id = p.id and c.id = any($7::int[])
), read as (
  update meters m set charged_through = p.charged_through, reckoned = p.reckoned,
    grace_period_day = p.grace_period_day, grace_period_started_at = p.opened_at, grace_period_ends_at = p.ends_at
  from jsonb_to_recordset($5::jsonb) as p (id int, charged_through date, reckoned boolean, grace_period_day date, opened_at timestamptz, ends_at timestamptz)
  where m.deployment_id = p.id
)
update wallets set regular_micros = $2, owed_micros = $3, ledger_hash = coalesce(decode($6, 'hex'), ledger_hash)
where user_id = $1`;

/** Writes the entries and the new state of the account. Writes nothing if nothing changed. */
export async function saveAccount(
  tx: Tx,
  { userId, account: before }: LoadedAccount,
  { entries, after }: { entries: readonly Entry[]; after: Account },
  { at, cause, isCaused = () => true, actorUserId }: Cause & { at: Instant },
): Promise<void> {
  let hash: string | null = null;
  if (entries.length > 0) {
    const caused = entries.findIndex(isCaused);
    const causeOf = (no: number): string | null => (no === caused ? (cause ?? null) : null);
    for (const [no, entry] of entries.entries())
      assertEntry(entry, { cause: causeOf(no), actorUserId: actorUserId ?? null });
    const rows = entries.map((entry, no) => ({
      no,
      type: entry.type,
      amount: micros(entryAmount(entry)),
      description: entry.description,
      deployment_id: entry.deploymentId,
      charged_on: entry.chargedOn,
      credit_id: entry.creditId,
      due_at: iso(entry.dueAt),
      cause: causeOf(no),
      actor_user_id: actorUserId ?? null,
    }));
    const lines = entries.flatMap((entry, no) =>
      entry.lines.map((line, index) => ({
        entry_no: no,
        line_no: index + 1,
        ledger_account: line.bucket,
        credit_id: line.creditId,
        amount: micros(line.amount),
      })),
    );
    const [written] = await tx.query<{ hash: string }>(WRITE_ENTRIES, [
      userId,
      iso(at),
      JSON.stringify(rows),
      JSON.stringify(lines),
    ]);
    if (written === undefined) throw new Error('journal entry was not written');
    hash = written.hash;
  }
  const credits = changedCredits(before, after);
  const meters = changedMeters(before, after);
  const moved = !after.regular.equals(before.regular) || !after.owed.equals(before.owed);
  if (hash !== null || credits.length > 0 || meters.length > 0 || moved) {
    await tx.execute(WRITE_BUCKETS, [
      userId,
      after.regular.micros,
      after.owed.micros,
      JSON.stringify(credits),
      JSON.stringify(meters),
      hash,
      credits.map(({ id }) => id),
    ]);
  }
}

/** Records the first money on the regular balance, which lifts the limits of a credit-only account. */
export async function saveFirstPayment(tx: Tx, { userId, firstPaidAt }: LoadedAccount, at: Instant): Promise<void> {
  if (firstPaidAt !== null) return;
  await tx.execute('update wallets set first_paid_at = $2 where user_id = $1', [userId, iso(at)]);
}

const micros = (amount: Money): string => amount.micros.toString();

function changedCredits(before: Account, after: Account): { id: number }[] {
  const old = new Map(before.credits.map((credit) => [credit.id, credit]));
  return after.credits.flatMap((credit) => {
    const was = old.get(credit.id);
    const same =
      was !== undefined &&
      was.remaining.equals(credit.remaining) &&
      was.amount.equals(credit.amount) &&
      was.expired === credit.expired &&
      was.lapsed.equals(credit.lapsed);
    if (same) return [];
    const { id, expired } = credit;
    return [
      {
        id,
        expired,
        amount: micros(credit.amount),
        remaining: micros(credit.remaining),
        lapsed: micros(credit.lapsed),
      },
    ];
  });
}

function changedMeters(before: Account, after: Account): object[] {
  const old = new Map(before.deployments.map((deployment) => [deployment.id, deployment]));
  return after.deployments.flatMap(({ id, chargedThrough, closedOut, gracePeriod }) => {
    const was = old.get(id);
    const same =
      was?.chargedThrough === chargedThrough &&
      was.closedOut === closedOut &&
      was.gracePeriod?.day === gracePeriod?.day &&
      was.gracePeriod?.endsAt === gracePeriod?.endsAt;
    return same
      ? []
      : [
          {
            id,
            charged_through: chargedThrough,
            reckoned: closedOut,
            grace_period_day: gracePeriod?.day ?? null,
            opened_at: gracePeriod === null ? null : iso(gracePeriod.openedAt),
            ends_at: gracePeriod === null ? null : iso(gracePeriod.endsAt),
          },
        ];
  });
}
