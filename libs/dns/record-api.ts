/** A record of a zone, with its full name in lower case. */
export interface ZoneRecord {
  readonly name: string;
  readonly type: string;
  readonly value: string;
}

export interface ApiRecord extends ZoneRecord {
  readonly id: string;
  /** True if the provider answers with addresses of its own proxy instead of the value. */
  readonly proxied: boolean;
}

/** API of a provider in which records can be added and removed one by one. Every failure is a `RecordApiError`. */
export interface RecordApi {
  /** Returns whether the token's account has the zone. */
  hasZone(signal: AbortSignal): Promise<boolean>;
  /** Returns the records of the zone, or only those with this full name. */
  records(name: string | null, signal: AbortSignal): Promise<readonly ApiRecord[]>;
  create(record: ZoneRecord, signal: AbortSignal): Promise<void>;
  /** Does nothing if the record does not exist. */
  delete(id: string, signal: AbortSignal): Promise<void>;
}

/** The zone and the token of an account at a provider. */
export interface RecordAccount {
  readonly zone: string;
  readonly token: string;
  /** Address of the API instead of the public one, for labs and tests. */
  readonly baseUrl?: string | undefined;
}

/**
 * `auth` means that the token is invalid, `permission` that it may not do this. `transient` leaves open whether the
 * request was carried out.
 */
export type RecordApiErrorKind =
  'auth' | 'permission' | 'not_found' | 'conflict' | 'rate_limit' | 'invalid' | 'transient';

export class RecordApiError extends Error {
  override readonly name = 'RecordApiError';
  constructor(
    readonly kind: RecordApiErrorKind,
    /** The provider's message without secrets, for the log and the administrator. */
    message: string,
    /** Delay requested by the provider, in milliseconds. */
    readonly retry_after_ms: number | null = null,
  ) {
    super(message);
  }
}

/** TTL of every record in seconds. Short, because a server may get another address. */
export const TTL_S = 60;

/** Maximum number of pages per list, in case a provider never marks the last page. */
export const PAGES_MAX = 200;

/** Returns null if the resource does not exist. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RecordApiError && error.kind === 'not_found') return null;
    throw error;
  }
}

/** Converts between full names and names relative to a zone, in which `@` is the zone itself. */
export const relativeName = (name: string, zone: string): string =>
  name === zone ? '@' : name.slice(0, -zone.length - 1);
export const fullName = (relative: string, zone: string): string =>
  relative === '@' ? zone : `${relative.toLowerCase()}.${zone}`;
