import type { DeploymentAnswer, DeploymentCounts, DeploymentCountsQuestion, DeploymentList } from '@moorage/contracts';
import { CONSTANTS, DEPLOYMENT_GROUPS, SHAPE_WORDS } from '@moorage/domain';
import type { Db, Tx } from '@moorage/server';
import { type Counted, countRows } from '../http/count';
import { FieldsInvalid } from '../http/field-problems';
import { type Cursor, readCursor, writeCursor } from './cursor';
import { deploymentAnswer, VIEW_COLUMNS, VIEW_TABLES, type Viewer, type ViewRow } from './deployment-view';
import { countsQuery, listQuery, type ListScope, sortValueSql } from './list-query';

export interface ListedDeployments extends Counted {
  readonly rows: DeploymentAnswer[];
  /** Query strings of the pages beside this one. */
  readonly links: Readonly<Partial<Record<'next' | 'prev' | 'last', string>>>;
}

export type ListDeployments = (ask: {
  viewer: Viewer;
  /** null: everybody's. */
  userId: number | null;
  list: DeploymentList;
}) => Promise<ListedDeployments>;

/** How many there are in each group, with the same search. */
export type CountDeployments = (ask: {
  viewer: Viewer;
  filters: DeploymentCountsQuestion;
}) => Promise<DeploymentCounts>;

type SortedRow = ViewRow & { readonly sort_value: string | null };
/** Keyset paging by plain SQL: a page at row 500 000 costs what the first one does; OFFSET is used to row 10 000 only. */
export function createListDeployments({ db, sandbox }: { db: Db; sandbox: boolean }): ListDeployments {
  return ({ viewer, userId, list }) =>
    db.tx('deployments.list', async (tx) => {
      const scope: ListScope = { userId, isAdmin: viewer.isAdmin };
      const cursor = cursorOf(list);
      const page = list.page ?? 1;
      const perPage =
        list.per_page ??
        (list.page === undefined && cursor === null ? CONSTANTS.pageSizeMax : CONSTANTS.pageSizeDefault);
      if (cursor === null && page * perPage > CONSTANTS.pagedRowsMax) {
        throw new FieldsInvalid([{ path: 'page', message: SHAPE_WORDS.pages_end }]);
      }
      const counted = cursor ?? (await countList(tx, list, scope));
      const offset = cursor === null ? (page - 1) * perPage : 0;
      const { where, orderBy, params, reversed } = listQuery(list, scope, cursor);
      const found = await tx.query<SortedRow>(
        `select ${VIEW_COLUMNS}, ${sortValueSql(list.sort_by)} as sort_value from ${VIEW_TABLES}
         where ${where} order by ${orderBy} limit ${perPage + 1} offset ${offset}`,
        params,
      );
      const more = found.length > perPage;
      const shown = found.slice(0, perPage);
      if (reversed) shown.reverse();
      const before = reversed ? more : offset > 0 || cursor !== null;
      const after = reversed ? cursor?.towards !== 'last' : more;
      return {
        rows: shown.map((row) => deploymentAnswer(row, { viewer, sandbox })),
        total: counted.total,
        estimated: counted.estimated,
        links: linksOf(list, { perPage, counted, first: shown[0], last: shown.at(-1), before, after }),
      };
    });
}

export function createCountDeployments({ db }: { db: Db }): CountDeployments {
  return ({ viewer, filters }) =>
    db.tx('deployments.counts', async (tx) => {
      const scope: ListScope = { userId: viewer.isAdmin ? null : viewer.userId, isAdmin: viewer.isAdmin };
      const most = CONSTANTS.pagedRowsMax + 1;
      const { sql, params } = countsQuery(filters, scope, { groups: DEPLOYMENT_GROUPS, most });
      const [counts] = await tx.query<DeploymentCounts>(sql, params);
      if (counts === undefined) throw new Error('an aggregate without a row');
      return counts;
    });
}

function cursorOf(list: DeploymentList): Cursor | null {
  if (list.cursor === undefined) return null;
  const cursor = readCursor(list.cursor);
  if (cursor === null || cursor.sort !== list.sort_by || cursor.order !== list.sort_order || list.page !== undefined) {
    throw new FieldsInvalid([{ path: 'cursor', message: SHAPE_WORDS.cursor_other }]);
  }
  return cursor;
}

function countList(tx: Tx, list: DeploymentList, scope: ListScope): Promise<Counted> {
  const { where, params } = listQuery(list, scope, null);
  return countRows(tx, `deployments d where ${where}`, params);
}

function linksOf(
  list: DeploymentList,
  page: {
    perPage: number;
    counted: Counted;
    first: SortedRow | undefined;
    last: SortedRow | undefined;
    before: boolean;
    after: boolean;
  },
): ListedDeployments['links'] {
  const { perPage, counted, first, last, before, after } = page;
  const link = (towards: Cursor['towards'], row: SortedRow): string => {
    const cursor = writeCursor({
      sort: list.sort_by,
      order: list.sort_order,
      towards,
      id: row.id,
      value: row.sort_value,
      total: counted.total,
      estimated: counted.estimated,
    });
    return queryString({ ...list, per_page: perPage, page: undefined, cursor });
  };
  return {
    ...(after && last !== undefined ? { next: link('next', last), last: link('last', last) } : {}),
    ...(before && first !== undefined ? { prev: link('previous', first) } : {}),
  };
}

function queryString(values: Readonly<Record<string, string | number | readonly string[] | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  return query.toString();
}
