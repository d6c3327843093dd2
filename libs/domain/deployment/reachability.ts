import { DAY_MS, type Instant, MINUTE_MS } from '../time';
import type { DeploymentStatus } from './status';

/** Basic monitoring (decisions 41): does a running deployment answer at its address? `unknown`: not checked since it began to run. */
export const REACHABILITY_STATES = ['unknown', 'reachable', 'unreachable'] as const;
export type ReachabilityState = (typeof REACHABILITY_STATES)[number];

/** What is checked; in RESTARTING no answer is expected. */
export const MONITORED: readonly DeploymentStatus[] = ['ACTIVE', 'READY'];

export interface Outage {
  /** Its first check without an answer. */
  readonly from: Instant;
  /** null: it goes on. */
  readonly to: Instant | null;
}

export interface Reachability {
  readonly state: ReachabilityState;
  /** When the state began; null: unknown. */
  readonly since: Instant | null;
  readonly checked_at: Instant | null;
  /** Checks in a row without an answer, and when the first of them was. */
  readonly failures: number;
  readonly failed_since: Instant | null;
  /** Newest first, at most ten. */
  readonly outages: readonly Outage[];
  /** When those outages began that were mailed, newest first. */
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
/** Until the next check while it may be a moment's failure; also until a check that came to nothing is repeated. */
export const CHECK_AGAIN_MS = MINUTE_MS;
/** From its start, or the end of a restart, to the first check. */
export const CHECK_FIRST_MS = 2 * MINUTE_MS;
const FAILURES_MIN = 3;
const OUTAGES_KEPT = 10;
/** Outages that are mailed within a day; what goes up and down all day is seen in the details. */
const MAILED_A_DAY_MAX = 3;
/** So many at once without a single answer: more likely the platform's own network. */
const SUSPICIOUS_MIN = 10;

/** Rounds of checks, a minute apart, without a single answer: by then an operator must look at the way to the deployments. */
export const SILENT_ROUNDS = 3;

export interface Checked {
  readonly after: Reachability;
  readonly due_at: Instant;
  /** Set when the state has changed. */
  readonly change: {
    readonly state: 'reachable' | 'unreachable';
    /** When the outage began that begins or ends; null: none did. */
    readonly outage_from: Instant | null;
    readonly is_mailed: boolean;
  } | null;
}

/** What one check makes of what was known. */
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
  const outages = [{ from: failed_since, to: null }, ...before.outages].slice(0, OUTAGES_KEPT);
  const ofToday = before.mailed.filter((from) => from > failed_since - DAY_MS);
  const mailed = ofToday.length < MAILED_A_DAY_MAX ? [failed_since, ...ofToday] : ofToday;
  const after: Reachability = { ...failed, state: 'unreachable', since: failed_since, outages, mailed };
  return {
    after,
    due_at: at + CHECK_EVERY_MS,
    change: { state: 'unreachable', outage_from: failed_since, is_mailed: isMailed(after) },
  };
}

/** It runs again: an outage goes on until it answers, but failures from before a restart do not add up with later ones. */
export function afterStart(before: Reachability): Reachability {
  return { ...before, failures: 0, failed_since: null };
}

/** It no longer runs: nothing is known, and an outage that was on is over. */
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

/** Nothing that was checked together answers, and it is much: such checks say nothing of any deployment. */
export function isOwnOutage(answers: readonly boolean[]): boolean {
  return answers.length >= SUSPICIOUS_MIN && !answers.includes(true);
}

function closed(outages: readonly Outage[], at: Instant): Outage[] {
  return outages.map((outage) => (outage.to === null ? { ...outage, to: at } : outage));
}

/** Was the newest outage mailed, when it began? Then its end is too. */
function isMailed({ outages: [newest], mailed }: Reachability): boolean {
  return newest !== undefined && newest.from === mailed[0];
}
