import type { DnsProviderAnswer } from '@moorage/contracts';
import { type ConnectProvider, DomainConnect, type FoundZone } from '@moorage/dns';
import {
  CONSTANTS,
  type ConnectRequest,
  hasSandbox,
  type Instant,
  isWithinDomain,
  MINUTE_MS,
  providerOfNameServers,
  SECOND_MS,
} from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';
import { type NamedDomain, WantedRecords } from './wanted-records.service';
import { ZoneRequests } from './zone-requests';

/** Deadline of all lookups about a domain together. */
const LOOKUP_MS = 8 * SECOND_MS;
const KEPT_MS = 5 * MINUTE_MS;
const KEPT_MAX = 1_000;

/** Lookup results of a domain. `services` states for each requested service whether the provider has its template. */
interface Found {
  readonly zone: FoundZone | null;
  readonly connect: ConnectProvider | null;
  readonly services: ReadonlyMap<string, boolean>;
  readonly at: Instant;
}

/** Finds out where the zone of a domain is managed, and whether its provider applies our templates. */
@Injectable()
export class ReadDnsProvider {
  private readonly connect: DomainConnect | null;
  /** By domain, the oldest first. */
  private readonly kept = new Map<string, Found>();

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly wanted: WantedRecords,
    private readonly settings: ApiSettings,
    private readonly requests: ZoneRequests,
  ) {
    const identity = settings.dns.connect;
    this.connect = identity === null ? null : new DomainConnect(identity, requests.connect);
  }

  async run(named: NamedDomain): Promise<DnsProviderAnswer> {
    const { domain, requested } = await this.db.tx('owner-records.domain', (tx) => this.wanted.connect(tx, named));
    const found = await this.find(domain, requested?.service ?? null);
    const servers = found.zone?.nameServers ?? [];
    return {
      domain,
      zone: found.zone?.zone ?? null,
      name_servers: [...servers],
      provider: providerOfNameServers(servers),
      connect: this.linkOf(found, requested),
    };
  }

  private linkOf({ zone, connect, services }: Found, requested: ConnectRequest | null): DnsProviderAnswer['connect'] {
    if (this.connect === null || zone === null || connect === null || requested === null) return null;
    if (services.get(requested.service) !== true) return null;
    const url = this.connect.link(connect, requested, zone.zone);
    return url === null ? null : { provider: connect.name, url };
  }

  private async find(domain: string, service: string | null): Promise<Found> {
    const at = this.clock.localNow();
    // Public DNS does not contain the sandbox.
    if (hasSandbox(this.settings.clouds) && isWithinDomain(domain, CONSTANTS.sandboxZone))
      return { zone: null, connect: null, services: new Map(), at };
    const signal = AbortSignal.timeout(LOOKUP_MS);
    const before = this.kept.get(domain);
    const isFresh = before !== undefined && at - before.at < KEPT_MS;
    let found: Found = isFresh ? before : await this.lookUp(domain, at, signal);
    const { connect, services } = found;
    if (this.connect !== null && connect !== null && service !== null && !services.has(service)) {
      const supported = await this.connect.supports(connect, service, signal).catch(() => false);
      found = { ...found, services: new Map([...services, [service, supported]]) };
    }
    this.keep(domain, found);
    return found;
  }

  /** A failed lookup is an unknown provider. The records can then be set by hand. */
  private async lookUp(domain: string, at: Instant, signal: AbortSignal): Promise<Found> {
    const zone = await this.requests.lookUp(domain, signal).catch(() => null);
    const connect =
      zone === null || this.connect === null ? null : await this.connect.discover(zone.zone, signal).catch(() => null);
    return { zone, connect, services: new Map(), at };
  }

  private keep(domain: string, found: Found): void {
    this.kept.delete(domain);
    this.kept.set(domain, found);
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT_MAX && oldest !== undefined) this.kept.delete(oldest);
  }
}
