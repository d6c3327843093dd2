import { CloudflareRecords, DigitalOceanRecords, HetznerRecords, type RecordApi } from '@moorage/dns';
import type { DnsProviderName } from '@moorage/domain';
import { Clock } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';

const ADAPTERS = {
  cloudflare: CloudflareRecords,
  digitalocean: DigitalOceanRecords,
  hetzner: HetznerRecords,
} as const satisfies Readonly<Record<DnsProviderName, unknown>>;

/** Opens the account of a customer at a DNS provider for one call. The token exists only in the returned object. */
@Injectable()
export class DnsAccounts {
  constructor(
    private readonly clock: Clock,
    private readonly settings: ApiSettings,
  ) {}

  open(provider: DnsProviderName, { zone, token }: { readonly zone: string; readonly token: string }): RecordApi {
    const baseUrl = this.settings.dns.apiBase ?? undefined;
    return new ADAPTERS[provider]({ zone, token, baseUrl }, { clock: this.clock });
  }
}
