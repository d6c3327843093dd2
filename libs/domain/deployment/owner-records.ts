import type { Message } from '../messages/message';
import { OWNER_RECORD_MESSAGES } from '../messages/owner-records';
import { parseAddress } from '../servers/address';

/** Records of a deployment that one call creates. */
export const OWNER_RECORDS_MAX = 30;

export const DNS_TOKEN_LENGTH_MAX = 500;

/** Returns why a text cannot be a provider's token, or null. The message does not repeat it. */
export const checkDnsToken = (token: string): Message | null =>
  /^[\x21-\x7e]+$/.test(token) && token.length <= DNS_TOKEN_LENGTH_MAX
    ? null
    : OWNER_RECORD_MESSAGES.token_form({ most: DNS_TOKEN_LENGTH_MAX });

/** A record that the owner of a domain must create. */
export interface OwnerRecord {
  readonly type: 'A' | 'AAAA';
  /** Full name in lower case, also `*.example.com`. */
  readonly host: string;
  readonly value: string;
}

/** A record that the zone contains. */
export interface FoundRecord {
  readonly type: string;
  readonly name: string;
  readonly value: string;
  /** True if the provider answers with addresses of its own proxy instead of the value. */
  readonly proxied: boolean;
}

/** Identifies an existing record that the owner has agreed to replace. */
export type AgreedRecord = Pick<FoundRecord, 'type' | 'name' | 'value'>;

export interface RecordChange<Found extends FoundRecord> {
  readonly record: OwnerRecord;
  /** False if the zone already contains the record. */
  readonly create: boolean;
  /** Existing records that must be removed before the record can be created: aliases and its own proxied form. */
  readonly before: readonly Found[];
  /** Existing records that are removed once the record exists, so that the name always resolves. */
  readonly after: readonly Found[];
}

/** Only these types decide where a name leads. All others are never changed. */
const LEADING = ['A', 'AAAA', 'CNAME'];

/**
 * Returns the changes that make a name lead to the server and to nowhere else. `alsoRight` is another address of the
 * server, whose record may exist beside it.
 */
export function recordChange<Found extends FoundRecord>(
  record: OwnerRecord,
  found: readonly Found[],
  alsoRight: string | null,
): RecordChange<Found> {
  const leading = found.filter(({ name, type }) => name === record.host && LEADING.includes(type));
  const has = (one: Found, value: string): boolean => one.type !== 'CNAME' && sameAddress(one.value, value);
  const isRight = (one: Found): boolean => has(one, record.value) && !one.proxied;
  const wrong = leading.filter((one) => !isRight(one) && !(alsoRight !== null && has(one, alsoRight) && !one.proxied));
  const blocks = (one: Found): boolean => one.type === 'CNAME' || has(one, record.value);
  return {
    record,
    create: !leading.some(isRight),
    before: wrong.filter(blocks),
    after: wrong.filter((one) => !blocks(one)),
  };
}

/** Returns the records that would be replaced without the owner's consent. */
export function disagreed<Found extends FoundRecord>(
  changes: readonly RecordChange<Found>[],
  agreed: readonly AgreedRecord[],
): Found[] {
  return changes
    .flatMap(({ before, after }) => [...before, ...after])
    .filter(
      (one) => !agreed.some(({ type, name, value }) => type === one.type && name === one.name && value === one.value),
    );
}

const sameAddress = (one: string, other: string): boolean =>
  one === other || (parseAddress(one)?.text ?? one) === (parseAddress(other)?.text ?? other);
