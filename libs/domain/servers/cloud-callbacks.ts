import type { StepName } from '../deployment/plans';
import type { DeploymentStatus } from '../deployment/status';
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../time';

/**
 * Effect of a callback, which only reports that something happened to a server (decision 37). The details are read from
 * the provider and the server by the same checks as without callbacks.
 */
export type CallbackEffect = 'wake_run' | 'check_server' | 'none';

/** Steps that poll until a provider or a new server has made progress. */
const POLLING: readonly StepName[] = ['create-server', 'wait-for-ssh', 'delete-server', 'confirm'];

/** Statuses of a deployment that runs on its server. */
const RUNNING: readonly DeploymentStatus[] = ['ACTIVE', 'READY', 'DNS_VALIDATION', 'DNS_FAILED'];

export interface CallbackSituation {
  readonly status: DeploymentStatus;
  /** Current step of the deployment's run, or null if there is no run. */
  readonly step: string | null;
  /**
   * Failed attempts of the step. Callbacks do not shorten the pauses after failures, because they would use up the
   * remaining attempts.
   */
  readonly errors: number;
}

/** Decides the effect of a callback. It wakes a polling step, or triggers a check of a running server. */
export function callbackEffect({ status, step, errors }: CallbackSituation): CallbackEffect {
  if (POLLING.some((polling) => polling === step)) return errors === 0 ? 'wake_run' : 'none';
  return RUNNING.includes(status) ? 'check_server' : 'none';
}

/** Maximum age of an event. After that, the regular checks have already covered the server. */
const EVENT_AGE_MAX_MS = HOUR_MS;
/** Maximum lead of a provider's clock. */
const EVENT_AHEAD_MAX_MS = 5 * MINUTE_MS;

/** Returns whether an event is neither too old nor too far in the future. */
export const isCurrentEvent = (sentAt: Instant, now: Instant): boolean =>
  sentAt >= now - EVENT_AGE_MAX_MS && sentAt <= now + EVENT_AHEAD_MAX_MS;

const EVENT_SLOT_MS = 2 * SECOND_MS;
const COMPARISON_SLOT_MS = 30 * SECOND_MS;
const nextSlot = (now: Instant, slot_ms: number): Instant => Math.ceil(now / slot_ms) * slot_ms;

/** Returns when an event is processed. Events within two seconds are processed together. */
export const eventDueAt = (now: Instant): Instant => nextSlot(now, EVENT_SLOT_MS);

/** Returns when a provider's servers are compared with the stored rows after an event, at most twice a minute. */
export const comparisonDueAt = (now: Instant): Instant => nextSlot(now, COMPARISON_SLOT_MS);
