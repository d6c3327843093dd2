import { type ApiRecord, type RecordApi, RecordApiError, type RecordApiErrorKind, type ZoneRecord } from '@moorage/dns';
import {
  addressType,
  markedNames,
  type PlatformDns,
  PlatformDnsError,
  type PlatformDnsErrorKind,
  type PlatformRecords,
} from './platform-dns';

/**
 * Platform DNS over the API of a provider. It has no transactions, so the mark is created first and removed last. An interrupted
 * call is therefore visible in the list, and repeating it completes it.
 */
export class ApiPlatformDns implements PlatformDns {
  constructor(
    private readonly api: RecordApi,
    private readonly mark: () => Promise<string>,
  ) {}

  list(signal: AbortSignal): Promise<readonly PlatformRecords[]> {
    return mapped(async () => markedNames(await this.api.records(null, signal), await this.mark()));
  }

  put({ name, address }: { readonly name: string; readonly address: string }, signal: AbortSignal): Promise<void> {
    return mapped(async () => {
      const mark = await this.mark();
      const wanted: ZoneRecord[] = [name, `*.${name}`].map((each) => ({
        name: each,
        type: addressType(address),
        value: address,
      }));
      const found = await this.recordsOf(name, signal);
      if (!isMarked(found, mark)) {
        if (found.length > 0)
          throw new PlatformDnsError('conflict', `${name} has records that this installation did not create`);
        await this.api.create({ name, type: 'TXT', value: mark }, signal);
      }
      for (const record of wanted) if (!found.some((one) => isSame(one, record))) await this.api.create(record, signal);
      const wrong = found.filter((one) => isAddress(one) && !wanted.some((record) => isSame(one, record)));
      for (const { id } of wrong) await this.api.delete(id, signal);
    });
  }

  remove(name: string, signal: AbortSignal): Promise<void> {
    return mapped(async () => {
      const mark = await this.mark();
      const found = await this.recordsOf(name, signal);
      if (!isMarked(found, mark)) return;
      for (const { id } of found.filter(isAddress)) await this.api.delete(id, signal);
      for (const { id } of found.filter((one) => isMarked([one], mark))) await this.api.delete(id, signal);
    });
  }

  private async recordsOf(name: string, signal: AbortSignal): Promise<ApiRecord[]> {
    return [...(await this.api.records(name, signal)), ...(await this.api.records(`*.${name}`, signal))];
  }
}

const isAddress = ({ type }: ZoneRecord): boolean => type === 'A' || type === 'AAAA';
const isMarked = (records: readonly ZoneRecord[], mark: string): boolean =>
  records.some(({ type, value }) => type === 'TXT' && value === mark);
const isSame = (one: ZoneRecord, other: ZoneRecord): boolean =>
  one.name === other.name && one.type === other.type && one.value === other.value;

const KINDS: Readonly<Partial<Record<RecordApiErrorKind, PlatformDnsErrorKind>>> = {
  auth: 'refused',
  permission: 'refused',
  invalid: 'invalid',
  not_found: 'invalid',
  rate_limit: 'rate_limit',
};

async function mapped<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof RecordApiError)) throw error;
    throw new PlatformDnsError(KINDS[error.kind] ?? 'transient', error.message, error.retry_after_ms);
  }
}
