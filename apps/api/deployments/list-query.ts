import type { DeploymentCountsQuestion, DeploymentList, DeploymentSort } from '@moorage/contracts';
import { type Viewer, visibleTo } from '@moorage/database';
import {
  ALARMS,
  type DeploymentGroup,
  type DeploymentStatus,
  IN_FLIGHT,
  OWN_SERVER,
  providersNamed,
  statusesOf,
} from '@moorage/domain';
import type { SqlValue } from '@moorage/server';
import { pageSql, type PageSql, type Place, type SortColumn } from '../http/paging';
import { OWNERS_TURN } from './action-required.sql';

/** Parts of a list's SQL. All user input is passed as parameters. SQL text comes only from the tables in this file. */
export interface ListQuery extends Pick<PageSql, 'orderBy' | 'sortValue'> {
  /** Table or subquery with its alias. */
  readonly from: string;
  readonly where: string;
  readonly params: readonly SqlValue[];
}

export interface ListScope {
  /** Searches by administrators also match the names and emails of owners. */
  readonly viewer: Viewer;
  /** Null for all users with deployments that the viewer may see. */
  readonly userId: number | null;
}

/** Key of the provider. A customer's own server has a key too. */
const PROVIDER = `coalesce(d.cloud_provider, '${OWN_SERVER}')`;

const text = (sql: string): SortColumn => ({ sql, type: 'text' });

/** Column compared by each sort. created_at uses the id, which rises with it and has no ties. */
const SORTS: Readonly<Record<DeploymentSort, SortColumn>> = {
  created_at: null,
  client_name: text('d.client_name'),
  package: text('d.package'),
  cloud_provider: text(PROVIDER),
  status: text('d.status'),
};

/** Indexed text of a deployment (index deployments_search). */
const SEARCHED = `folded(d.client_name || ' ' || d.package || ' ' || ${PROVIDER} || ' ' || coalesce(d.domain, ''))`;
const OWNERS = (pattern: string): string =>
  `d.user_id = any (array(select id from users where folded(username || ' ' || email) like folded(${pattern}) limit 1000))`;

type Filters = Omit<DeploymentList, 'page' | 'per_page' | 'cursor'>;

export const FROM_THE_START = { cursor: null, reversed: false } as const;

export function listQuery(filters: Filters, scope: ListScope, place: Pick<Place, 'cursor' | 'reversed'>): ListQuery {
  const visible = visibleTo(scope.viewer, { column: 'd.user_id', firstParameter: 1 });
  const params: SqlValue[] = [...visible.params];
  const param = (value: SqlValue): string => `$${params.push(value)}`;
  const conditions = [visible.sql, ...narrowing(filters, scope, param)];
  const { group, status, package: name, cloud_provider: provider, id } = filters;
  conditions.push(...inGroup(group));
  if (status !== undefined) conditions.push(`d.status = any (${param(status)}::text[])`);
  if (name !== undefined) conditions.push(`d.package = ${param(name)}`);
  if (provider !== undefined) conditions.push(`${PROVIDER} = ${param(provider.toLowerCase())}`);
  if (id !== undefined) conditions.push(`d.id = ${param(id)}`);

  const by = SORTS[filters.sort_by];
  const { conditions: beyond, ...order } = pageSql(filters, place, { id: 'd.id', by }, param);
  const from = by === null ? 'deployments d' : ofOwner(scope, param);
  return { from, where: [...conditions, ...beyond].join(' and '), params, ...order };
}

/**
 * Returns the deployments of the single owner of a sorted list, if there is one, to be sorted by themselves. With
 * `offset 0` the planner doesn't search the index of all deployments by the sorted column for those of the owner.
 */
function ofOwner({ viewer, userId }: ListScope, param: (value: SqlValue) => string): string {
  const owner = userId ?? (viewer.isAdmin ? null : viewer.userId);
  return owner === null ? 'deployments d' : `(select * from deployments where user_id = ${param(owner)} offset 0) d`;
}

/** Builds the query for the count of each group, capped at `most`. */
export function countsQuery(
  filters: DeploymentCountsQuestion,
  scope: ListScope,
  { groups, most }: { groups: readonly DeploymentGroup[]; most: number },
): { readonly sql: string; readonly params: readonly SqlValue[] } {
  const visible = visibleTo(scope.viewer, { column: 'd.user_id', firstParameter: 1 });
  const params: SqlValue[] = [...visible.params];
  const conditions = [visible.sql, ...narrowing(filters, scope, (value) => `$${params.push(value)}`)];
  const counts = groups.map((group) => {
    const where = [...conditions, ...inGroup(group)].join(' and ');
    return `(select count(*)::int from (select 1 from deployments d where ${where} limit ${most}) counted) as ${group}`;
  });
  return { sql: `select ${counts.join(', ')}`, params };
}

/** Returns the conditions of scope and search. */
function narrowing(
  { search, user }: DeploymentCountsQuestion,
  scope: ListScope,
  param: (value: SqlValue) => string,
): string[] {
  const conditions = [`d.status <> 'DELETED'`];
  if (scope.userId !== null) conditions.push(`d.user_id = ${param(scope.userId)}`);
  if (search !== undefined && search.trim() !== '') {
    const pattern = param(contains(search));
    const found = [`${SEARCHED} like folded(${pattern})`];
    // Rows contain the key of a provider, screens show its name.
    const providers = providersNamed(search);
    if (providers.length > 0) found.push(`${PROVIDER} = any (${param(providers)}::text[])`);
    if (scope.viewer.isAdmin) found.push(OWNERS(pattern));
    conditions.push(`(${found.join(' or ')})`);
  }
  if (user !== undefined && user.trim() !== '' && scope.viewer.isAdmin) conditions.push(OWNERS(param(contains(user))));
  return conditions;
}

/**
 * Builds the condition of a group. Statuses come from a table of the domain, so they may be SQL literals, which partial
 * indexes need.
 */
function inGroup(group: DeploymentGroup): string[] {
  const statuses = statusesOf(group);
  if (statuses === null) return [];
  // A deployment in progress may be waiting for its owner, and a running one for a top-up or for help. It then belongs
  // to two groups.
  return group === 'needs_you'
    ? [`(${isOneOf(statuses)} or (${isOneOf(IN_FLIGHT)} and ${OWNERS_TURN}) or ${WAITS_FOR_MONEY} or ${HAS_ALARM})`]
    : [isOneOf(statuses)];
}

const isOneOf = (statuses: readonly DeploymentStatus[]): string =>
  `d.status in (${statuses.map((status) => `'${status}'`).join(', ')})`;

/** Uses the index of grace periods, which are few. */
const WAITS_FOR_MONEY = `d.id = any (array(select deployment_id from meters where grace_period_day is not null))`;

/** Uses the index of open incidents, which are few. */
const HAS_ALARM = `(${isOneOf(statusesOf('ready') ?? [])} and d.id = any (array(select deployment_id from incidents
  where ended_at is null and kind in (${ALARMS.map((kind) => `'${kind}'`).join(', ')}))))`;

/** Returns a pattern that matches the text literally, with `%`, `_` and `\` escaped. */
function contains(text: string): string {
  return `%${text.trim().replace(/[\\%_]/g, (letter) => `\\${letter}`)}%`;
}
