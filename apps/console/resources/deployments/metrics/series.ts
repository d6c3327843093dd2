import { METRICS_PERIOD } from '@moorage/domain';
import type { Metrics } from '../../../data/watch';

type Point = Metrics['points'][number];

/** Spans without a figure at the beginning of a period that make it a later start. */
const LATER_SPANS = 12;

/** Line of a chart: a time in seconds for each value, with null where a figure is missing. */
export interface Series {
  readonly at: readonly number[];
  readonly values: readonly (number | null)[];
}

/** Returns the line of one figure. Spans without a point become a gap. */
export function seriesOf(
  { points, span_s: span }: Pick<Metrics, 'points' | 'span_s'>,
  figure: (point: Point) => number | null,
): Series {
  const at: number[] = [];
  const values: (number | null)[] = [];
  for (const point of points) {
    const start = Date.parse(point.at) / 1_000;
    const before = at.at(-1);
    if (before !== undefined && start - before > span) {
      at.push(before + span);
      values.push(null);
    }
    at.push(start);
    values.push(figure(point));
  }
  return { at, values };
}

/** Returns the positions of values without a neighbour. No line leads to them. */
export function lonelyPoints({ values }: Pick<Series, 'values'>): number[] {
  const isKnown = (index: number): boolean => values[index] != null;
  return [...values.keys()].filter((index) => isKnown(index) && !isKnown(index - 1) && !isKnown(index + 1));
}

/** Returns the time of the first value in milliseconds if the period began well before it, otherwise null. */
export function laterStart(
  { at, values }: Series,
  { from, span_s: span }: Pick<Metrics, 'from' | 'span_s'>,
): number | null {
  const first = at[values.findIndex((value) => value !== null)];
  const isLater = first !== undefined && first - Date.parse(from) / 1_000 > LATER_SPANS * span;
  return isLater ? first * 1_000 : null;
}

export interface Range {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** Returns the minimum, median and maximum of a line, or null if it has no value. */
export function rangeOf(values: readonly (number | null)[]): Range | null {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  const [min, max] = [known[0], known.at(-1)];
  if (min === undefined || max === undefined) return null;
  const middle = known.length / 2;
  const lower = known[Math.ceil(middle) - 1] ?? min;
  const upper = known[Math.floor(middle)] ?? max;
  return { min, median: (lower + upper) / 2, max };
}

const HOUR_S = 3_600;
/** Distance of the times on the axis, for wide and narrow charts. */
const TICK_HOURS: Readonly<Record<Metrics['period'], readonly [wide: number, narrow: number]>> = {
  '24h': [4, 6],
  '7d': [24, 48],
  '30d': [120, 168],
};
const NARROW = 480;

/** Returns the times on the axis in seconds. They are full hours or days in UTC. */
export function timeTicks({ period, from, to }: Pick<Metrics, 'period' | 'from' | 'to'>, width: number): number[] {
  const [wide, narrow] = TICK_HOURS[period];
  const step = (width < NARROW ? narrow : wide) * HOUR_S;
  const first = Math.ceil(Date.parse(from) / 1_000 / step) * step;
  const last = Date.parse(to) / 1_000;
  return first > last
    ? []
    : Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, at) => first + at * step);
}

/** Returns whether the times of a period are days. */
export const showsDays = (period: Metrics['period']): boolean => METRICS_PERIOD[period].ms > METRICS_PERIOD['24h'].ms;
