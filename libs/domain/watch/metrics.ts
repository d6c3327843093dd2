import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../time';

/** Periods of the charts. */
export const METRICS_PERIODS = ['24h', '7d', '30d'] as const;
export type MetricsPeriod = (typeof METRICS_PERIODS)[number];

/** Length of a period, and of the spans into which its chart is divided. */
export const METRICS_PERIOD: Readonly<Record<MetricsPeriod, { readonly ms: number; readonly span_ms: number }>> = {
  '24h': { ms: DAY_MS, span_ms: 5 * MINUTE_MS },
  '7d': { ms: 7 * DAY_MS, span_ms: HOUR_MS },
  '30d': { ms: 30 * DAY_MS, span_ms: 3 * HOUR_MS },
};

/** Figures are stored per five minutes for a day, then per hour. */
export const SPAN_MS = 5 * MINUTE_MS;
export const ROLLED_UP_AFTER_MS = DAY_MS + HOUR_MS;
export const METRICS_RETENTION_MS = 30 * DAY_MS;

/** Returns the start of the span that contains an instant. */
export const spanOf = (at: Instant, span_ms = SPAN_MS): Instant => at - (at % span_ms);

/** CPU time counters of a host, in ticks since its boot. */
export interface CpuTicks {
  readonly total: number;
  readonly idle: number;
}

/** Returns the load between two readings in percent, or null if the host has booted in between. */
export function cpuPercent(before: CpuTicks | null, now: CpuTicks): number | null {
  if (before === null) return null;
  const total = now.total - before.total;
  const idle = now.idle - before.idle;
  if (total <= 0 || idle < 0 || idle > total) return null;
  return Math.round((1_000 * (total - idle)) / total) / 10;
}

/** Share of successful checks in percent, with two decimals, cut so that 100 means that none has failed. */
export function reachablePercent({ checks, failed }: { checks: number; failed: number }): number | null {
  return checks === 0 ? null : Math.floor((10_000 * (checks - failed)) / checks) / 100;
}

const GROWTH_POINTS_MIN = 24;
const FULL_WITHIN_DAYS = 365;

/**
 * Estimates in how many days a disk is full, by the straight line through its used space (least squares). Null if it
 * does not grow noticeably, if there is less than a day of figures, or if it takes more than a year.
 */
export function diskFullInDays(
  points: readonly { readonly at: Instant; readonly disk_used_mb: number | null }[],
  disk_mb: number,
): number | null {
  const known = points.flatMap(({ at, disk_used_mb }) => (disk_used_mb === null ? [] : [{ at, used: disk_used_mb }]));
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (known.length < GROWTH_POINTS_MIN || last.at - first.at < DAY_MS) return null;
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const days = known.map(({ at }) => (at - first.at) / DAY_MS);
  const [meanDay, meanUsed] = [mean(days), mean(known.map(({ used }) => used))];
  const covariance = mean(known.map(({ used }, index) => ((days[index] ?? 0) - meanDay) * (used - meanUsed)));
  const growth = covariance / mean(days.map((day) => (day - meanDay) ** 2));
  if (growth < disk_mb / 1_000) return null;
  const left = Math.floor((disk_mb - last.used) / growth);
  return left > FULL_WITHIN_DAYS ? null : Math.max(0, left);
}

/** State of a day in the history, the worst first. `none` means that nothing was checked. */
export const DAY_STATES = ['down', 'trouble', 'good', 'none'] as const;
export type DayState = (typeof DAY_STATES)[number];
