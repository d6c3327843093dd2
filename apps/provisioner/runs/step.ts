import type { DeploymentRow } from '@moorage/database';
import type { Instant, Message, Plan } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { ServerRow } from '../servers/servers';

/** Small facts that a run carries from step to step. Never a secret: the row is readable by the api. */
export type Memory = Readonly<Record<string, string | number | boolean | null | Message>>;

export interface RunRow {
  readonly id: number;
  readonly deployment_id: number;
  readonly plan: Plan;
  readonly steps: readonly string[];
  readonly position: number;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly step_started_at: Instant | null;
  readonly step_attempts: number;
  readonly failure_reason: string | null;
  readonly memory: Memory;
  readonly started_at: Instant;
  readonly finished_at: Instant | null;
}

/** What a step is told: rows as they were just before it. Whatever it decides by them it checks again in `commit`. */
export interface StepContext {
  readonly run: RunRow;
  readonly deployment: DeploymentRow;
  readonly server: ServerRow | null;
  /** When the step was begun for the first time. */
  readonly startedAt: Instant;
  readonly now: Instant;
  /** Of the claim: the server refuses scripts of a lower one, so an overtaken worker does nothing there either. */
  readonly fencingToken: number;
  /** For the step's own transactions: throws when the work belongs to somebody else by now. Call it last in each. */
  readonly assertLease: (tx: Tx) => Promise<void>;
}

/**
 * How a step ended. `commit` and `memory` are applied in the transaction that also checks the fencing token and moves the run on:
 * a worker that was overtaken changes nothing. `message`, `reason` and `failed` are for the customer.
 */
export type StepOutcome = { readonly commit?: (tx: Tx) => Promise<void>; readonly memory?: Memory } & (
  | { readonly done: true; readonly message?: Message }
  | { readonly retry_at: Instant; readonly reason: Message }
  | { readonly failed: Message }
);

/** One step of a plan. */
export interface Step {
  /**
   * Idempotent: looks before it acts, because an earlier attempt may have got this far without a record of it. An exception
   * means: try again.
   */
  run(context: StepContext, signal: AbortSignal): Promise<StepOutcome>;
}

/** An error with its message for the customer. `permanent`: trying again will not help. */
export class StepError extends Error {
  override readonly name = 'StepError';
  constructor(
    /** What the customer is told; no secret, no stack, no provider jargon. */
    readonly reason: Message,
    readonly options: {
      readonly permanent?: boolean;
      readonly retry_after_ms?: number | null;
      /** Something else is at work there: this is no failed attempt, and only the step's deadline ends it. */
      readonly waits?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(reason.detail, { cause: options.cause });
  }
}
