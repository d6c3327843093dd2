import type { DeploymentRow, Run } from '@moorage/database';
import type { Instant, Message } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { ServerRow } from '../server-store/server-store';

export type RunRow = Readonly<Run>;
export type Memory = RunRow['memory'];

/** Input of a step, a snapshot of the rows taken before it starts. The step checks its decisions again in `commit`. */
export interface StepContext {
  readonly run: RunRow;
  readonly deployment: DeploymentRow;
  readonly server: ServerRow | null;
  /** Time at which the step was started first. */
  readonly startedAt: Instant;
  readonly now: Instant;
  /**
   * Fencing token of the claim. The server rejects scripts with a lower token, so a stale worker has no effect there
   * either.
   */
  readonly fencingToken: number;
  /** Throws if another worker has taken over the work. Call it at the end of each of the step's own transactions. */
  readonly assertLease: (tx: Tx) => Promise<void>;
}

/**
 * Outcome of a step. `commit` and `memory` are applied in the transaction that also checks the fencing token and
 * advances the run, so a stale worker changes nothing. `message`, `reason` and `failed` are for the customer.
 */
export type StepOutcome = { readonly commit?: (tx: Tx) => Promise<void>; readonly memory?: Memory } & (
  | { readonly done: true; readonly message?: Message }
  | { readonly retry_at: Instant; readonly reason: Message }
  | { readonly failed: Message }
);

/** One step of a plan. */
export interface Step {
  /**
   * Executes the step. Idempotent, and checks before it acts, because an earlier attempt may have got this far without
   * a record of it. An exception means that it is retried.
   */
  run(context: StepContext, signal: AbortSignal): Promise<StepOutcome>;
}

/** An error with a message for the customer. `permanent` means that a retry will not help. */
export class StepError extends Error {
  override readonly name = 'StepError';
  constructor(
    /** Message for the customer without secrets, stack traces or provider jargon. */
    readonly reason: Message,
    readonly options: {
      readonly permanent?: boolean;
      readonly retry_after_ms?: number | null;
      /**
       * Set if another process holds the server. This is not a failed attempt, and only the step's deadline ends it.
       */
      readonly waits?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(reason.detail, { cause: options.cause });
  }
}
