import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Tags of a repository, each with the content that its digest is computed from. */
type Repository = Map<string, string>;

/** A registry on loopback. It requires a token for each repository, as public registries do. */
export interface TestRegistry {
  /** Host and port, as in a pin. */
  readonly host: string;
  readonly repositories: Map<string, Repository>;
  /** Requests so far as `METHOD path`, without tokens. */
  readonly requests: string[];
  /** Replaces the response to a request, if it returns true. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | null;
  /** Realm that it names instead of its own. */
  realm: string | null;
  close(): Promise<void>;
}

const PAGE = 2;

export async function testRegistry(): Promise<TestRegistry> {
  const server = createServer((request, response) => serve(registry, request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const registry: TestRegistry = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    repositories: new Map(),
    requests: [],
    intercept: null,
    realm: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return registry;
}

function serve(registry: TestRegistry, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', `http://${registry.host}`);
  registry.requests.push(`${request.method ?? ''} ${url.pathname}${url.search}`);
  if (registry.intercept?.(request, response) === true) return;
  if (url.pathname === '/token') return json(response, 200, { token: url.searchParams.get('scope') });
  const [, name = '', kind = '', reference = ''] = /^\/v2\/(.+?)\/(manifests|tags)\/(.+)$/.exec(url.pathname) ?? [];
  if (request.headers.authorization !== `Bearer repository:${name}:pull`) {
    const realm = registry.realm ?? `http://${registry.host}/token`;
    response.setHeader('www-authenticate', `Bearer realm="${realm}",service="test",scope="repository:${name}:pull"`);
    return json(response, 401, { errors: [{ code: 'UNAUTHORIZED' }] });
  }
  const repository = registry.repositories.get(name) ?? new Map<string, string>();
  if (kind === 'tags') return listTags(response, name, [...repository.keys()].sort(), url.searchParams.get('last'));
  const contents = [...repository].find(([tag, text]) => reference === tag || reference === digestOf(text))?.[1];
  if (contents === undefined) return json(response, 404, { errors: [{ code: 'MANIFEST_UNKNOWN' }] });
  response.setHeader('docker-content-digest', digestOf(contents));
  return json(response, 200, {});
}

/** Serves two tags a page, with a link to the next. */
function listTags(response: ServerResponse, name: string, tags: readonly string[], last: string | null): void {
  const rest = last === null ? tags : tags.slice(tags.indexOf(last) + 1);
  const page = rest.slice(0, PAGE);
  if (rest.length > PAGE)
    response.setHeader('link', `</v2/${name}/tags/list?last=${page.at(-1) ?? ''}&n=${PAGE}>; rel="next"`);
  json(response, 200, { name, tags: page });
}

export function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

export const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
