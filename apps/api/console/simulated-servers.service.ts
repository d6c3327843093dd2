import type { Deployment } from '@moorage/database';
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
  signIns,
  wantedNames,
} from '@moorage/domain';
import { Db, Log } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { PackageManifests } from '../catalogue/packages';
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

type Row = Pick<
  Deployment,
  | 'package'
  | 'server_type'
  | 'cloud_provider'
  | 'vps_ip_address'
  | 'domain'
  | 'admin_subdomain'
  | 'static_page_subdomain'
  | 'config'
>;

/** Newest first, as in the name resolution of the sandbox. No column identifies the owner. */
const READ = `
select package, server_type, cloud_provider, host(vps_ip_address) as vps_ip_address, domain, admin_subdomain,
  static_page_subdomain, config
from deployments
where lower(domain) = any($1) and deleted_at is null and status = any($2)
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
 * Serves pages in place of simulated servers. Browsers resolve every name below `.localhost` to their own machine, so
 * these pages are selected by the Host header alone, before the api and the console see the request: a different origin
 * without cookies and without the console's storage. Only in a sandbox whose visitors use the same machine.
 */
@Injectable()
export class SimulatedServers {
  private readonly isServed: boolean;
  private readonly link: string;

  constructor(
    private readonly db: Db,
    private readonly packages: PackageManifests,
    private readonly settings: ApiSettings,
    private readonly log: Log,
  ) {
    this.isServed = hasSandbox(settings.clouds) && hasOpenLinks(settings.publicUrl);
    this.link = `${settings.publicUrl}/dashboard`;
  }

  /** Answers requests to simulated servers and passes everything else to `next`. */
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
      // The body is not read.
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
      this.log.error('page of a simulated server not rendered', { error });
      page = awayPage(reader);
    }
    const text = html(page, { language, brand: this.settings.brand.name });
    response.writeHead(page.status, { ...HEADERS, 'content-length': Buffer.byteLength(text) });
    response.end(method === 'HEAD' ? undefined : text);
  }

  /** Returns the page of the simulated server with this name, or null if there is none. */
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
        rows: here.map(({ row: requested, user, password }) => ({
          title: requested.title,
          user: isFixedUser(requested) ? user : null,
          requiresPassword: password !== null,
        })),
      };
    }
    return null;
  }
}

/** Returns the host in lower case, without a port and a trailing dot. */
function hostOf({ headers }: IncomingMessage): string {
  const [name = ''] = (headers.host ?? '').toLowerCase().split(':');
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/** Returns the name itself and its parent domains within the sandbox's zone. */
function domainsAbove(host: string): string[] {
  const labels = host.split('.');
  return labels.map((_, index) => labels.slice(index).join('.')).filter(isSandboxHost);
}
