import {
  type CloudName,
  type HoldingKind,
  type HoldingOwner,
  type Instant,
  iso,
  type LeakFailure,
  type LeakState,
  OPEN_LEAKS,
} from '@moorage/domain';
import type { Reads, Tx } from '@moorage/server';
import type { Alerts } from './alerts';
import type { Deployment } from './entities';

/** A resource at a provider that no row and no run needs, or needed at the last check. */
export interface LeakRow {
  readonly id: number;
  readonly provider: CloudName;
  readonly kind: HoldingKind;
  readonly region: string;
  /** Provider's ID of the resource. */
  readonly holding_id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Deployment named by its labels, if it exists. */
  readonly deployment_id: number | null;
  /** Null if its price is unknown. */
  readonly micros_per_day: number | null;
  readonly state: LeakState;
  readonly first_seen_at: Instant;
  readonly last_seen_at: Instant;
  readonly missed_at: Instant | null;
  readonly times_seen: number;
  readonly decided_by: string | null;
  readonly decided_at: Instant | null;
  readonly reason: string | null;
  readonly failure: LeakFailure | null;
  readonly failure_words: string | null;
  readonly ended_at: Instant | null;
}

/** Columns of LeakRow, with the price as a number. */
export const LEAK_COLUMNS = `l.id, l.provider, l.kind, l.region, l.holding_id, l.name, l.labels, l.deployment_id,
  l.micros_per_day::float8 as micros_per_day, l.state, l.first_seen_at, l.last_seen_at, l.missed_at, l.times_seen,
  l.decided_by, l.decided_at, l.reason, l.failure, l.failure_words, l.ended_at`;

/** Locks a leak until the transaction ends. */
export async function lockLeak(tx: Tx, id: number): Promise<LeakRow | null> {
  const [row] = await tx.query<LeakRow>(`select ${LEAK_COLUMNS} from cloud_leaks l where l.id = $1 for update`, [id]);
  return row ?? null;
}

/** Stores an administrator's decision. The provisioner carries out removals and adoptions. */
export async function decideLeak(
  tx: Tx,
  id: number,
  { state, by, reason, at }: { state: 'removing' | 'adopting' | 'kept'; by: string; reason: string; at: Instant },
): Promise<void> {
  await tx.execute(
    `update cloud_leaks set state = $2, decided_by = $3, decided_at = $4, reason = $5, failure = null, failure_words = null
     where id = $1`,
    [id, state, by, iso(at), reason],
  );
}

export type KnownOwner = HoldingOwner & { readonly deployment_id: number };

/** Returns the owners with these refs. */
export async function holdingOwners(reads: Reads, refs: readonly string[]): Promise<ReadonlyMap<string, KnownOwner>> {
  const rows = await reads.query<OwnerRow>(OWNERS, [[...new Set(refs)]]);
  return new Map(
    rows.map((row) => [
      row.ref,
      {
        deployment_id: row.deployment_id,
        status: row.status,
        is_busy: row.is_busy,
        was_lost: row.was_lost,
        server:
          row.region === null
            ? null
            : { region: row.region, id: row.provider_server_id, exists: row.server_state === 'exists' },
      },
    ]),
  );
}

interface OwnerRow extends Pick<Deployment, 'ref' | 'status' | 'region'> {
  readonly deployment_id: number;
  readonly is_busy: boolean;
  readonly was_lost: boolean;
  readonly provider_server_id: string | null;
  readonly server_state: string | null;
}

const OWNERS = `
select d.ref, d.id as deployment_id, d.status,
  exists (select from runs r where r.deployment_id = d.id and r.state = 'running') as is_busy,
  d.lost_from is not null and s.removal_confirmed_at is null as was_lost,
  s.region, s.provider_server_id, s.state as server_state
from deployments d left join servers s on s.deployment_id = d.id
where d.ref = any($1)`;

/** Number of leaks named in an alert. */
const NAMED_MAX = 10;
const KIND = 'leaks_cost';

/**
 * Raises the alert while confirmed leaks cost more than `dollarsPerDay`, and resolves it otherwise. Kept leaks do not
 * count.
 */
export async function reportLeakCosts(tx: Tx, alerts: Alerts, dollarsPerDay: number): Promise<void> {
  const [sum] = await tx.query<{ micros: number; count: number; first: string[] | null }>(COSTS, [
    OPEN_LEAKS.filter((state) => state !== 'suspected'),
    NAMED_MAX,
  ]);
  const { micros = 0, count = 0, first } = sum ?? {};
  if (micros <= dollarsPerDay * MICROS) return alerts.resolve(tx, { kind: KIND });
  const facts = { dollars_per_day: (micros / MICROS).toFixed(2), count, most_costly: (first ?? []).join(', ') };
  await alerts.raise(tx, { kind: KIND, facts });
}

const MICROS = 1_000_000;

const COSTS = `
select coalesce(sum(micros_per_day), 0)::float8 as micros, count(*)::int as count,
  (array_agg(provider || ' ' || kind || ' ' || name order by micros_per_day desc, id))[1:$2] as first
from cloud_leaks where state = any($1) and micros_per_day > 0`;
