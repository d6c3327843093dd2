import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import {
  acceptedLanguage,
  envValuesOf,
  hasOpenLinks,
  hasSandbox,
  isDomainName,
  isFixedUser,
  isSandboxHost,
  isSimulated,
  RUNNING,
  type ServerType,
  signIns,
  wantedNames,
} from '@moorage/domain';
import { Db, Log } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Packages } from '../catalogue/packages';
import { ApiSettings } from '../settings';
import {
  awayPage,
  html,
  PAGE_POLICY,
  simulatedPage,
  type SimulatedPage,
  unknownPage,
  type WouldBe,
} from './simulated-page';

interface Row {
  readonly package: string;
  readonly server_type: ServerType;
  readonly cloud_provider: string | null;
  readonly domain: string | null;
  readonly admin_subdomain: string | null;
  readonly static_page_subdomain: string | null;
  readonly config: Readonly<Record<string, string>>;
}

/** The youngest first, as the sandbox resolves names; no column tells whose it is. */
const READ = `
select package, server_type, cloud_provider, domain, admin_subdomain, static_page_subdomain, config
from deployments
where lower(domain) = any($1) and server_type = 'new' and deleted_at is null and status = any($2)
order by id desc limit 20`;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': PAGE_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  vary: 'Accept-Language',
};

/**
 * The pages that stand in for simulated servers. Browsers take every name below `.localhost` to their own machine, so these
 * are answered by the Host header alone, before the api and the console see the request: another origin, without cookies
 * and without what the console keeps. Only in a sandbox whose visitors are on its own machine.
 */
@Injectable()
export class SimulatedServers {
  private readonly isServed: boolean;
  private readonly link: string;

  constructor(
    private readonly db: Db,
    private readonly packages: Packages,
    private readonly settings: ApiSettings,
    private readonly log: Log,
  ) {
    this.isServed = hasSandbox(settings.clouds) && hasOpenLinks(settings.publicUrl);
    this.link = `${settings.publicUrl}/dashboard`;
  }

  /** Answers what is for a simulated server, and leaves everything else to `next`. */
  before(next: RequestListener): RequestListener {
    if (!this.isServed) return next;
    return (request, response) => {
      const host = hostOf(request);
      if (!isSandboxHost(host)) return void next(request, response);
      void this.answer(host, request, response);
    };
  }

  private async answer(host: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method } = request;
    if (method !== 'GET' && method !== 'HEAD') {
      // what it sends is not read
      response.writeHead(405, { ...HEADERS, allow: 'GET, HEAD', connection: 'close' }).end();
      return;
    }
    const language = acceptedLanguage(request.headers['accept-language']);
    const reader = { language, link: this.link };
    let page: SimulatedPage;
    try {
      const found = isDomainName(host) ? await this.find(host) : null;
      page = found === null ? unknownPage(reader) : simulatedPage(found, reader);
    } catch (error) {
      this.log.error('the page of a simulated server could not be made', { error });
      page = awayPage(reader);
    }
    const text = html(page, language);
    response.writeHead(page.status, { ...HEADERS, 'content-length': Buffer.byteLength(text) });
    response.end(method === 'HEAD' ? undefined : text);
  }

  /** What the simulated server of this name would serve; null: none has it. */
  private async find(host: string): Promise<WouldBe | null> {
    const rows = await this.db.tx('console.simulated-server', (tx) =>
      tx.query<Row>(READ, [domainsAbove(host), [...RUNNING]]),
    );
    for (const row of rows) {
      const facts = this.packages.find(row.package);
      if (facts === null || !isSimulated(this.settings.clouds, row)) continue;
      const values = envValuesOf(row);
      const here = signIns(facts, values, { ip: null }).filter(({ address }) => new URL(address).hostname === host);
      if (here.length === 0 && !wantedNames(facts, values).some((name) => name.host.toLowerCase() === host)) continue;
      return {
        host,
        packageName: facts.display_name,
        rows: here.map(({ row: asked, user, password }) => ({
          title: asked.title,
          user: isFixedUser(asked) ? user : null,
          asksForPassword: password !== null,
        })),
      };
    }
    return null;
  }
}

/** In small letters, without a port and the root's dot. */
function hostOf({ headers }: IncomingMessage): string {
  const [name = ''] = (headers.host ?? '').toLowerCase().split(':');
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/** The name itself and those that it lies below, as far as they are in the sandbox's zone. */
function domainsAbove(host: string): string[] {
  const labels = host.split('.');
  return labels.map((_, index) => labels.slice(index).join('.')).filter(isSandboxHost);
}
