import type { RouteAnswer } from '@moorage/contracts';
import type { DataProvider, GetListParams, RaRecord } from 'react-admin';
import type { Action, ActionRequest } from './action';
import { type ActionName, type ActionResource, type ActionRoute, ACTIONS } from './actions';
import { keyHeader, send, type Sending } from './api';
import { pageMeta } from './paging';
import { randomKey } from './request-key';

/** Location of a resource's records in the API. */
interface Source {
  readonly path: string;
  /** The API sets the order and the size of a page. */
  readonly isFixed?: true;
}

const SOURCES: Readonly<Record<string, Source>> = {
  'admin-deployments': { path: '/deployments' },
  conversations: { path: '/support/admin/conversations', isFixed: true },
  'credit-requests': { path: '/support/referral-requests', isFixed: true },
  payments: { path: '/billing/admin/payments' },
  'referral-credits': { path: '/referrals/admin/credits' },
  referrals: { path: '/referrals/admin/referrals', isFixed: true },
};

const sourceOf = (resource: string): Source => SOURCES[resource] ?? { path: `/${resource}` };
const pathOf = (resource: string): string => sourceOf(resource).path;

/** Numbered page with records under a name of their own, and the number of pages. */
type NumberedPage = Readonly<Record<string, RaRecord[] | undefined>> & {
  readonly total_pages: number;
  readonly has_next: boolean;
  readonly has_previous: boolean;
};

type Query = NonNullable<Sending['query']>;

/**
 * Translates react-admin's page or cursor (`meta.cursor`), sort, `q` and filters into list parameters (decision 28).
 */
function listQuery({ pagination, sort, filter, meta }: Partial<GetListParams>): Query {
  const { q, ...rest } = (filter ?? {}) as Record<string, string | undefined>;
  const { cursor } = (meta ?? {}) as { cursor?: string };
  return {
    ...(cursor === undefined ? { page: pagination?.page } : { cursor }),
    per_page: pagination?.perPage,
    ...(sort === undefined || sort.field === 'id' ? {} : { sort_by: sort.field, sort_order: sort.order.toLowerCase() }),
    search: q?.trim(),
    ...rest,
  };
}

interface Meta {
  /** Key from `sendOnce`, the same for every retry of a form. */
  readonly idempotencyKey?: string;
}

/** Adds an idempotency key to every write (decision 46). A generated key is valid for a single attempt only. */
const headersOf = (meta: Meta | undefined): Record<string, string> => keyHeader(meta?.idempotencyKey ?? randomKey());

const refuse = (what: string) => () => Promise.reject(new Error(`${what} is not supported by the console.`));

/** react-admin's data provider, with the actions beyond create, read, update and delete as one more method. */
export interface ConsoleDataProvider extends DataProvider {
  /** Sends an action, such as `act('users', 'makeAdmin', { params: { id } })`. */
  act<N extends ActionResource, A extends ActionName<N>>(
    resource: N,
    name: A,
    request: ActionRequest<ActionRoute<N, A>>,
  ): Promise<RouteAnswer<ActionRoute<N, A>>>;
}

/** Implements the data provider on top of the API. */
export const dataProvider = {
  async getList(resource: string, params: GetListParams) {
    const { path, isFixed } = sourceOf(resource);
    const { per_page, ...query } = listQuery(params);
    const { data: answer, headers } = await send<RaRecord[] | NumberedPage>('GET', path, {
      query: isFixed === true ? query : { ...query, per_page },
      signal: params.signal,
    });
    const meta = pageMeta(headers);
    const count = headers.get('x-total-count');
    if (Array.isArray(answer)) return { data: answer, total: Number(count ?? answer.length), meta };
    const data = Object.values(answer).find(Array.isArray) ?? [];
    if (count !== null) return { data, total: Number(count), meta };
    const { total_pages: pages, has_next: hasNextPage, has_previous: hasPreviousPage } = answer;
    return { data, pageInfo: { hasNextPage, hasPreviousPage }, meta: { ...meta, pages } };
  },
  async getOne(resource: string, { id, signal }: { id: RaRecord['id']; signal?: AbortSignal }) {
    return { data: (await send<RaRecord>('GET', `${pathOf(resource)}/${id}`, { signal })).data };
  },
  async getMany(resource: string, { ids, signal }: { ids: RaRecord['id'][]; signal?: AbortSignal }) {
    const found = ids.map((id) => send<RaRecord>('GET', `${pathOf(resource)}/${id}`, { signal }));
    return { data: (await Promise.all(found)).map(({ data }) => data) };
  },
  async create(resource: string, { data, meta }: { data: unknown; meta?: Meta }) {
    const sent = await send<RaRecord>('POST', pathOf(resource), { body: data, headers: headersOf(meta) });
    return { data: sent.data };
  },
  async update(resource: string, { id, data, meta }: { id: RaRecord['id']; data: unknown; meta?: Meta }) {
    const sent = await send<RaRecord>('PATCH', `${pathOf(resource)}/${id}`, { body: data, headers: headersOf(meta) });
    return { data: sent.data };
  },
  async delete(resource: string, { id, meta }: { id: RaRecord['id']; meta?: Meta }) {
    return { data: (await send<RaRecord>('DELETE', `${pathOf(resource)}/${id}`, { headers: headersOf(meta) })).data };
  },
  act: <N extends ActionResource, A extends ActionName<N>>(
    resource: N,
    name: A,
    request: ActionRequest<ActionRoute<N, A>>,
  ) => (ACTIONS[resource][name] as unknown as Action<ActionRoute<N, A>>).send(request),
  getManyReference: refuse('A list of references'),
  updateMany: refuse('Changing many at once'),
  deleteMany: refuse('Deleting many at once'),
  supportAbortSignal: true,
} as unknown as ConsoleDataProvider;
