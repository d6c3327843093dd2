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

const BASE = 'https://api.hetzner.cloud/v1';
const PAGE = 50;
const recordSet = z.object({ name: z.string(), type: z.string(), records: z.array(z.object({ value: z.string() })) });
const listed = z.object({
  rrsets: z.array(recordSet),
  meta: z.object({ pagination: z.object({ next_page: z.number().nullish() }) }).optional(),
});
const refusal = z.object({ error: z.object({ message: z.string() }) });

/**
 * Records at Hetzner (Cloud API v1, record sets of a zone). Values are added to and removed from the sets, so the id of a
 * record is its set and value.
 */
export class HetznerRecords implements RecordApi {
  private readonly http: ProviderHttp;
  private readonly zonePath: string;

  constructor(
    private readonly account: RecordAccount,
    { clock }: { readonly clock: Pick<Clock, 'localNow'> },
  ) {
    this.zonePath = `/zones/${account.zone}`;
    this.http = new ProviderHttp({
      baseUrl: account.baseUrl ?? BASE,
      token: account.token,
      messageOf: (body) => refusal.safeParse(body).data?.error.message ?? '',
      resetHeader: 'ratelimit-reset',
      clock,
    });
  }

  async hasZone(signal: AbortSignal): Promise<boolean> {
    return (await orNull(this.http.send('GET', this.zonePath, { answer: z.object({}), signal }))) !== null;
  }

  async records(name: string | null, signal: AbortSignal): Promise<readonly ApiRecord[]> {
    const { zone } = this.account;
    const found: ApiRecord[] = [];
    for (let page = 1; page <= PAGES_MAX; page++) {
      const query = { per_page: PAGE, page, name: name === null ? undefined : relativeName(name, zone) };
      const answer = await this.http.send('GET', `${this.zonePath}/rrsets`, { query, answer: listed, signal });
      for (const { name: relative, type, records } of answer.rrsets)
        found.push(
          ...records.map(({ value }) => ({
            id: `${relative} ${type} ${value}`,
            name: fullName(relative, zone),
            type,
            value: type === 'TXT' ? value.replace(/^"(.*)"$/, '$1') : value,
            proxied: false,
          })),
        );
      if (answer.meta?.pagination.next_page == null) return found;
    }
    throw new RecordApiError('invalid', `the zone has more than ${PAGES_MAX * PAGE} record sets`);
  }

  /** An existing set keeps its TTL, because Hetzner rejects another one. */
  async create({ name: full, type, value }: ZoneRecord, signal: AbortSignal): Promise<void> {
    const name = relativeName(full, this.account.zone);
    const records = [{ value: type === 'TXT' ? `"${value}"` : value }];
    const answer = z.object({});
    try {
      const body = { name, type, ttl: TTL_S, records };
      await this.http.send('POST', `${this.zonePath}/rrsets`, { body, answer, signal });
    } catch (error) {
      if (!(error instanceof RecordApiError && error.kind === 'conflict')) throw error;
      const path = `${this.setPath(name, type)}/actions/add_records`;
      await this.http.send('POST', path, { body: { records }, answer, signal });
    }
  }

  async delete(id: string, signal: AbortSignal): Promise<void> {
    const [relative = '', type = '', ...value] = id.split(' ');
    const body = { records: [{ value: value.join(' ') }] };
    const path = `${this.setPath(relative, type)}/actions/remove_records`;
    await orNull(this.http.send('POST', path, { body, answer: z.object({}), signal }));
  }

  private setPath(relative: string, type: string): string {
    return `${this.zonePath}/rrsets/${encodeURIComponent(relative)}/${encodeURIComponent(type)}`;
  }
}
