import type { DeploymentRow } from '@moorage/database';
import { type CloudSetup, DAY_MS, HOUR_MS, isSimulated, MINUTE_MS, SECOND_MS, type StepName } from '@moorage/domain';

/** How long a step may take and how it is tried again. One row per step. */
export interface RetryPolicy {
  /** One attempt; when it is over its signal is aborted. */
  readonly attempt_ms: number;
  /** The whole step since it was first begun: waiting and trying again included. null: until it is done. */
  readonly deadline_ms: number | null;
  /** Attempts that end in an error; waiting is no error. null: until it is done. */
  readonly errors_max: number | null;
  /** First pause after an error; doubled each time up to `backoff_max_ms`, with jitter. */
  readonly backoff_ms: number;
  readonly backoff_max_ms: number;
}

/** The intervals of one run in milliseconds. */
export interface StepTimeouts {
  readonly steps: Readonly<Record<StepName, RetryPolicy>>;
  /** From the start of the create run until the deployment bills (decisions 22). */
  readonly provisioning_deadline_ms: number;
  /** After this the timeline says that it takes longer than usual. */
  readonly slow_after_ms: number;
  /** A server whose create has an unknown end is looked for this long before another one is asked for. */
  readonly settle_ms: number;
  readonly server_poll_ms: number;
  readonly ssh_poll_ms: number;
  readonly health_poll_ms: number;
  /** While a script that somebody else began is at work on the server. */
  readonly busy_poll_ms: number;
  readonly dns_poll_ms: number;
  /** For a restart the records must be right at once; this only bridges a resolver's bad moment. */
  readonly restart_dns_deadline_ms: number;
  readonly certificate_poll_ms: number;
  readonly removal_poll_ms: number;
  /** The polling interval while restic runs on the server. */
  readonly copy_poll_ms: number;
}

/** The intervals of a run by where its server is: those of a simulated one are short. */
export abstract class RunTimeouts {
  abstract readonly of: (deployment: Pick<DeploymentRow, 'server_type' | 'cloud_provider'>) => StepTimeouts;
}

export const runTimeouts = (setup: CloudSetup): RunTimeouts => ({
  of: (deployment) => (isSimulated(setup, deployment) ? SANDBOX_TIMEOUTS : LIVE_TIMEOUTS),
});

/** The intervals of the platform in milliseconds, the same for every server. */
export abstract class Intervals {
  /** In DNS_FAILED the platform goes on looking: so often at first, after `dns_recheck_first_ms` less often. */
  abstract readonly dns_recheck_ms: number;
  abstract readonly dns_recheck_first_ms: number;
  abstract readonly dns_recheck_later_ms: number;
  /** Its own look moves a deployment back to DNS_VALIDATION at most once in this time. */
  abstract readonly dns_own_retry_ms: number;
  /** A user's own server out of reach: since the destroy was accepted (decisions 23). */
  abstract readonly own_server_given_up_ms: number;
  /** A server is lost when the provider says so twice, this far apart (decisions 5). */
  abstract readonly lost_again_after_ms: number;
  abstract readonly reconcile_every_ms: number;
}

const seconds = (count: number): number => count * SECOND_MS;
const minutes = (count: number): number => count * MINUTE_MS;
const hours = (count: number): number => count * HOUR_MS;

const quick: RetryPolicy = {
  attempt_ms: minutes(1),
  deadline_ms: minutes(5),
  errors_max: 6,
  backoff_ms: seconds(2),
  backoff_max_ms: seconds(30),
};
const slow: RetryPolicy = { ...quick, attempt_ms: minutes(8), deadline_ms: minutes(20) };
/** Copies of many gigabytes take their time; each attempt only looks how far they are. */
const copying: RetryPolicy = { ...quick, attempt_ms: minutes(10), deadline_ms: hours(12) };
/** Removal never gives up by itself: nothing is left without an owner. */
const endless: RetryPolicy = {
  attempt_ms: minutes(2),
  deadline_ms: null,
  errors_max: null,
  backoff_ms: seconds(5),
  backoff_max_ms: minutes(10),
};

export const LIVE_TIMEOUTS: StepTimeouts = {
  steps: {
    // a provider of six calls, each of which takes its time (network, address, interface, disk, machine), in one attempt
    'create-server': {
      ...quick,
      attempt_ms: minutes(6),
      deadline_ms: minutes(20),
      errors_max: 8,
      backoff_max_ms: minutes(1),
    },
    'wait-for-ssh': { ...quick, deadline_ms: minutes(10) },
    preflight: quick,
    bootstrap: slow,
    'upload-stack': quick,
    'start-stack': slow,
    'restart-stack': slow,
    'check-health': { ...quick, deadline_ms: minutes(8) },
    'validate-dns': { ...quick, deadline_ms: minutes(15), errors_max: null },
    'issue-certificate': { ...quick, attempt_ms: minutes(3), deadline_ms: minutes(15), errors_max: null },
    finish: quick,
    'remove-stack': endless,
    'delete-server': endless,
    confirm: endless,
    'back-up': copying,
    'restore-data': copying,
    'swap-data': slow,
    'swap-back': { ...slow, deadline_ms: hours(2), errors_max: 20 },
  },
  provisioning_deadline_ms: minutes(30),
  slow_after_ms: minutes(5),
  settle_ms: minutes(1),
  server_poll_ms: seconds(5),
  ssh_poll_ms: seconds(5),
  health_poll_ms: seconds(5),
  busy_poll_ms: seconds(10),
  dns_poll_ms: seconds(20),
  restart_dns_deadline_ms: minutes(1),
  certificate_poll_ms: seconds(10),
  removal_poll_ms: seconds(5),
  copy_poll_ms: seconds(5),
};

/** The same deadlines (they are the product's promises), short pauses: a simulated server is there in a second. */
export const SANDBOX_TIMEOUTS: StepTimeouts = {
  ...LIVE_TIMEOUTS,
  steps: Object.fromEntries(
    Object.entries(LIVE_TIMEOUTS.steps).map(([step, policy]) => [
      step,
      { ...policy, backoff_ms: 300, backoff_max_ms: Math.min(policy.backoff_max_ms, seconds(10)) },
    ]),
  ) as Record<StepName, RetryPolicy>,
  settle_ms: seconds(8),
  server_poll_ms: 200,
  ssh_poll_ms: 200,
  health_poll_ms: 300,
  busy_poll_ms: 300,
  certificate_poll_ms: 300,
  removal_poll_ms: 200,
  copy_poll_ms: 200,
};

export const INTERVALS: Intervals = {
  dns_recheck_ms: seconds(30),
  dns_recheck_first_ms: DAY_MS,
  dns_recheck_later_ms: HOUR_MS,
  dns_own_retry_ms: minutes(15),
  own_server_given_up_ms: DAY_MS,
  lost_again_after_ms: minutes(10),
  reconcile_every_ms: minutes(5),
};
