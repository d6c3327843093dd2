import { ALERT_MESSAGES, type AlertKind, type Instant, iso } from '@moorage/domain';
import type { Clock, Facts, Log, Reads, Tx } from '@moorage/server';
import { IsNull } from 'typeorm';
import { type AlertFacts, OperatorAlert } from './entities';

export interface RaisedAlert {
  readonly kind: AlertKind;
  /** Distinguishes alerts of the same kind, for example by consumer, provider or ID. At most 200 characters. */
  readonly subject?: string;
  readonly facts?: AlertFacts;
}

const OPEN_MAX = 200;

/**
 * Alerts for operators.
 *
 * Any service raises them in a transaction. The log states when an alert opens and when it is resolved. The health
 * endpoint and `npm run ops -- health` list the open alerts, and the api emails them to administrators, each kind at
 * most once a day. A check that covers all alerts of its kind calls `report`. Code that handles single cases calls
 * `raise` and `resolve`.
 */
export class Alerts {
  private readonly clock: Clock;
  private readonly log: Log;

  constructor({ clock, log }: { clock: Clock; log: Log }) {
    this.clock = clock;
    this.log = log;
  }

  /** Opens the alert. An alert that is already open is updated with the newest facts. */
  async raise(tx: Tx, { kind, subject = '', facts = {} }: RaisedAlert): Promise<void> {
    const at = iso(await this.clock.now(tx));
    const [opened] = await tx.query<{ opened: boolean }>(RAISE, [kind, subject, JSON.stringify(facts), at]);
    if (opened?.opened === true) tx.afterCommit(() => this.log.error('alert opened', reported(kind, subject, facts)));
  }

  /** Resolves the alert, unless it is not open or was seen again since `seen_before`. */
  async resolve(
    tx: Tx,
    { kind, subject = '', seen_before }: Pick<RaisedAlert, 'kind' | 'subject'> & { readonly seen_before?: Instant },
  ): Promise<void> {
    const at = iso(await this.clock.now(tx));
    const before = seen_before === undefined ? 'infinity' : iso(seen_before);
    const resolved = `${RESOLVE} and subject = $3 and last_seen_at < $4 returning kind, subject`;
    this.logResolved(tx, await tx.query(resolved, [kind, at, subject, before]));
  }

  /** Opens the given alerts of a kind and resolves all others of that kind. */
  async report(tx: Tx, kind: AlertKind, found: readonly Pick<RaisedAlert, 'subject' | 'facts'>[]): Promise<void> {
    // A fixed order, so that two concurrent reports wait for each other instead of deadlocking.
    const sorted = [...found].sort((a, b) => ((a.subject ?? '') < (b.subject ?? '') ? -1 : 1));
    for (const alert of sorted) await this.raise(tx, { kind, ...alert });
    const at = iso(await this.clock.now(tx));
    const subjects = found.map(({ subject = '' }) => subject);
    const resolved = `${RESOLVE} and subject <> all($3::text[]) returning kind, subject`;
    this.logResolved(tx, await tx.query(resolved, [kind, at, subjects]));
  }

  /** Returns the open alerts, oldest first, at most `OPEN_MAX`. */
  open(reads: Reads): Promise<OperatorAlert[]> {
    return reads.repository(OperatorAlert).find({
      where: { resolved_at: IsNull() },
      order: { first_seen_at: 'ASC', kind: 'ASC', subject: 'ASC' },
      take: OPEN_MAX,
    });
  }

  /** Records that a check has run, for `lastRun`. */
  async checked(tx: Tx, check: string): Promise<void> {
    await tx.execute(
      `insert into operator_checks (name, ran_at) values ($1, $2)
       on conflict (name) do update set ran_at = greatest(operator_checks.ran_at, excluded.ran_at)`,
      [check, iso(await this.clock.now(tx))],
    );
  }

  async lastRun(reads: Reads, check: string): Promise<Instant | null> {
    const [row] = await reads.query<{ ran_at: Instant }>('select ran_at from operator_checks where name = $1', [check]);
    return row?.ran_at ?? null;
  }

  private logResolved(tx: Tx, rows: readonly { kind: AlertKind; subject: string }[]): void {
    for (const { kind, subject } of rows) tx.afterCommit(() => this.log.info('alert resolved', { kind, subject }));
  }
}

/**
 * A resolved alert starts again. The time of the last email of its kind is preserved, so that an alert that comes and
 * goes is not emailed each time.
 */
const RAISE = `
with before as (
  select from operator_alerts where kind = $1 and subject = $2 and resolved_at is null
)
insert into operator_alerts as a (kind, subject, facts, first_seen_at, last_seen_at) values ($1, $2, $3, $4, $4)
on conflict (kind, subject) do update set facts = excluded.facts, last_seen_at = excluded.last_seen_at,
  first_seen_at = case when a.resolved_at is null then a.first_seen_at else excluded.first_seen_at end,
  resolved_at = null
returning not exists (select from before) as opened`;

const RESOLVE = 'update operator_alerts set resolved_at = $2 where kind = $1 and resolved_at is null';

function reported(kind: AlertKind, subject: string, facts: AlertFacts): Facts {
  const plain = Object.entries(facts).filter(([, fact]) => typeof fact !== 'object' || fact === null);
  return { ...(Object.fromEntries(plain) as Facts), kind, subject, title: ALERT_MESSAGES[kind] };
}
