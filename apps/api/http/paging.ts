import { INT4_MAX } from '@moorage/contracts';
import { CONSTANTS, SHAPE_MESSAGES } from '@moorage/domain';
import type { SqlValue } from '@moorage/server';
import { z } from 'zod';
import type { Reply } from './call-input';
import { type Counted, setTotalCount } from './count';
import { FieldsInvalid } from './field-problems';

/**
 * Lists with page numbers up to row 10 000 and links from any page to its neighbours and to the end (decisions 28).
 * Links use the value of the sort column, so that the page at row 500 000 costs the same as the first.
 */
export interface PagedQuery {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly cursor?: string | undefined;
  readonly sort_by: string;
  readonly sort_order: 'asc' | 'desc';
}

/**
 * Position at which a list continues: after a row, before it, or at its end. Opaque to clients, and without anything
 * that a row does not show.
 */
const cursor = z.object({
  sort: z.string().max(30),
  order: z.enum(['asc', 'desc']),
  towards: z.enum(['next', 'previous', 'last']),
  id: z.int().min(0).max(INT4_MAX),
  value: z.string().max(300).nullable(),
  /** Count from the first page, so that later pages need not count again. */
  total: z.int().min(0),
  estimated: z.boolean(),
});
type Cursor = z.infer<typeof cursor>;

/** Rows of a page: those at a cursor, or those after an offset. */
export interface Place {
  readonly cursor: Cursor | null;
  readonly perPage: number;
  readonly offset: number;
  /** True if the rows are read from the end, in the opposite order to the requested one. */
  readonly reversed: boolean;
}

/**
 * Returns the place that a request refers to. Throws FIELDS_INVALID for a page beyond the reach of numbers and for a
 * cursor of another list.
 */
export function placeOf(paged: PagedQuery): Place {
  const at = cursorOf(paged);
  const page = paged.page ?? 1;
  const perPage =
    paged.per_page ?? (paged.page === undefined && at === null ? CONSTANTS.wholeListMax : CONSTANTS.pageSizeDefault);
  if (at === null && page * perPage > CONSTANTS.pagedRowsMax) {
    throw new FieldsInvalid([{ path: 'page', message: SHAPE_MESSAGES.pages_end }]);
  }
  return {
    cursor: at,
    perPage,
    offset: at === null ? (page - 1) * perPage : 0,
    reversed: at !== null && at.towards !== 'next',
  };
}

/** Column to sort by, or null to sort by id only. */
export type SortColumn = { readonly sql: string; readonly type: 'text' | 'bigint' } | null;

export interface PageSql {
  /** Conditions that select only rows after the cursor, or before it. */
  readonly conditions: readonly string[];
  readonly orderBy: string;
  /** Sort value of a row, for its cursor. */
  readonly sortValue: string;
}

/**
 * Builds the SQL of a page. `id` and `by.sql` are SQL of the caller, whereas values from the cursor are passed as
 * parameters.
 */
export function pageSql(
  { sort_order }: PagedQuery,
  { cursor: at, reversed }: Pick<Place, 'cursor' | 'reversed'>,
  { id, by }: { id: string; by: SortColumn },
  param: (value: SqlValue) => string,
): PageSql {
  const ascending = (sort_order === 'asc') !== reversed;
  const direction = ascending ? 'asc' : 'desc';
  const orderBy = by === null ? `${id} ${direction}` : `${by.sql} ${direction}, ${id} ${direction}`;
  const sortValue = by === null ? 'null::text' : `${by.sql}::text`;
  if (at === null || at.towards === 'last') return { conditions: [], orderBy, sortValue };
  const sign = ascending ? '>' : '<';
  const value = at.value ?? '';
  if (by?.type === 'bigint' && !/^-?\d{1,18}$/.test(value)) throw strange();
  const condition =
    by === null
      ? `${id} ${sign} ${param(at.id)}`
      : `(${by.sql}, ${id}) ${sign} (${param(value)}::${by.type}, ${param(at.id)}::integer)`;
  return { conditions: [condition], orderBy, sortValue };
}

export interface SortedRow {
  readonly id: number;
  readonly sort_value: string | null;
}

/** A page of rows, the count, and the query strings of the adjacent pages. */
export interface Listed<Row> extends Counted {
  readonly rows: readonly Row[];
  readonly links: Readonly<Partial<Record<'next' | 'prev' | 'last', string>>>;
}

/**
 * Builds a page. `found` contains the rows of a place and, if there is one, the first row after them (limit `perPage +
 * 1`).
 */
export function listed<Row extends SortedRow>(
  found: readonly Row[],
  { paged, place, counted }: { paged: PagedQuery; place: Place; counted: Counted },
): Listed<Row> {
  const { cursor: at, perPage, offset, reversed } = place;
  const more = found.length > perPage;
  const rows = found.slice(0, perPage);
  if (reversed) rows.reverse();
  const before = reversed ? more : offset > 0 || at !== null;
  const after = reversed ? at?.towards !== 'last' : more;
  const { total, estimated } = counted;
  const link = (towards: Cursor['towards'], { id, sort_value: value }: SortedRow): string => {
    const to: Cursor = { sort: paged.sort_by, order: paged.sort_order, towards, id, value, total, estimated };
    // After a complete list, the next request continues in pages.
    const size = Math.min(perPage, CONSTANTS.pageSizeMax);
    return queryString({ ...paged, per_page: size, page: undefined, cursor: writeCursor(to) });
  };
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    rows,
    total,
    estimated,
    links: {
      ...(after && last !== undefined ? { next: link('next', last), last: link('last', last) } : {}),
      ...(before && first !== undefined ? { prev: link('previous', first) } : {}),
    },
  };
}

/** Sets the headers of a page and returns its rows. */
export function setPageHeaders<Row>({ rows, links, ...counted }: Listed<Row>, reply: Reply, path: string): Row[] {
  setTotalCount(counted, reply);
  const link = Object.entries(links).map(([rel, query]) => `<${path}?${query}>; rel="${rel}"`);
  if (link.length > 0) reply.header('link', link.join(', '));
  return [...rows];
}

function cursorOf(paged: PagedQuery): Cursor | null {
  if (paged.cursor === undefined) return null;
  const at = readCursor(paged.cursor);
  if (at === null || at.sort !== paged.sort_by || at.order !== paged.sort_order || paged.page !== undefined)
    throw strange();
  return at;
}

const strange = (): FieldsInvalid => new FieldsInvalid([{ path: 'cursor', message: SHAPE_MESSAGES.cursor_other }]);

function writeCursor(value: Cursor): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Parses a cursor. Returns null for a text that is not one of our cursors. */
function readCursor(text: string): Cursor | null {
  try {
    const parsed = cursor.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return parsed.success && !parsed.data.value?.includes('\0') ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Returns the query string of the request including filters. Several values of a filter are separated by commas. */
function queryString(
  values: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  return query.toString();
}
