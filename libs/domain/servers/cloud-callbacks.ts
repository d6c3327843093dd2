import type { StepName } from '../deployment/plans';
import type { DeploymentStatus } from '../deployment/status';
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../time';

/**
 * A callback says only that something happened to a server (decisions 37). What happened is read from the provider and the
 * server, by the same checks as without callbacks.
 */
export type CallbackEffect = 'wake_run' | 'check_server' | 'none';

/** Steps that poll until a provider or a new server has got somewhere. */
const POLLING: readonly StepName[] = ['create-server', 'wait-for-ssh', 'delete-server', 'confirm'];

/** Statuses of a deployment that runs on its server. */
const RUNNING: readonly DeploymentStatus[] = ['ACTIVE', 'READY', 'DNS_VALIDATION', 'DNS_FAILED'];

export interface CallbackSituation {
  readonly status: DeploymentStatus;
  /** The step that the deployment's run is in, or null if there is no run. */
  readonly step: string | null;
  /** Failed attempts of that step. Their pauses are kept: callbacks must not use up the attempts that are left. */
  readonly errors: number;
}

export function callbackEffect({ status, step, errors }: CallbackSituation): CallbackEffect {
  if (POLLING.some((polling) => polling === step)) return errors === 0 ? 'wake_run' : 'none';
  return RUNNING.includes(status) ? 'check_server' : 'none';
}

/** Older events are ignored: the regular checks have seen their server since. */
const EVENT_AGE_MAX_MS = HOUR_MS;
/** Clocks of providers may be ahead of ours by this much. */
const EVENT_AHEAD_MAX_MS = 5 * MINUTE_MS;

export const isCurrentEvent = (sentAt: Instant, now: Instant): boolean =>
  sentAt >= now - EVENT_AGE_MAX_MS && sentAt <= now + EVENT_AHEAD_MAX_MS;

const EVENT_SLOT_MS = 2 * SECOND_MS;
const COMPARISON_SLOT_MS = 30 * SECOND_MS;
const nextSlot = (now: Instant, slot_ms: number): Instant => Math.ceil(now / slot_ms) * slot_ms;

/** Returns when an event is followed up. Events within two seconds are followed up together. */
export const eventDueAt = (now: Instant): Instant => nextSlot(now, EVENT_SLOT_MS);

/** Returns when a provider is compared with our rows after an event, at most twice a minute. */
export const comparisonDueAt = (now: Instant): Instant => nextSlot(now, COMPARISON_SLOT_MS);
