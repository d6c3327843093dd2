import { z } from 'zod';
import { CloudError } from '../clouds/cloud';
import { CloudHttp, type LiveParts, orNull, PAGES_MAX } from '../clouds/live/cloud-http';
import { TTL_S, type ZoneRecord } from './platform-dns';
import type { ApiRecord, RecordApi } from './record-api';

const BASE = 'https://api.digitalocean.com';
const PAGE = 200;
const listed = z.object({
  domain_records: z.array(z.object({ id: z.number(), name: z.string(), type: z.string(), data: z.string() })),
  links: z.object({ pages: z.object({ next: z.string().optional() }).optional() }).optional(),
});
const refusal = z.object({ message: z.string() });

/** Records at DigitalOcean (API v2, records of a domain). Names are relative to the zone. */
export class DigitalOceanRecords implements RecordApi {
  private readonly http: CloudHttp;
  private readonly path: string;

  constructor(
    private readonly account: { readonly zone: string; readonly token: string; readonly baseUrl?: string | undefined },
    { clock }: Pick<LiveParts, 'clock'>,
  ) {
    this.path = `/v2/domains/${account.zone}/records`;
    this.http = new CloudHttp({
      baseUrl: account.baseUrl ?? BASE,
      authorization: () => Promise.resolve(`Bearer ${account.token}`),
      secrets: [account.token],
      kindOf: () => null,
      messageOf: (body) => refusal.safeParse(body).data?.message ?? '',
      resetHeader: 'ratelimit-reset',
      clock,
    });
  }

  async records(name: string | null, signal: AbortSignal): Promise<readonly ApiRecord[]> {
    const found: ApiRecord[] = [];
    for (let page = 1; page <= PAGES_MAX; page++) {
      const query = { per_page: PAGE, page, name: name ?? undefined };
      const answer = await this.http.send('GET', this.path, { query, answer: listed, signal });
      found.push(
        ...answer.domain_records.map(({ id, name: relative, type, data }) => ({
          id: String(id),
          name: this.full(relative),
          type,
          value: data,
        })),
      );
      if (answer.links?.pages?.next === undefined) return found;
    }
    throw new CloudError('invalid', `the zone has more than ${PAGES_MAX * PAGE} records`);
  }

  async create({ name, type, value }: ZoneRecord, signal: AbortSignal): Promise<void> {
    const body = { name: this.relative(name), type, data: value, ttl: TTL_S };
    await this.http.send('POST', this.path, { body, answer: z.object({}), signal });
  }

  async delete(id: string, signal: AbortSignal): Promise<void> {
    await orNull(this.http.send('DELETE', `${this.path}/${id}`, { answer: z.object({}), signal }));
  }

  private full(relative: string): string {
    const name = relative.toLowerCase();
    return name === '@' ? this.account.zone : `${name}.${this.account.zone}`;
  }

  private relative(name: string): string {
    return name === this.account.zone ? '@' : name.slice(0, -this.account.zone.length - 1);
  }
}
