import { type Instant, MINUTE_MS } from '../time';

/** Time for which records must belong to nothing before they are removed. They are looked at again after it. */
export const UNWANTED_RECORDS_MS = 10 * MINUTE_MS;
/** Changes of one sweep of each kind. The next sweep continues. */
export const RECORD_CHANGES_MAX = 50;

/** A name that was given to a deployment and not released. */
export interface GivenName {
  readonly name: string;
  /** Address of its deployment, or null while it has none. */
  readonly address: string | null;
  /** Its deployment runs or will run under this name. */
  readonly inUse: boolean;
}

/** A name whose records were set, or found with our mark, as stored. */
export interface StoredRecords {
  readonly name: string;
  readonly unwantedSince: Instant | null;
}

/** A name with our mark in the zone. */
export interface FoundRecords {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly wildcard: readonly string[];
}

export interface RecordSweep {
  readonly put: readonly { readonly name: string; readonly address: string }[];
  /** Names whose records belong to nothing, seen for the first time. */
  readonly suspect: readonly string[];
  /** Names that were suspected and are in use again. */
  readonly clear: readonly string[];
  readonly remove: readonly string[];
  /** Names of deployments that are gone, which have no records. */
  readonly release: readonly string[];
}

/**
 * Compares the zone with the deployments. Records are repaired only for names whose records were set before, because a
 * run sets the first ones. They are removed only if two sweeps, ten minutes apart, found no deployment for them.
 */
export function planRecordSweep({
  given,
  stored,
  found,
  now,
}: {
  readonly given: readonly GivenName[];
  readonly stored: readonly StoredRecords[];
  readonly found: readonly FoundRecords[];
  readonly now: Instant;
}): RecordSweep {
  const used = new Map(given.filter(({ inUse }) => inUse).map((one) => [one.name, one]));
  const zone = new Map(found.map((one) => [one.name, one]));
  const known = new Map(stored.map((one) => [one.name, one]));
  const put = stored.flatMap(({ name }) => {
    const address = used.get(name)?.address ?? null;
    const records = zone.get(name);
    const isRight = [records?.addresses, records?.wildcard].every((one) => one?.length === 1 && one[0] === address);
    return address === null || isRight ? [] : [{ name, address }];
  });
  const unwanted = [...new Set([...known.keys(), ...zone.keys()])].filter((name) => !used.has(name));
  const since = (name: string): Instant | null => known.get(name)?.unwantedSince ?? null;
  const isOver = (name: string): boolean => (since(name) ?? now) <= now - UNWANTED_RECORDS_MS;
  const limited = <T>(all: readonly T[]): T[] => all.slice(0, RECORD_CHANGES_MAX);
  return {
    put: limited(put),
    suspect: limited(unwanted.filter((name) => since(name) === null)),
    clear: limited([...used.keys()].filter((name) => since(name) !== null)),
    remove: limited(unwanted.filter(isOver)),
    release: limited(given.filter(({ name, inUse }) => !inUse && !known.has(name) && !zone.has(name))).map(
      ({ name }) => name,
    ),
  };
}
