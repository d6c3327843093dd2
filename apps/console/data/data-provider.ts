import type { RouteAnswer } from '@moorage/contracts';
import type { DataProvider, GetListParams, RaRecord } from 'react-admin';
import type { Action, ActionRequest } from './action';
import { type ActionName, type ActionResource, type ActionRoute, ACTIONS } from './actions';
import { keyHeader, send, type Sending } from './api';
import { pageMeta } from './paging';
import { randomKey } from './request-key';

/** API paths of the resources whose path differs from their name. */
const PATHS: Readonly<Record<string, string>> = {
  payments: '/billing/admin/payments',
};

const pathOf = (resource: string): string => PATHS[resource] ?? `/${resource}`;

/** Rows of a list. Numbered pages hold them under the resource's name. */
const rowsOf = (resource: string, answer: RaRecord[] | Readonly<Record<string, RaRecord[]>>): RaRecord[] =>
  Array.isArray(answer) ? answer : (answer[resource] ?? []);

type Query = NonNullable<Sending['query']>;

/**
 * Translates react-admin's page or cursor (`meta.cursor`), sort, `q` and filters into list parameters (decision 28).
 */
export function listQuery({ pagination, sort, filter, meta }: Partial<GetListParams>): Query {
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
    const { data: answer, headers } = await send<RaRecord[] | Readonly<Record<string, RaRecord[]>>>(
      'GET',
      pathOf(resource),
      { query: listQuery(params), signal: params.signal },
    );
    const data = rowsOf(resource, answer);
    const total = Number(headers.get('x-total-count') ?? data.length);
    return { data, total, meta: pageMeta(headers) };
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
