import { type ImageFound, type ImagePin, SECOND_MS } from '@moorage/domain';
import { boundedText } from '@moorage/server';
import { z } from 'zod';

const REQUEST_MS = 10 * SECOND_MS;
/** A page of tags is far smaller. */
const BODY_MAX_BYTES = 512 * 1024;
const PAGES_MAX = 20;
const TAGS_PER_PAGE = 1_000;

/** An index for several architectures, or a manifest for one. Without these, a registry may convert what it stores. */
const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

const DIGEST = /^sha256:[0-9a-f]{64}$/;
const tagList = z.object({ tags: z.array(z.string()).nullable() });
const tokenAnswer = z
  .object({ token: z.string().optional(), access_token: z.string().optional() })
  .transform(({ token, access_token }) => token ?? access_token)
  .pipe(z.string().regex(/^[\x21-\x7e]{1,16384}$/));

/** A registry did not give a usable response. The message says why. */
export class RegistryUnreachable extends Error {
  override readonly name = 'RegistryUnreachable';
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface RegistryOptions {
  /** Ends all requests. */
  readonly signal: AbortSignal;
  /** Replaces the deadline of a request in tests. */
  readonly deadline?: (ms: number) => AbortSignal;
}

/**
 * Reads registries anonymously (https://distribution.github.io/distribution/spec/api/). Every request has a deadline and
 * a limited response. Redirects are not followed. A registry that limits our requests is left alone from then on.
 */
export class ImageRegistry {
  /** By registry and repository. */
  private readonly tokens = new Map<string, string>();
  private readonly limited = new Set<string>();

  constructor(private readonly options: RegistryOptions) {}

  /** Finds an image by its digest, or by its tag. Only a clear response counts as missing. */
  async find({ registry, repository, tag, digest }: ImagePin): Promise<Exclude<ImageFound, { state: 'unreachable' }>> {
    const url = new URL(`/v2/${repository}/manifests/${digest ?? tag ?? ''}`, originOf(registry));
    const { status, headers } = await this.authorized('HEAD', url, { registry, repository });
    if (status === 404) return { state: 'missing' };
    if (status !== 200) throw new RegistryUnreachable(`status ${status}`);
    const found = headers.get('docker-content-digest') ?? '';
    return { state: 'found', digest: DIGEST.test(found) ? found : null };
  }

  /** Lists the tags of a repository, at most the first twenty pages. */
  async tags({ registry, repository }: ImagePin): Promise<string[]> {
    const tags: string[] = [];
    let url: URL | null = new URL(`/v2/${repository}/tags/list?n=${TAGS_PER_PAGE}`, originOf(registry));
    for (let page = 0; url !== null && page < PAGES_MAX; page++) {
      const { status, headers, text } = await this.authorized('GET', url, { registry, repository });
      if (status !== 200) throw new RegistryUnreachable(`status ${status}`);
      tags.push(...(parsed(tagList, text).tags ?? []));
      url = nextPage(url, headers.get('link') ?? '');
    }
    return tags;
  }

  /** Sends a request with a token if the registry requires one. */
  private async authorized(
    method: 'HEAD' | 'GET',
    url: URL,
    { registry, repository }: Pick<ImagePin, 'registry' | 'repository'>,
  ): Promise<Answered> {
    const place = `${registry}/${repository}`;
    const send = () => this.send(method, url, { registry, token: this.tokens.get(place) });
    const answered = await send();
    if (answered.status !== 401) return answered;
    const token = await this.token(answered.headers.get('www-authenticate') ?? '', { registry, repository });
    this.tokens.set(place, token);
    return send();
  }

  private async token(
    challenge: string,
    { registry, repository }: Pick<ImagePin, 'registry' | 'repository'>,
  ): Promise<string> {
    const parameters = new Map(
      [...challenge.matchAll(/\b(realm|service)="([^"]*)"/gi)].map(([, name = '', value = '']) => [
        name.toLowerCase(),
        value,
      ]),
    );
    const realm = parameters.get('realm') ?? '';
    if (!/^bearer\s/i.test(challenge) || !URL.canParse(realm)) throw new RegistryUnreachable('no token is offered');
    const url = new URL(realm);
    const isOwn = url.origin === originOf(registry);
    if (url.protocol !== 'https:' && !isOwn) throw new RegistryUnreachable('its tokens are not served over HTTPS');
    const service = parameters.get('service');
    if (service !== undefined) url.searchParams.set('service', service);
    url.searchParams.set('scope', `repository:${repository}:pull`);
    const { status, text } = await this.send('GET', url, { registry });
    if (status !== 200) throw new RegistryUnreachable(`status ${status} for a token`);
    return parsed(tokenAnswer, text);
  }

  private async send(
    method: 'HEAD' | 'GET',
    url: URL,
    { registry, token }: { registry: string; token?: string | undefined },
  ): Promise<Answered> {
    if (this.limited.has(registry)) throw new RegistryUnreachable('too many requests');
    const { signal, deadline = (ms) => AbortSignal.timeout(ms) } = this.options;
    const answered = await this.exchange(
      method,
      url,
      {
        accept: method === 'HEAD' ? MANIFESTS : 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      AbortSignal.any([signal, deadline(REQUEST_MS)]),
    );
    if (answered.status !== 429) return answered;
    this.limited.add(registry);
    throw new RegistryUnreachable('too many requests');
  }

  private async exchange(
    method: 'HEAD' | 'GET',
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Answered> {
    try {
      const response = await fetch(url, { method, headers, signal, redirect: 'manual' });
      return {
        status: response.status,
        headers: response.headers,
        text: await boundedText(response, BODY_MAX_BYTES),
      };
    } catch (error) {
      const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } };
      const code = cause?.code;
      const isLate = name === 'AbortError' || name === 'TimeoutError';
      throw new RegistryUnreachable(isLate ? 'no response in time' : typeof code === 'string' ? code : 'no response');
    }
  }
}

/** Docker Hub serves its images under another name. Only a registry on this machine may do without TLS. */
function originOf(registry: string): string {
  const isLocal = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(registry);
  const host = registry === 'docker.io' ? 'registry-1.docker.io' : registry;
  return `${isLocal ? 'http' : 'https'}://${host}`;
}

/** Returns the address of the next page, or null on the last one. A page at another host is not read. */
function nextPage(url: URL, link: string): URL | null {
  const next = /<([^<>]*)>\s*;\s*rel="?next"?/.exec(link)?.[1];
  if (next === undefined || !URL.canParse(next, url.href)) return null;
  const page = new URL(next, url);
  return page.origin === url.origin ? page : null;
}

function parsed<T>(schema: z.ZodType<T>, text: string): T {
  const { success, data } = schema.safeParse(jsonOf(text));
  if (!success) throw new RegistryUnreachable('the response is not as expected');
  return data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
