import { INT4_MAX } from '@moorage/contracts';
import { CONSTANTS, SHAPE_MESSAGES } from '@moorage/domain';
import type { SqlValue } from '@moorage/server';
import { z } from 'zod';
import type { Reply } from './call-input';
import { type Counted, setTotalCount } from './count';
import { FieldsInvalid } from './field-problems';

/**
 * Lists with numbered pages to row 10 000 and links from any page to its neighbours and to the end (decisions 28). The
 * links go by the value that is sorted by, so that the page at row 500 000 costs what the first one does.
 */
export interface PagedAsk {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly cursor?: string | undefined;
  readonly sort_by: string;
  readonly sort_order: 'asc' | 'desc';
}

/** Where a list goes on: behind a row, before it, or at its end. Opaque on the wire; it holds nothing that a row does not show. */
const cursor = z.object({
  sort: z.string().max(30),
  order: z.enum(['asc', 'desc']),
  towards: z.enum(['next', 'previous', 'last']),
  id: z.int().min(0).max(INT4_MAX),
  value: z.string().max(300).nullable(),
  /** The count of the first page, so that no later page counts again. */
  total: z.int().min(0),
  estimated: z.boolean(),
});
type Cursor = z.infer<typeof cursor>;

/** The rows of one page: those at a cursor, or those behind an offset. */
export interface Place {
  readonly cursor: Cursor | null;
  readonly perPage: number;
  readonly offset: number;
  /** They are read from the end, in the order opposite to the one asked for. */
  readonly reversed: boolean;
}

/** FIELDS_INVALID for a page that no number reaches and for a cursor that is not this list's. */
export function placeOf(ask: PagedAsk): Place {
  const at = cursorOf(ask);
  const page = ask.page ?? 1;
  const perPage =
    ask.per_page ?? (ask.page === undefined && at === null ? CONSTANTS.wholeListMax : CONSTANTS.pageSizeDefault);
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

/** What rows are compared by; null: the id alone decides. */
export type SortColumn = { readonly sql: string; readonly type: 'text' | 'bigint' } | null;

export interface PageSql {
  /** Only what lies behind the cursor, or before it. */
  readonly conditions: readonly string[];
  readonly orderBy: string;
  /** The sort value of a row, for its cursor. */
  readonly sortValue: string;
}

/** `id` and `by.sql` are words of SQL of the caller's own; what came with the cursor is a parameter. */
export function pageSql(
  { sort_order }: PagedAsk,
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

/** One page of rows, the count, and the query strings of the pages beside it. */
export interface Listed<Row> extends Counted {
  readonly rows: readonly Row[];
  readonly links: Readonly<Partial<Record<'next' | 'prev' | 'last', string>>>;
}

/** `found`: the rows of a place and, where there is one, the first behind them (limit `perPage + 1`). */
export function listed<Row extends SortedRow>(
  found: readonly Row[],
  { ask, place, counted }: { ask: PagedAsk; place: Place; counted: Counted },
): Listed<Row> {
  const { cursor: at, perPage, offset, reversed } = place;
  const more = found.length > perPage;
  const rows = found.slice(0, perPage);
  if (reversed) rows.reverse();
  const before = reversed ? more : offset > 0 || at !== null;
  const after = reversed ? at?.towards !== 'last' : more;
  const { total, estimated } = counted;
  const link = (towards: Cursor['towards'], { id, sort_value: value }: SortedRow): string => {
    const to: Cursor = { sort: ask.sort_by, order: ask.sort_order, towards, id, value, total, estimated };
    // behind what was answered whole it goes on in pages
    const size = Math.min(perPage, CONSTANTS.pageSizeMax);
    return queryString({ ...ask, per_page: size, page: undefined, cursor: writeCursor(to) });
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

/** Sets the headers of a page; answers its rows. */
export function setPageHeaders<Row>({ rows, links, ...counted }: Listed<Row>, reply: Reply, path: string): Row[] {
  setTotalCount(counted, reply);
  const link = Object.entries(links).map(([rel, query]) => `<${path}?${query}>; rel="${rel}"`);
  if (link.length > 0) reply.header('link', link.join(', '));
  return [...rows];
}

function cursorOf(ask: PagedAsk): Cursor | null {
  if (ask.cursor === undefined) return null;
  const at = readCursor(ask.cursor);
  if (at === null || at.sort !== ask.sort_by || at.order !== ask.sort_order || ask.page !== undefined) throw strange();
  return at;
}

const strange = (): FieldsInvalid => new FieldsInvalid([{ path: 'cursor', message: SHAPE_MESSAGES.cursor_other }]);

function writeCursor(value: Cursor): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** null for a text that is none of ours. */
function readCursor(text: string): Cursor | null {
  try {
    const parsed = cursor.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return parsed.success && !parsed.data.value?.includes('\0') ? parsed.data : null;
  } catch {
    return null;
  }
}

/** What was asked for, filters and all; several of one filter stand with commas between them. */
function queryString(
  values: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  return query.toString();
}
