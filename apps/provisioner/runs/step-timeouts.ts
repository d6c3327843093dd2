import { type CloudSetup, DAY_MS, HOUR_MS, isSimulated, MINUTE_MS, SECOND_MS, type StepName } from '@moorage/domain';

/** Timeouts and retry policy of a step. */
export interface RetryPolicy {
  /** Timeout of one attempt, after which its signal is aborted. */
  readonly attempt_ms: number;
  /** Timeout of the whole step from its first start, including waits and retries. Null means until it is done. */
  readonly deadline_ms: number | null;
  /** Maximum number of attempts that end in an error. Waiting is not an error. Null means until it is done. */
  readonly errors_max: number | null;
  /** First delay after an error. It doubles each time up to `backoff_max_ms`, with jitter. */
  readonly backoff_ms: number;
  readonly backoff_max_ms: number;
}

/** Intervals of one run in milliseconds. */
export interface StepTimeouts {
  readonly steps: Readonly<Record<StepName, RetryPolicy>>;
  /** Maximum time from the start of the create run until the deployment is billed (decisions 22). */
  readonly provisioning_deadline_ms: number;
  /** Time after which the timeline reports that it takes longer than usual. */
  readonly slow_after_ms: number;
  /** Time to search for a server after a create with an unknown outcome, before another server is requested. */
  readonly settle_ms: number;
  readonly server_poll_ms: number;
  readonly ssh_poll_ms: number;
  readonly health_poll_ms: number;
  /** Interval while a script of another process runs on the server. */
  readonly busy_poll_ms: number;
  readonly dns_poll_ms: number;
  /**
   * Time for the records to be correct at a restart or for a changed configuration. It only tolerates temporary
   * failures of a resolver.
   */
  readonly restart_dns_deadline_ms: number;
  /** Time for issuing the certificates after a configuration change or an update. If it runs out, the change is undone. */
  readonly configure_certificate_deadline_ms: number;
  readonly certificate_poll_ms: number;
  readonly removal_poll_ms: number;
  /** Polling interval while restic runs on the server. */
  readonly copy_poll_ms: number;
}

/** Intervals of a run, depending on where its server is. Those of a simulated server are short. */
export abstract class RunTimeouts {
  abstract readonly of: (deployment: Parameters<typeof isSimulated>[1]) => StepTimeouts;
}

export const runTimeouts = (setup: CloudSetup): RunTimeouts => ({
  of: (deployment) => (isSimulated(setup, deployment) ? SANDBOX_TIMEOUTS : LIVE_TIMEOUTS),
});

/** Intervals of the platform in milliseconds, the same for every server. */
export abstract class Intervals {
  /** Interval of DNS checks in DNS_FAILED. After `dns_recheck_first_ms`, `dns_recheck_later_ms` applies. */
  abstract readonly dns_recheck_ms: number;
  abstract readonly dns_recheck_first_ms: number;
  abstract readonly dns_recheck_later_ms: number;
  /** Minimum time between two automatic moves of a deployment back to DNS_VALIDATION. */
  abstract readonly dns_own_retry_ms: number;
  /** Time after the accepted destroy at which an unreachable server of a user is given up (decisions 23). */
  abstract readonly own_server_given_up_ms: number;
  /** Time between the two reports of the provider after which a server counts as lost (decisions 5). */
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
/** Copies of many gigabytes take a long time. Each attempt only polls their progress. */
const copying: RetryPolicy = { ...quick, attempt_ms: minutes(10), deadline_ms: hours(12) };
/** A removal never ends automatically, so that nothing is left without an owner. */
const endless: RetryPolicy = {
  attempt_ms: minutes(2),
  deadline_ms: null,
  errors_max: null,
  backoff_ms: seconds(5),
  backoff_max_ms: minutes(10),
};

export const LIVE_TIMEOUTS: StepTimeouts = {
  steps: {
    // One attempt may have to make six slow calls (network, address, interface, disk, machine).
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
    // It may first have to reverse an interrupted restore.
    'hand-over': { ...endless, attempt_ms: minutes(8) },
    'delete-server': endless,
    confirm: endless,
    'back-up': copying,
    'back-up-source': copying,
    'restore-data': copying,
    'swap-data': slow,
    // A provider that moves the server to another host copies its disk.
    'resize-server': {
      ...quick,
      attempt_ms: minutes(6),
      deadline_ms: hours(1),
      errors_max: 12,
      backoff_max_ms: minutes(1),
    },
    'start-server': { ...quick, attempt_ms: minutes(3), deadline_ms: minutes(20), errors_max: 12 },
    'swap-back': { ...slow, deadline_ms: hours(2), errors_max: 20 },
    'keep-server': { ...endless, attempt_ms: minutes(4) },
    'pull-images': { ...slow, deadline_ms: minutes(30) },
    'keep-data': slow,
    // Without it, the deployment would stay down.
    'put-back-data': { ...slow, deadline_ms: hours(2), errors_max: 20 },
    // Large data takes long to remove.
    'tidy-update': { ...quick, attempt_ms: minutes(3) },
    // Boots with a check of the file system take long.
    'reboot-server': { ...quick, deadline_ms: minutes(10) },
    // After some attempts, the sweep takes over.
    'set-records': quick,
    'remove-records': endless,
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
  configure_certificate_deadline_ms: minutes(5),
  certificate_poll_ms: seconds(10),
  removal_poll_ms: seconds(5),
  copy_poll_ms: seconds(5),
};

/**
 * Same deadlines, because they are promises of the product, but short delays. A simulated server exists within a
 * second.
 */
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
