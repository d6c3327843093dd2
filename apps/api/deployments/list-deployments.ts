import type { DeploymentAnswer, DeploymentCounts, DeploymentCountsQuestion, DeploymentList } from '@moorage/contracts';
import { CONSTANTS, DEPLOYMENT_GROUPS } from '@moorage/domain';
import type { Db, Tx } from '@moorage/server';
import { type Counted, countRows } from '../http/count';
import { type Listed, listed, placeOf, type SortedRow } from '../http/paging';
import { deploymentAnswer, VIEW_COLUMNS, VIEW_TABLES, type Viewer, type ViewRow } from './deployment-view';
import { countsQuery, FROM_THE_START, listQuery, type ListScope } from './list-query';

export type ListDeployments = (ask: {
  viewer: Viewer;
  /** null: everybody's. */
  userId: number | null;
  list: DeploymentList;
}) => Promise<Listed<DeploymentAnswer>>;

/** How many there are in each group, with the same search. */
export type CountDeployments = (ask: {
  viewer: Viewer;
  filters: DeploymentCountsQuestion;
}) => Promise<DeploymentCounts>;

type Row = ViewRow & SortedRow;

export function createListDeployments({ db, sandbox }: { db: Db; sandbox: boolean }): ListDeployments {
  return ({ viewer, userId, list }) =>
    db.tx('deployments.list', async (tx) => {
      const scope: ListScope = { userId, isAdmin: viewer.isAdmin };
      const place = placeOf(list);
      const counted = place.cursor ?? (await countList(tx, list, scope));
      const { where, orderBy, sortValue, params } = listQuery(list, scope, place);
      const found = await tx.query<Row>(
        `select ${VIEW_COLUMNS}, ${sortValue} as sort_value from ${VIEW_TABLES}
         where ${where} order by ${orderBy} limit ${place.perPage + 1} offset ${place.offset}`,
        params,
      );
      const page = listed(found, { ask: list, place, counted });
      return { ...page, rows: page.rows.map((row) => deploymentAnswer(row, { viewer, sandbox })) };
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

function countList(tx: Tx, list: DeploymentList, scope: ListScope): Promise<Counted> {
  const { where, params } = listQuery(list, scope, FROM_THE_START);
  return countRows(tx, `deployments d where ${where}`, params);
}
