import type { Clock } from '@moorage/server';
import { z } from 'zod';
import { ProviderHttp } from './provider-http';
import {
  type ApiRecord,
  fullName,
  orNull,
  PAGES_MAX,
  type RecordAccount,
  type RecordApi,
  RecordApiError,
  relativeName,
  TTL_S,
  type ZoneRecord,
} from './record-api';

const BASE = 'https://api.digitalocean.com';
const PAGE = 200;
const listed = z.object({
  domain_records: z.array(z.object({ id: z.number(), name: z.string(), type: z.string(), data: z.string() })),
  links: z.object({ pages: z.object({ next: z.string().optional() }).optional() }).optional(),
});
const refusal = z.object({ message: z.string() });

/** Records at DigitalOcean (API v2, records of a domain). Names are relative to the zone. */
export class DigitalOceanRecords implements RecordApi {
  private readonly http: ProviderHttp;
  private readonly path: string;

  constructor(
    private readonly account: RecordAccount,
    { clock }: { readonly clock: Pick<Clock, 'localNow'> },
  ) {
    this.path = `/v2/domains/${account.zone}/records`;
    this.http = new ProviderHttp({
      baseUrl: account.baseUrl ?? BASE,
      token: account.token,
      messageOf: (body) => refusal.safeParse(body).data?.message ?? '',
      resetHeader: 'ratelimit-reset',
      clock,
    });
  }

  async hasZone(signal: AbortSignal): Promise<boolean> {
    const query = { per_page: 1 };
    return (await orNull(this.http.send('GET', this.path, { query, answer: listed, signal }))) !== null;
  }

  async records(name: string | null, signal: AbortSignal): Promise<readonly ApiRecord[]> {
    const found: ApiRecord[] = [];
    for (let page = 1; page <= PAGES_MAX; page++) {
      const query = { per_page: PAGE, page, name: name ?? undefined };
      const answer = await this.http.send('GET', this.path, { query, answer: listed, signal });
      found.push(
        ...answer.domain_records.map(({ id, name: relative, type, data }) => ({
          id: String(id),
          name: fullName(relative, this.account.zone),
          type,
          value: data,
          proxied: false,
        })),
      );
      if (answer.links?.pages?.next === undefined) return found;
    }
    throw new RecordApiError('invalid', `the zone has more than ${PAGES_MAX * PAGE} records`);
  }

  async create({ name, type, value }: ZoneRecord, signal: AbortSignal): Promise<void> {
    const body = { name: relativeName(name, this.account.zone), type, data: value, ttl: TTL_S };
    await this.http.send('POST', this.path, { body, answer: z.object({}), signal });
  }

  async delete(id: string, signal: AbortSignal): Promise<void> {
    const path = `${this.path}/${encodeURIComponent(id)}`;
    await orNull(this.http.send('DELETE', path, { answer: z.object({}), signal }));
  }
}
