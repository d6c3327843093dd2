import type { DeploymentAnswer, DeploymentCounts, DeploymentCountsQuestion, DeploymentList } from '@moorage/contracts';
import { CONSTANTS, DEPLOYMENT_GROUPS } from '@moorage/domain';
import { Db, type Reads } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { type Counted, countRows } from '../http/count';
import { type Listed, listed, placeOf, type SortedRow } from '../http/paging';
import { usersRepository } from '../users-store/users.repository';
import { DeploymentAnswers } from './deployment-answers.service';
import { VIEW_COLUMNS, VIEW_JOINS, type Viewer, type ViewRow } from './deployment-view';
import { countsQuery, FROM_THE_START, listQuery, type ListScope } from './list-query';

type Row = ViewRow & SortedRow;

@Injectable()
export class ListDeployments {
  constructor(
    private readonly db: Db,
    private readonly answers: DeploymentAnswers,
  ) {}

  /** Lists the deployments of a user, or all deployments that the viewer may see if `userId` is null. */
  list({
    viewer,
    userId,
    list,
  }: {
    viewer: Viewer;
    userId: number | null;
    list: DeploymentList;
  }): Promise<Listed<DeploymentAnswer>> {
    return this.db.read('deployments.list', async (reads) => {
      const scope: ListScope = { viewer, userId };
      const place = placeOf(list);
      const counted = place.cursor ?? (await countList(reads, list, scope));
      const { from, where, orderBy, sortValue, params } = listQuery(list, scope, place);
      // Only the rows of the page are joined and looked up.
      const found = await reads.query<Row>(
        `select ${VIEW_COLUMNS} from (
           select d.*, ${sortValue} as sort_value from ${from}
           where ${where} order by ${orderBy} limit ${place.perPage + 1} offset ${place.offset}
         ) d ${VIEW_JOINS} order by ${orderBy}`,
        params,
      );
      const page = listed(found, { paged: list, place, counted });
      return { ...page, rows: page.rows.map((row) => this.answers.of(row, viewer)) };
    });
  }

  /** Counts the deployments of each group with the same search. */
  count({ viewer, filters }: { viewer: Viewer; filters: DeploymentCountsQuestion }): Promise<DeploymentCounts> {
    return this.db.read('deployments.counts', async (reads) => {
      const scope: ListScope = { viewer, userId: null };
      const most = CONSTANTS.pagedRowsMax + 1;
      const { sql, params } = countsQuery(filters, scope, { groups: DEPLOYMENT_GROUPS, most });
      const [counts] = await reads.query<DeploymentCounts>(sql, params);
      if (counts === undefined) throw new Error('the aggregate returned no row');
      return counts;
    });
  }

  async accountExists(userId: number): Promise<boolean> {
    return this.db.read('deployments.account', (reads) => usersRepository.exists(reads, userId));
  }
}

function countList(reads: Reads, list: DeploymentList, scope: ListScope): Promise<Counted> {
  const { from, where, params } = listQuery(list, scope, FROM_THE_START);
  return countRows(reads, `${from} where ${where}`, params);
}
