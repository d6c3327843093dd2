import { DAY_MS, type Instant, MINUTE_MS } from '../time';
import type { DeploymentStatus } from './status';

/**
 * Result of basic monitoring (decision 41), which checks whether a running deployment responds at its address.
 * `unknown` means that it has not been checked since it started.
 */
export const REACHABILITY_STATES = ['unknown', 'reachable', 'unreachable'] as const;
export type ReachabilityState = (typeof REACHABILITY_STATES)[number];

/** Statuses that are checked. No response is expected in RESTARTING. */
export const MONITORED: readonly DeploymentStatus[] = ['ACTIVE', 'READY'];

export interface Outage {
  /** Time of the first failed check. */
  readonly from: Instant;
  /** Null while the outage continues. */
  readonly to: Instant | null;
}

export interface Reachability {
  readonly state: ReachabilityState;
  /** Start of the state, or null if the state is unknown. */
  readonly since: Instant | null;
  readonly checked_at: Instant | null;
  /** Failed checks in a row, and the time of the first of them. */
  readonly failures: number;
  readonly failed_since: Instant | null;
  /** Newest first, at most ten. */
  readonly outages: readonly Outage[];
  /** Start times of the outages reported by email, newest first. */
  readonly mailed: readonly Instant[];
}

export const NEVER_CHECKED: Reachability = {
  state: 'unknown',
  since: null,
  checked_at: null,
  failures: 0,
  failed_since: null,
  outages: [],
  mailed: [],
};

const CHECK_EVERY_MS = 5 * MINUTE_MS;
/** Interval to the next check after a possibly brief failure, or after an inconclusive check. */
export const CHECK_AGAIN_MS = MINUTE_MS;
/** Delay of the first check after a start or restart. */
export const CHECK_FIRST_MS = 2 * MINUTE_MS;
const FAILURES_MIN = 3;
const OUTAGES_STORED = 10;
/** Maximum number of outages reported by email per day. Further outages appear only in the details. */
const MAILED_A_DAY_MAX = 3;
/** Number of simultaneous checks from which a complete failure points to the platform's own network. */
const SUSPICIOUS_MIN = 10;

/** Rounds of checks, a minute apart, without any response, after which an operator must check the network path. */
export const SILENT_ROUNDS = 3;

export interface Checked {
  readonly after: Reachability;
  readonly due_at: Instant;
  /** Set if the state has changed. */
  readonly change: {
    readonly state: 'reachable' | 'unreachable';
    /** Start of the outage that begins or ends, or null if there is none. */
    readonly outage_from: Instant | null;
    readonly is_mailed: boolean;
  } | null;
}

/** Applies the result of a check to the known state. */
export function afterCheck(before: Reachability, { answers, at }: { answers: boolean; at: Instant }): Checked {
  const isOut = before.state === 'unreachable';
  if (answers) {
    const isNew = before.state !== 'reachable';
    const since = isNew ? at : before.since;
    const outages = closed(before.outages, at);
    const outage_from = isOut ? before.since : null;
    return {
      after: { ...before, state: 'reachable', since, checked_at: at, failures: 0, failed_since: null, outages },
      due_at: at + CHECK_EVERY_MS,
      change: isNew ? { state: 'reachable', outage_from, is_mailed: isOut && isMailed(before) } : null,
    };
  }
  const failures = before.failures + 1;
  const failed_since = before.failed_since ?? at;
  const failed = { ...before, checked_at: at, failures, failed_since };
  if (isOut) return { after: failed, due_at: at + CHECK_EVERY_MS, change: null };
  if (failures < FAILURES_MIN) return { after: failed, due_at: at + CHECK_AGAIN_MS, change: null };
  const outages = [{ from: failed_since, to: null }, ...before.outages].slice(0, OUTAGES_STORED);
  const ofToday = before.mailed.filter((from) => from > failed_since - DAY_MS);
  const mailed = ofToday.length < MAILED_A_DAY_MAX ? [failed_since, ...ofToday] : ofToday;
  const after: Reachability = { ...failed, state: 'unreachable', since: failed_since, outages, mailed };
  return {
    after,
    due_at: at + CHECK_EVERY_MS,
    change: { state: 'unreachable', outage_from: failed_since, is_mailed: isMailed(after) },
  };
}

/**
 * Applies a start. An outage continues until the deployment responds, but failures from before a restart are not added
 * to later failures.
 */
export function afterStart(before: Reachability): Reachability {
  return { ...before, failures: 0, failed_since: null };
}

/** Applies a stop. The state becomes unknown, and a current outage ends. */
export function afterStop(before: Reachability, at: Instant): Reachability {
  return {
    ...before,
    state: 'unknown',
    since: null,
    failures: 0,
    failed_since: null,
    outages: closed(before.outages, at),
  };
}

/**
 * Returns whether at least `SUSPICIOUS_MIN` simultaneous checks all failed. Such results are not evidence about the
 * deployments.
 */
export function isOwnOutage(answers: readonly boolean[]): boolean {
  return answers.length >= SUSPICIOUS_MIN && !answers.includes(true);
}

function closed(outages: readonly Outage[], at: Instant): Outage[] {
  return outages.map((outage) => (outage.to === null ? { ...outage, to: at } : outage));
}

/** Returns whether the start of the newest outage was reported by email, so that its end is reported too. */
function isMailed({ outages: [newest], mailed }: Reachability): boolean {
  return newest !== undefined && newest.from === mailed[0];
}
