import type pg from 'pg';

/** A statement as a service sent it, with the values of one of its executions. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Collects every statement sent to the test databases of this file. */
export interface Recording {
  /** Returns each distinct text once, with its latest values. */
  statements(): Statement[];
  stop(): void;
}

const recordings = new Set<Map<string, Statement>>();

export function recordStatements(): Recording {
  const found = new Map<string, Statement>();
  recordings.add(found);
  return {
    statements: () => [...found.values()],
    stop: () => void recordings.delete(found),
  };
}

/** Records a statement. Called by the connections of test databases. */
export function noteStatement(text: string, values: readonly unknown[]): void {
  for (const found of recordings) found.set(text, { text, values });
}

/** A node of EXPLAIN's output, with the fields used here. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

const PLANNED = /^\s*(--.*\n\s*)*(with|select|insert|update|delete)\b/i;

/**
 * Finds statements that read a whole table or index, according to PostgreSQL's plans in the database of `client`.
 *
 * @param options A table or index with fewer than `rows_min` rows may be read completely.
 * @returns A line for each such statement.
 */
export async function wholeReads(
  client: pg.Client,
  statements: readonly Statement[],
  { rows_min }: { rows_min: number },
): Promise<string[]> {
  const { rows: sizes } = await client.query<{ name: string; rows: number }>(
    `select relname as name, reltuples::float8 as rows from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`,
  );
  const size = new Map(sizes.map(({ name, rows }) => [name, rows]));
  const isLarge = (name: string | undefined): boolean => name !== undefined && (size.get(name) ?? 0) >= rows_min;
  const { rows: leading } = await client.query<{ name: string; first_column: string }>(
    `select i.indexrelid::regclass::text as name, a.attname::text as first_column
     from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
     where i.indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
  );
  const firstColumn = new Map(leading.map(({ name, first_column }) => [name, first_column]));
  /**
   * Returns whether a condition narrows the index scan. A condition only on a later column filters among all entries,
   * so the index is read from end to end.
   */
  const narrows = (cond: string | undefined, index: string | undefined): boolean =>
    cond !== undefined && new RegExp(`\\b${firstColumn.get(index ?? '') ?? ''}\\b`).test(cond);
  const found: string[] = [];
  for (const { text, values } of statements) {
    if (!PLANNED.test(text)) continue;
    const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>({
      text: `explain (format json) ${text}`,
      values: [...values],
    });
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    if (plan === undefined) throw new Error(`no plan of ${text}`);
    const whole = new Set<string>();
    walk(plan, false, (node, isLimited) => {
      const type = node['Node Type'];
      if (type.endsWith('Seq Scan') && isLarge(node['Relation Name'])) whole.add(`table ${node['Relation Name']}`);
      const readsIndex = /^(Index|Index Only|Bitmap Index) Scan$/.test(type);
      // In the order of the index up to a limit, so the scan stops early.
      if (readsIndex && !narrows(node['Index Cond'], node['Index Name']) && !isLimited && isLarge(node['Index Name']))
        whole.add(`index ${node['Index Name']}`);
    });
    if (whole.size > 0) found.push(`${[...whole].join(', ')}: ${text.replace(/\s+/g, ' ').trim()}`);
  }
  return found;
}

interface MeasuredNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly MeasuredNode[];
}

/**
 * Counts the table rows that these statements read when they run in turn in the database of `client`. PostgreSQL counts
 * them, so the result is the same on every machine. Writes are rolled back.
 */
export async function rowsRead(client: pg.Client, statements: readonly Statement[]): Promise<number> {
  const readBy = (node: MeasuredNode): number => {
    const own =
      node['Relation Name'] === undefined
        ? 0
        : (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
          node['Actual Loops'];
    return (node.Plans ?? []).reduce((sum, child) => sum + readBy(child), own);
  };
  let read = 0;
  await client.query('begin');
  try {
    for (const { text, values } of statements) {
      if (!PLANNED.test(text)) continue;
      const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: MeasuredNode }] }>({
        text: `explain (analyze, timing off, format json) ${text}`,
        values: [...values],
      });
      const plan = rows[0]?.['QUERY PLAN'][0].Plan;
      if (plan !== undefined) read += readBy(plan);
    }
  } finally {
    await client.query('rollback');
  }
  return read;
}

/**
 * Visits the nodes of a plan. `isLimited` is true below a Limit, unless a node in between must read everything before
 * it returns its first row.
 */
function walk(node: PlanNode, isLimited: boolean, visit: (node: PlanNode, isLimited: boolean) => void): void {
  visit(node, isLimited);
  const type = node['Node Type'];
  const isBelow = type === 'Limit' || (isLimited && !/Sort|Aggregate|Hash|Materialize|WindowAgg|Unique/.test(type));
  for (const child of node.Plans ?? []) walk(child, isBelow, visit);
}
