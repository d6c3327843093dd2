import type { MessagingObserver } from '@moorage/messaging';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Upper bounds of histogram buckets in seconds, from imperceptible requests to steps that take minutes. */
const QUICK = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const SLOW = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

/**
 * Metrics of a process, with names and units according to Prometheus (https://prometheus.io/docs/practices/naming/).
 * Labels come from our own tables (routes, event names, kinds of work, steps, providers) and never from user input, so
 * their number is bounded. No label names an account, a deployment or a secret.
 */
export class Metrics {
  readonly registry = new Registry();
  private readonly collectors: (() => void | Promise<void>)[] = [];

  /**
   * Requests of the api by route, for example `/api/deployments/{id}`. The histogram's count is the number of requests.
   */
  readonly httpRequestSeconds = this.histogram(
    'moorage_http_request_duration_seconds',
    'Duration of HTTP requests.',
    ['method', 'route', 'status'],
    QUICK,
  );
  readonly httpStreams = this.gauge('moorage_http_streams', 'Open event streams of this process.');

  /** Security events of the api. `kind` is a row of SECURITY_EVENTS in apps/api/auth/security-events.service.ts. */
  readonly securityEvents = this.counter('moorage_security_events_total', 'Security events by kind.', ['kind']);

  /**
   * Callbacks received by the api. `outcome` is scheduled, ignored, repeated, late, refused or validated
   * (apps/api/cloud-callbacks).
   */
  readonly cloudCallbacks = this.counter(
    'moorage_cloud_callbacks_total',
    'Callbacks of clouds and new servers by outcome.',
    ['provider', 'outcome'],
  );

  readonly eventsPublished = this.counter('moorage_events_published_total', 'Events handed to the transport.');
  /** Handled events. `outcome` is handled, retry or parked. */
  readonly eventHandlingSeconds = this.histogram(
    'moorage_event_handling_duration_seconds',
    'Time to handle an event.',
    ['event', 'outcome'],
    QUICK,
  );
  /** Steps of work. `outcome` is a value of `Ran` in messaging, except not_due. */
  readonly workStepSeconds = this.histogram(
    'moorage_work_step_duration_seconds',
    'Time to run one step of work.',
    ['kind', 'outcome'],
    SLOW,
  );
  readonly ready = this.gauge('moorage_ready', '1 while this process is ready, 0 before and while it stops.');
  /**
   * State of a transport, 1 while it is reachable and 0 in trouble. `carries` is events or work, and `transport` is
   * postgresql, kafka or bull.
   */
  readonly transportUp = this.gauge(
    'moorage_transport_up',
    '1 while the transport for events or work is reachable, else 0.',
    ['carries', 'transport'],
  );

  /**
   * Steps of the provisioner. `plan` is create, destroy and so on, `outcome` is done, retry or failed, and `provider`
   * is a cloud's name or own_server.
   */
  readonly runStepSeconds = this.histogram(
    'moorage_run_step_duration_seconds',
    'Time to run a step of a run.',
    ['plan', 'step', 'provider', 'outcome'],
    SLOW,
  );

  /** Charges posted by billing. `how` is daily (set-based, at midnight) or settled (for a single account). */
  readonly charges = this.counter('moorage_charges_total', 'Charges posted by billing.', ['how']);
  readonly chargeFailures = this.counter('moorage_charge_failures_total', 'Accounts that could not be settled.');

  // Values of the whole installation, read from the database by each billing process. Use `max by (...)` over the
  // instances. A process that has not read them, or failed to, has no series of them.
  readonly eventsUnsent = this.gauge('moorage_events_unsent', 'Events that no relay has handed to the transport yet.');
  readonly eventsUnsentAge = this.gauge('moorage_events_unsent_age_seconds', 'Age of the oldest unsent event, else 0.');
  readonly deliveriesWaiting = this.gauge(
    'moorage_deliveries_waiting',
    'Deliveries that a consumer has not handled yet.',
    ['consumer'],
  );
  readonly deliveriesAge = this.gauge(
    'moorage_deliveries_age_seconds',
    'Lag of a consumer: age of the oldest waiting delivery, else 0.',
    ['consumer'],
  );
  readonly deliveriesParked = this.gauge('moorage_deliveries_parked', 'Deliveries parked until an operator decides.', [
    'consumer',
  ]);
  readonly workDue = this.gauge('moorage_work_due', 'Due work without a lease.', ['kind']);
  readonly workAge = this.gauge('moorage_work_age_seconds', 'Age of the oldest due work, else 0.', ['kind']);
  readonly deployments = this.gauge('moorage_deployments', 'Deployments by status, without DELETED.', ['status']);
  readonly gracePeriods = this.gauge('moorage_grace_periods', 'Deployments in a grace period.');
  readonly auditBreaches = this.gauge('moorage_audit_breaches', 'Ledger invariants that are violated.');
  /** Time of the last check. `check` is watch, audit or proof. */
  readonly checkedAt = this.gauge(
    'moorage_check_timestamp_seconds',
    'Time at which a check of billing last finished.',
    ['check'],
  );
  readonly alertsOpen = this.gauge('moorage_alerts_open', 'Open alerts by kind; every kind has a series.', ['kind']);

  constructor() {
    this.forgetInstallation();
  }

  /**
   * Removes the series read from the database until they are read again, because an old value would appear to be
   * current.
   */
  forgetInstallation(): void {
    for (const gauge of [this.eventsUnsent, this.eventsUnsentAge, this.gracePeriods, this.auditBreaches])
      gauge.remove();
    for (const gauge of [
      this.deliveriesWaiting,
      this.deliveriesAge,
      this.deliveriesParked,
      this.workDue,
      this.workAge,
      this.deployments,
      this.checkedAt,
      this.alertsOpen,
    ])
      gauge.reset();
  }

  /**
   * Registers a function that runs before each scrape to set gauges. It must end in bounded time and must not throw.
   */
  onScrape(collect: () => void | Promise<void>): void {
    this.collectors.push(collect);
  }

  /** Returns the text of a scrape. */
  async text(): Promise<string> {
    await Promise.all(this.collectors.map(async (collect) => collect()));
    return this.registry.metrics();
  }

  private counter<L extends string>(name: string, help: string, labelNames: L[] = []): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  private gauge<L extends string>(name: string, help: string, labelNames: L[] = []): Gauge<L> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  private histogram<L extends string>(name: string, help: string, labelNames: L[], buckets: number[]): Histogram<L> {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }
}

/** Returns an observer that counts the activity of messaging. */
export function messagingObserver(metrics: Metrics): MessagingObserver {
  return {
    published: (events) => metrics.eventsPublished.inc(events),
    handled: ({ event, outcome, took_ms }) =>
      metrics.eventHandlingSeconds.observe({ event, outcome }, Math.max(0, took_ms) / 1_000),
    worked: ({ kind, outcome, took_ms }) =>
      metrics.workStepSeconds.observe({ kind, outcome }, Math.max(0, took_ms) / 1_000),
  };
}
