import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeRecord {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly proxied?: boolean;
}

/** Zone of a provider, served over HTTP. */
export interface FakeRecordApi {
  readonly baseUrl: string;
  records: FakeRecord[];
  /** Status of every response, or null for real ones. */
  failing: number | null;
  /** Number of requests so far. */
  requests: number;
  stop(): Promise<void>;
}

export const FAKE_TOKEN = 'token-of-the-fake-provider';

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly body: Readonly<Record<string, unknown>>;
}
type Answer = readonly [status: number, body: object | null];

async function serve(answer: (api: FakeRecordApi, asked: Asked) => Answer): Promise<FakeRecordApi> {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    api.requests++;
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const asked = {
      method: request.method ?? '',
      url: new URL(request.url ?? '', api.baseUrl),
      body: JSON.parse(text === '' ? '{}' : text) as Record<string, unknown>,
    };
    const wrong = request.headers.authorization !== `Bearer ${FAKE_TOKEN}`;
    const [status, body] = wrong
      ? ([401, { message: 'unauthorized', errors: [{ code: 9109, message: 'unauthorized' }] }] as const)
      : api.failing !== null
        ? ([
            api.failing,
            { message: `refused ${FAKE_TOKEN}`, errors: [{ code: 1, message: `refused ${FAKE_TOKEN}` }] },
          ] as const)
        : answer(api, asked);
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' });
    response.end(body === null ? undefined : JSON.stringify(body));
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const api: FakeRecordApi = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    records: [],
    failing: null,
    requests: 0,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return api;
}

let lastId = 0;

/** Returns whether an alias prevents the record, or the record is an alias beside others. */
const clashes = (api: FakeRecordApi, { name, type }: Pick<FakeRecord, 'name' | 'type'>): boolean =>
  api.records.some((one) => one.name === name && (one.type === 'CNAME' || type === 'CNAME'));

/** Pages are small, so that every list has several. */
const PAGE = 3;
function pageOf<T>(rows: readonly T[], url: URL): { rows: T[]; page: number; pages: number } {
  const page = Number(url.searchParams.get('page') ?? '1');
  return { rows: rows.slice((page - 1) * PAGE, page * PAGE), page, pages: Math.max(1, Math.ceil(rows.length / PAGE)) };
}

/** Cloudflare's API v4: zones by name, and DNS records with full names and quoted TXT contents. */
export const fakeCloudflare = (zone: string): Promise<FakeRecordApi> =>
  serve((api, { method, url, body }) => {
    const done = (result: unknown, info = {}): Answer => [
      200,
      { success: true, errors: [], messages: [], result, result_info: info },
    ];
    if (url.pathname === '/zones') return done(url.searchParams.get('name') === zone ? [{ id: 'z1', name: zone }] : []);
    const [, id] = /^\/zones\/z1\/dns_records(?:\/(\d+))?$/.exec(url.pathname) ?? [];
    if (id !== undefined) {
      if (!api.records.some((one) => String(one.id) === id))
        return [404, { success: false, errors: [{ code: 81044, message: 'Record does not exist.' }] }];
      api.records = api.records.filter((one) => String(one.id) !== id);
      return done({ id });
    }
    if (method === 'POST') {
      const record = { id: ++lastId, name: String(body.name), type: String(body.type), value: String(body.content) };
      const stored = { ...record, value: record.value.replace(/^"(.*)"$/, '$1') };
      if (clashes(api, stored))
        return [400, { success: false, errors: [{ code: 81053, message: 'A CNAME record with that host exists.' }] }];
      if (api.records.some((one) => one.name === stored.name && one.type === stored.type && one.value === stored.value))
        return [400, { success: false, errors: [{ code: 81058, message: 'An identical record already exists.' }] }];
      api.records.push(stored);
      return done({ id: String(record.id) });
    }
    const name = url.searchParams.get('name');
    const { rows, page, pages } = pageOf(
      api.records.filter((one) => name === null || one.name === name),
      url,
    );
    const result = rows.map((one) => ({
      id: String(one.id),
      name: one.name,
      type: one.type,
      content: one.type === 'TXT' ? `"${one.value}"` : one.value,
      proxied: one.proxied ?? false,
      ttl: 60,
    }));
    return done(result, { page, per_page: PAGE, total_pages: pages });
  });

/** DigitalOcean's API v2: records of a domain with relative names; a filter has the full name. */
export const fakeDigitalOceanDns = (zone: string): Promise<FakeRecordApi> =>
  serve((api, { method, url, body }) => {
    const path = `/v2/domains/${zone}/records`;
    const missing: Answer = [404, { id: 'not_found', message: 'The resource you were accessing could not be found.' }];
    if (!url.pathname.startsWith(path)) return missing;
    const id = url.pathname.slice(path.length + 1);
    if (method === 'DELETE') {
      if (!api.records.some((one) => String(one.id) === id)) return missing;
      api.records = api.records.filter((one) => String(one.id) !== id);
      return [204, null];
    }
    if (method === 'POST') {
      const relative = String(body.name);
      const name = relative === '@' ? zone : `${relative}.${zone}`;
      const record = { id: ++lastId, name, type: String(body.type), value: String(body.data) };
      if (clashes(api, record))
        return [422, { id: 'unprocessable_entity', message: 'CNAME records cannot share a name.' }];
      api.records.push(record);
      return [201, { domain_record: { id: record.id, type: record.type, name: relative, data: record.value } }];
    }
    const filter = url.searchParams.get('name');
    const { rows, page, pages } = pageOf(
      api.records.filter(({ name }) => filter === null || name === filter),
      url,
    );
    const domain_records = rows.map((one) => ({
      id: one.id,
      type: one.type,
      name: one.name === zone ? '@' : one.name.slice(0, -zone.length - 1),
      data: one.value,
      ttl: 60,
    }));
    const next = page < pages ? { pages: { next: `${api.baseUrl}${path}?page=${page + 1}` } } : {};
    return [200, { domain_records, links: next, meta: { total: api.records.length } }];
  });

/** Hetzner's Cloud API v1: record sets of a zone with relative names. */
export const fakeHetznerDns = (zone: string): Promise<FakeRecordApi> =>
  serve((api, { method, url, body }) => {
    const refused = (status: number, code: string): Answer => [status, { error: { code, message: code } }];
    const path = `/zones/${zone}`;
    if (url.pathname === path) return [200, { zone: { id: 1, name: zone } }];
    if (!url.pathname.startsWith(`${path}/rrsets`)) return refused(404, 'not_found');
    const full = (relative: string): string => (relative === '@' ? zone : `${relative}.${zone}`);
    const stored = (type: string, value: string): string => (type === 'TXT' ? value.replace(/^"(.*)"$/, '$1') : value);
    const values = ((body.records ?? []) as { value: string }[]).map(({ value }) => value);
    const add = (name: string, type: string): Answer => {
      if (clashes(api, { name, type })) return refused(422, 'invalid_input');
      for (const value of values) api.records.push({ id: ++lastId, name, type, value: stored(type, value) });
      return [201, { action: { id: 1, status: 'running' } }];
    };
    const [, relative, type = '', action] =
      /^\/rrsets\/([^/]+)\/([A-Z]+)\/actions\/(\w+)$/.exec(url.pathname.slice(path.length)) ?? [];
    if (relative !== undefined) {
      const name = full(decodeURIComponent(relative));
      if (action === 'add_records') return add(name, type);
      const isGone = (one: FakeRecord): boolean =>
        one.name === name && one.type === type && values.some((value) => stored(type, value) === one.value);
      if (!api.records.some(isGone)) return refused(404, 'not_found');
      api.records = api.records.filter((one) => !isGone(one));
      return [201, { action: { id: 2, status: 'running' } }];
    }
    if (method === 'POST') {
      const [name, kind] = [full(String(body.name)), String(body.type)];
      const exists = api.records.some((one) => one.name === name && one.type === kind);
      return exists ? refused(409, 'uniqueness_error') : add(name, kind);
    }
    const filter = url.searchParams.get('name');
    const sets = new Map<string, FakeRecord[]>();
    for (const one of api.records)
      if (filter === null || one.name === full(filter))
        sets.set(`${one.name} ${one.type}`, [...(sets.get(`${one.name} ${one.type}`) ?? []), one]);
    const { rows, page, pages } = pageOf([...sets.values()], url);
    const rrsets = rows.map((records) => ({
      name: records[0]?.name === zone ? '@' : records[0]?.name.slice(0, -zone.length - 1),
      type: records[0]?.type,
      ttl: 60,
      records: records.map(({ type: kind, value }) => ({ value: kind === 'TXT' ? `"${value}"` : value, comment: '' })),
    }));
    return [200, { rrsets, meta: { pagination: { page, next_page: page < pages ? page + 1 : null } } }];
  });
