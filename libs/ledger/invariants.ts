import { SUBSCRIPTIONS } from '@moorage/contracts';
import { EDGES, FREE_CREDIT_TERMS, type Instant, iso, PRICE_LIST } from '@moorage/domain';
import type { SqlValue } from '@moorage/server';
import text from './invariants.sql';

/**
 * Moments at which an invariant must hold. `always`: after every transaction. `settled`: when everything due has been
 * settled. `quiet`: when nothing is left to do.
 */
export const INVARIANT_MOMENTS = ['always', 'settled', 'quiet'] as const;
export type InvariantMoment = (typeof INVARIANT_MOMENTS)[number];

/** A named query of `invariants.sql`. The rows it returns are violations. */
export interface Invariant {
  /** Identifier such as `I1` or `I5c`. */
  readonly id: string;
  readonly title: string;
  readonly when: InvariantMoment;
  /**
   * Required access. `books`: the billing role may read all of it (the nightly audit). `all`: only the owner role may.
   */
  readonly reads: 'books' | 'all';
  readonly sql: string;
}

export interface Breach {
  readonly id: string;
  readonly title: string;
  /** Offending rows, at most `BREACH_ROWS_MAX`. */
  readonly rows: readonly object[];
}

type Query = (sql: string, params: readonly SqlValue[]) => Promise<object[]>;

export const BREACH_ROWS_MAX = 20;
const HEADER = /^-- name: (I\d+[a-z]?) (.+)\n-- when: (always|settled|quiet)\n-- reads: (books|all)\n/;

/**
 * Parses the text of `invariants.sql`.
 *
 * @throws Error when a block is malformed or an id is repeated, because a query that is never run proves nothing.
 */
export function parseInvariants(text: string): Invariant[] {
  const found = text
    .split(/^(?=-- name: )/m)
    .filter((block) => block.startsWith('-- name: '))
    .map((block) => {
      const [, id, title, when, reads] = HEADER.exec(block) ?? [];
      if (id === undefined || title === undefined) throw new Error(`not an invariant: ${block.slice(0, 80)}`);
      const sql = block
        .replace(/^--.*\n/gm, '')
        .replace(/^ +--.*\n/gm, '')
        .trim();
      return { id, title, when: when as InvariantMoment, reads: reads as Invariant['reads'], sql };
    });
  const twice = found.find(({ id }, index) => found.findIndex((other) => other.id === id) !== index);
  if (found.length === 0 || twice !== undefined) throw new Error(`invariants: ${twice?.id ?? 'none'}`);
  return found;
}

export const INVARIANTS: readonly Invariant[] = parseInvariants(text);

/**
 * Runs the invariants that must hold at the given moment (`settled` includes `always`, `quiet` includes both) and
 * returns those that are violated.
 *
 * @param options
 * - `now`: time up to which everything was settled
 * - `present`: time of the check, if later than `now`
 * - `since`: time before which sent events are not checked any more (I10d)
 * - `after`: ledger id up to which the recorded totals are used (`audit_months`)
 * - `canaries`: secrets that must not be found anywhere (I17)
 */
export async function findBreaches(
  query: Query,
  invariants: readonly Invariant[],
  {
    now,
    present = now,
    since,
    after = 0,
    moment,
    canaries = [],
  }: {
    now: Instant;
    present?: Instant;
    since?: Instant;
    after?: number;
    moment: InvariantMoment;
    canaries?: readonly string[];
  },
): Promise<Breach[]> {
  const values: Readonly<Record<string, SqlValue>> = {
    now: iso(now),
    present: iso(present),
    since: since === undefined ? '-infinity' : iso(since),
    after,
    edges: JSON.stringify(EDGES.map(({ from, to }) => ({ from, to }))),
    subscriptions: JSON.stringify(
      Object.entries(SUBSCRIPTIONS).flatMap(([consumer, streams]) => streams.map((stream) => ({ consumer, stream }))),
    ),
    unlock_micros: PRICE_LIST.creditUnlockBalance.micros,
    code_ms: FREE_CREDIT_TERMS.codeMs,
    canaries: [...canaries],
  };
  const breaches: Breach[] = [];
  for (const { id, title, when, sql } of invariants) {
    if (INVARIANT_MOMENTS.indexOf(when) > INVARIANT_MOMENTS.indexOf(moment)) continue;
    const params: SqlValue[] = [];
    const names: string[] = [];
    const numbered = sql.replace(/\$([a-z_]+)/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`${id}: no value for $${name}`);
      if (!names.includes(name)) {
        names.push(name);
        params.push(value);
      }
      return `$${names.indexOf(name) + 1}`;
    });
    const rows = await query(`select * from (\n${numbered}\n) breach limit ${BREACH_ROWS_MAX}`, params);
    if (rows.length > 0) breaches.push({ id, title, rows });
  }
  return breaches;
}

/** Formats violations for display, with a line per violated invariant followed by its rows. */
export function describeBreaches(breaches: readonly Breach[]): string {
  return breaches
    .map(({ id, title, rows }) => [`${id} ${title}`, ...rows.map((row) => `    ${JSON.stringify(row)}`)].join('\n'))
    .join('\n');
}
