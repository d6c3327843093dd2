import { createPrivateKey, sign } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { request } from 'node:https';
import { type ConnectRequest, connectQuery, isDomainName, SECOND_MS } from '@moorage/domain';
import { z } from 'zod';
import { NotPublic, PublicRoute } from './public-route';
import { PUBLIC_RESOLVERS } from './zone-lookup';

const RESPONSE_MS = 4 * SECOND_MS;
const BODY_MAX_BYTES = 64 * 1024;
const URL_LENGTH_MAX = 500;
/** `connect.example.com` or `connect.example.com/api`, as a zone's TXT record names it. */
const PLACE = /^([a-z0-9.-]{1,253})((?:\/[A-Za-z0-9._~-]{1,50}){0,4})\/?$/;

const settings = z.object({
  providerName: z.string().min(1).max(100),
  providerDisplayName: z.string().min(1).max(100).nullish(),
  urlSyncUX: z.string().max(URL_LENGTH_MAX).nullish(),
  urlAPI: z.string().max(URL_LENGTH_MAX),
});

/** A DNS provider that applies templates in the browser of the domain's owner. */
export interface ConnectProvider {
  readonly name: string;
  readonly syncUrl: string;
  readonly apiUrl: string;
}

/** Identity of this installation at DNS providers. */
export interface ConnectIdentity {
  /** Provider id of the published templates. */
  readonly providerId: string;
  /** Key that signs requests, or null to send them unsigned. */
  readonly key: { readonly name: string; readonly der: Buffer } | null;
}

export interface ConnectTransport {
  /** Returns the texts of a TXT record, or an empty list. */
  readonly texts: (name: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** Returns the response to a GET request. Throws without one. */
  readonly get: (url: URL, signal: AbortSignal) => Promise<{ readonly status: number; readonly text: string }>;
}

/**
 * Finds DNS providers with Domain Connect (https://github.com/Domain-Connect/spec, synchronous flow) and builds the links
 * that apply our templates.
 */
export class DomainConnect {
  constructor(
    private readonly identity: ConnectIdentity,
    private readonly transport: ConnectTransport,
  ) {}

  /** Returns the provider of a zone, or null if it does not support the flow. */
  async discover(zone: string, signal: AbortSignal): Promise<ConnectProvider | null> {
    const [place] = await this.transport.texts(`_domainconnect.${zone}`, signal);
    const [, host = '', path = ''] = PLACE.exec(place?.trim() ?? '') ?? [];
    if (!isDomainName(host)) return null;
    const found = await this.json(new URL(`https://${host}${path}/v2/${zone}/settings`), signal);
    const parsed = settings.safeParse(found).data;
    if (parsed === undefined) return null;
    const [syncUrl, apiUrl] = [placeOf(parsed.urlSyncUX ?? ''), placeOf(parsed.urlAPI)];
    if (syncUrl === null || apiUrl === null) return null;
    return { name: parsed.providerDisplayName ?? parsed.providerName, syncUrl, apiUrl };
  }

  /** Returns whether the provider has our template of a service. */
  async supports({ apiUrl }: ConnectProvider, service: string, signal: AbortSignal): Promise<boolean> {
    const { status } = await this.transport.get(new URL(`${apiUrl}${this.templatePath(service)}`), signal);
    return status >= 200 && status < 300;
  }

  /** Returns the link that applies the records in the owner's browser, or null if the domain is not in the zone. */
  link({ syncUrl }: ConnectProvider, requested: ConnectRequest, zone: string): string | null {
    const query = connectQuery(requested, zone);
    if (query === null) return null;
    return `${syncUrl}${this.templatePath(requested.service)}/apply?${query}${this.signature(query)}`;
  }

  private signature(query: string): string {
    const { key } = this.identity;
    if (key === null) return '';
    const privateKey = createPrivateKey({ key: key.der, format: 'der', type: 'pkcs8' });
    const signature = sign('RSA-SHA256', Buffer.from(query), privateKey).toString('base64');
    return `&sig=${encodeURIComponent(signature)}&key=${encodeURIComponent(key.name)}`;
  }

  private templatePath(service: string): string {
    const provider = encodeURIComponent(this.identity.providerId);
    return `/v2/domainTemplates/providers/${provider}/services/${encodeURIComponent(service)}`;
  }

  private async json(url: URL, signal: AbortSignal): Promise<unknown> {
    const { status, text } = await this.transport.get(url, signal);
    if (status !== 200) return null;
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  }
}

/** Returns an address of a provider without a slash at its end, or null unless it is a plain https address. */
function placeOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const isPlain = protocol === 'https:' && port === '' && username + password + search + hash === '';
  return isPlain && isDomainName(hostname) ? `https://${hostname}${pathname.replace(/\/$/, '')}` : null;
}

/**
 * Queries resolvers and sends requests over https to public addresses only, because a zone may name any host. Follows no
 * redirects. Responses have a deadline and a limited size.
 */
export function publicConnectTransport(
  resolvers: readonly string[] | null,
  route: PublicRoute = new PublicRoute([]),
): ConnectTransport {
  return {
    async texts(name, signal) {
      const resolver = new Resolver({ timeout: 2 * SECOND_MS, tries: 2 });
      resolver.setServers([...(resolvers ?? PUBLIC_RESOLVERS)]);
      const cancel = (): void => resolver.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      try {
        return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
      } catch {
        return [];
      } finally {
        signal.removeEventListener('abort', cancel);
      }
    },
    get: (url, signal) => httpsGet(url, { route, signal: AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_MS)]) }),
  };
}

function httpsGet(
  url: URL,
  { route, signal }: { route: PublicRoute; signal: AbortSignal },
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    if (url.protocol !== 'https:' || url.port !== '') return reject(new NotPublic(`${url.protocol} is not allowed`));
    route.check(url.hostname);
    const sent = request(
      url,
      { method: 'GET', headers: { accept: 'application/json' }, lookup: route.lookup, agent: false, signal },
      (response) => {
        const parts: Buffer[] = [];
        let bytes = 0;
        response.on('data', (part: Buffer) => {
          bytes += part.byteLength;
          if (bytes > BODY_MAX_BYTES) response.destroy(new Error('the response is too long'));
          else parts.push(part);
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
        );
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}
