import type { Facts, Instant, LogLevel } from '@moorage/domain';
import type { Tx } from '@moorage/server';

/** A container as the server reports it, stored with the follow of its deployment. */
export interface StoredContainer {
  readonly name: string;
  readonly state: string;
  readonly health: string;
  readonly restarts: number;
  readonly started_at: string | null;
  readonly memory_bytes: number | null;
  readonly declared: boolean;
}

/** A row of `log_follows`, a deployment whose logs are being read. */
export interface LogFollowRow {
  readonly deployment_id: number;
  readonly wanted_until: Instant;
  readonly started_at: Instant;
  readonly state: 'connecting' | 'following' | 'unreachable';
  readonly message: string | null;
  readonly message_code: string | null;
  readonly message_facts: Facts | null;
  readonly containers: readonly StoredContainer[];
  readonly left_out: number;
  readonly floor: string;
}

/** A line found by a search. */
export interface FoundLine {
  readonly stamp: string;
  readonly container: string;
  readonly level: LogLevel;
  readonly text: string;
}

/** A row of `log_searches`. */
export interface LogSearchRow {
  readonly deployment_id: number;
  readonly contains: string;
  readonly state: 'asked' | 'done' | 'failed';
  readonly lines: readonly FoundLine[];
  readonly left_out: number;
  readonly asked_at: Instant;
  readonly answered_at: Instant | null;
}

/** A row of `container_restarts`. */
export interface ContainerRestartRow {
  readonly id: number;
  readonly deployment_id: number;
  readonly container: string;
  readonly requested_by: number;
  readonly state: 'asked' | 'done' | 'failed';
  readonly failure_reason: string | null;
  readonly failure_code: string | null;
  readonly failure_facts: Facts | null;
  readonly requested_at: Instant;
  readonly finished_at: Instant | null;
}

/** Locks the follow of a deployment and returns it, or null if its logs are not being read. */
export async function lockLogFollow(tx: Tx, deploymentId: number): Promise<LogFollowRow | null> {
  const [row] = await tx.query<LogFollowRow>('select * from log_follows where deployment_id = $1 for update', [
    deploymentId,
  ]);
  return row ?? null;
}
