import type { Clock } from '@moorage/server';
import { z } from 'zod';
import { ProviderHttp } from './provider-http';
import {
  type ApiRecord,
  orNull,
  PAGES_MAX,
  type RecordAccount,
  type RecordApi,
  RecordApiError,
  TTL_S,
  type ZoneRecord,
} from './record-api';

const BASE = 'https://api.cloudflare.com/client/v4';
const PAGE = 1_000;
const record = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  content: z.string(),
  proxied: z.boolean().optional(),
});
const listed = z.object({ result: z.array(record), result_info: z.object({ total_pages: z.number() }) });
const zones = z.object({ result: z.array(z.object({ id: z.string(), name: z.string() })) });
const refusal = z.object({ errors: z.array(z.object({ code: z.number().optional(), message: z.string() })).min(1) });
/** Codes of tokens that are malformed, unknown or expired. Their status may be 400 or 403. */
const TOKEN_CODES = [1000, 6003, 6111, 9109];

/** Records at Cloudflare (API v4, DNS records of a zone). They are never proxied. */
export class CloudflareRecords implements RecordApi {
  private readonly http: ProviderHttp;
  private zoneId: string | null = null;

  constructor(
    private readonly account: RecordAccount,
    { clock }: { readonly clock: Pick<Clock, 'localNow'> },
  ) {
    this.http = new ProviderHttp({
      baseUrl: account.baseUrl ?? BASE,
      token: account.token,
      kindOf: (body) => {
        const code = refusal.safeParse(body).data?.errors[0]?.code;
        return code !== undefined && TOKEN_CODES.includes(code) ? 'auth' : null;
      },
      messageOf: (body) => refusal.safeParse(body).data?.errors[0]?.message ?? '',
      clock,
    });
  }

  async hasZone(signal: AbortSignal): Promise<boolean> {
    this.zoneId ??= await this.findZone(signal);
    return this.zoneId !== null;
  }

  async records(name: string | null, signal: AbortSignal): Promise<readonly ApiRecord[]> {
    const path = await this.path(signal);
    const found: ApiRecord[] = [];
    for (let page = 1; page <= PAGES_MAX; page++) {
      const query = { per_page: PAGE, page, name: name ?? undefined };
      const { result, result_info: info } = await this.http.send('GET', path, { query, answer: listed, signal });
      found.push(
        ...result.map(({ id, name: full, type, content, proxied = false }) => ({
          id,
          name: full.toLowerCase(),
          type,
          value: type === 'TXT' ? content.replace(/^"(.*)"$/, '$1') : content,
          proxied,
        })),
      );
      if (page >= info.total_pages) return found;
    }
    throw new RecordApiError('invalid', `the zone has more than ${PAGES_MAX * PAGE} records`);
  }

  async create({ name, type, value }: ZoneRecord, signal: AbortSignal): Promise<void> {
    const body = { name, type, content: type === 'TXT' ? `"${value}"` : value, ttl: TTL_S, proxied: false };
    await this.http.send('POST', await this.path(signal), { body, answer: z.object({}), signal });
  }

  async delete(id: string, signal: AbortSignal): Promise<void> {
    const path = `${await this.path(signal)}/${encodeURIComponent(id)}`;
    await orNull(this.http.send('DELETE', path, { answer: z.object({}), signal }));
  }

  private async path(signal: AbortSignal): Promise<string> {
    if (!(await this.hasZone(signal)))
      throw new RecordApiError('permission', `the token has no access to the zone ${this.account.zone}`);
    return `/zones/${this.zoneId ?? ''}/dns_records`;
  }

  private async findZone(signal: AbortSignal): Promise<string | null> {
    const { zone } = this.account;
    const { result } = await this.http.send('GET', '/zones', { query: { name: zone }, answer: zones, signal });
    return result.find(({ name }) => name === zone)?.id ?? null;
  }
}
