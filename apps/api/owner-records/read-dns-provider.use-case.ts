import type { DnsProviderAnswer } from '@moorage/contracts';
import { type FoundZone, zoneLookup, type ZoneLookup } from '@moorage/dns';
import {
  CONSTANTS,
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

const LOOKUP_MS = 8 * SECOND_MS;
const KEPT_MS = 5 * MINUTE_MS;
const KEPT_MAX = 1_000;

/** Finds out where the zone of a domain is managed. */
@Injectable()
export class ReadDnsProvider {
  private readonly lookUp: ZoneLookup;
  /** By domain, the oldest first. */
  private readonly kept = new Map<string, { readonly found: FoundZone | null; readonly at: Instant }>();

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly wanted: WantedRecords,
    private readonly settings: ApiSettings,
  ) {
    this.lookUp = zoneLookup(settings.dns.resolvers);
  }

  async run(named: NamedDomain): Promise<DnsProviderAnswer> {
    const domain = await this.db.tx('owner-records.domain', (tx) => this.wanted.domain(tx, named));
    const found = await this.zoneOf(domain);
    const servers = found?.nameServers ?? [];
    return {
      domain,
      zone: found?.zone ?? null,
      name_servers: [...servers],
      provider: providerOfNameServers(servers),
    };
  }

  private async zoneOf(domain: string): Promise<FoundZone | null> {
    // Public DNS does not contain the sandbox.
    if (hasSandbox(this.settings.clouds) && isWithinDomain(domain, CONSTANTS.sandboxZone)) return null;
    const now = this.clock.localNow();
    const known = this.kept.get(domain);
    if (known !== undefined && now - known.at < KEPT_MS) return known.found;
    const found = await this.lookUp(domain, AbortSignal.timeout(LOOKUP_MS)).catch(() => null);
    this.kept.delete(domain);
    this.kept.set(domain, { found, at: now });
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT_MAX && oldest !== undefined) this.kept.delete(oldest);
    return found;
  }
}
