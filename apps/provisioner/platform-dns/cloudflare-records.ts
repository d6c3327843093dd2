import { z } from 'zod';
import { CloudError } from '../clouds/cloud';
import { CloudHttp, type LiveParts, orNull, PAGES_MAX } from '../clouds/live/cloud-http';
import type { ZoneRecord } from './platform-dns';
import type { ApiRecord, RecordApi } from './record-api';
import { TTL_S } from './platform-dns';

const BASE = 'https://api.cloudflare.com/client/v4';
const PAGE = 1_000;
const record = z.object({ id: z.string(), name: z.string(), type: z.string(), content: z.string() });
const listed = z.object({ result: z.array(record), result_info: z.object({ total_pages: z.number() }) });
const zones = z.object({ result: z.array(z.object({ id: z.string(), name: z.string() })) });
const refusal = z.object({ errors: z.array(z.object({ message: z.string() })).min(1) });

/** Records at Cloudflare (API v4, DNS records of a zone). They are never proxied. */
export class CloudflareRecords implements RecordApi {
  private readonly http: CloudHttp;
  private zoneId: string | null = null;

  constructor(
    private readonly account: { readonly zone: string; readonly token: string; readonly baseUrl?: string | undefined },
    { clock }: Pick<LiveParts, 'clock'>,
  ) {
    this.http = new CloudHttp({
      baseUrl: account.baseUrl ?? BASE,
      authorization: () => Promise.resolve(`Bearer ${account.token}`),
      secrets: [account.token],
      kindOf: () => null,
      messageOf: (body) => refusal.safeParse(body).data?.errors[0]?.message ?? '',
      clock,
    });
  }

  async records(name: string | null, signal: AbortSignal): Promise<readonly ApiRecord[]> {
    const path = await this.path(signal);
    const found: ApiRecord[] = [];
    for (let page = 1; page <= PAGES_MAX; page++) {
      const query = { per_page: PAGE, page, name: name ?? undefined };
      const { result, result_info: info } = await this.http.send('GET', path, { query, answer: listed, signal });
      found.push(
        ...result.map(({ id, name: full, type, content }) => ({
          id,
          name: full.toLowerCase(),
          type,
          value: type === 'TXT' ? content.replace(/^"(.*)"$/, '$1') : content,
        })),
      );
      if (page >= info.total_pages) return found;
    }
    throw new CloudError('invalid', `the zone has more than ${PAGES_MAX * PAGE} records`);
  }

  async create({ name, type, value }: ZoneRecord, signal: AbortSignal): Promise<void> {
    const body = { name, type, content: type === 'TXT' ? `"${value}"` : value, ttl: TTL_S, proxied: false };
    await this.http.send('POST', await this.path(signal), { body, answer: z.object({}), signal });
  }

  async delete(id: string, signal: AbortSignal): Promise<void> {
    await orNull(this.http.send('DELETE', `${await this.path(signal)}/${id}`, { answer: z.object({}), signal }));
  }

  private async path(signal: AbortSignal): Promise<string> {
    this.zoneId ??= await this.findZone(signal);
    return `/zones/${this.zoneId}/dns_records`;
  }

  private async findZone(signal: AbortSignal): Promise<string> {
    const { zone } = this.account;
    const { result } = await this.http.send('GET', '/zones', { query: { name: zone }, answer: zones, signal });
    const found = result.find(({ name }) => name === zone);
    if (found === undefined) throw new CloudError('permission', `the token has no access to the zone ${zone}`);
    return found.id;
  }
}
