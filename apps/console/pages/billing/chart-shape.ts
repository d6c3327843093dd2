import type { RunwayAnswer } from '@moorage/contracts';
import { niceTicks } from '../../ui/ticks';

export type ChartDay = RunwayAnswer['days'][number];

/** Geometry of the chart in pixels. The drawing is as wide as its container, so that text keeps its size. */
interface ChartShape {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly base: number;
  readonly ticks: readonly { readonly value: number; readonly y: number }[];
  readonly bars: readonly ChartBar[];
  /** Position where the first deployment stops, or null if that is beyond these days. */
  readonly end: ChartEnd | null;
  readonly narrow: boolean;
}

interface ChartEnd {
  readonly x: number;
  /** Top of the line, followed by the position of its two lines of text and their capacity in characters. */
  readonly from: number;
  readonly textX: number;
  readonly anchor: 'start' | 'end';
  readonly chars: number;
}

export interface ChartBar {
  readonly date: string;
  readonly x: number;
  readonly width: number;
  readonly lasts: boolean;
  /** Nothing runs any more, so what is left is not spent and not drawn. */
  readonly isUnspent: boolean;
  /** Stacked from the bottom: regular, signup, referral. Empty if nothing is left. */
  readonly parts: readonly {
    readonly bucket: 'regular' | 'signup' | 'referral';
    readonly y: number;
    readonly height: number;
  }[];
  readonly total: number;
  readonly top: number;
  /**
   * Alignment of the amount above the bar. On narrow screens it is wider than the bar and extends over later, lower
   * bars.
   */
  readonly value: 'middle' | 'start' | 'end' | null;
  readonly showsDay: boolean;
}

const NARROW = 480;
const GAP = 1.5;
const PX_PER_CHAR = 6.4;
const PX_PER_SMALL_CHAR = 6;
/** Minimum distance between labelled bars. A label on every bar would be too crowded. */
const FEWEST = 2;

export function chartShape(days: readonly ChartDay[], width: number): ChartShape {
  const narrow = width < NARROW;
  const height = narrow ? 210 : 250;
  const base = height - 30;
  const endIndex = days.findIndex(({ lasts }) => !lasts);
  // Space for the two lines of text above the bars, if something stops.
  const top = endIndex === -1 ? 26 : narrow ? 64 : 48;
  const scale = niceTicks(Math.max(...days.map(({ total }) => total), 0.01), narrow ? 2 : 4);
  const highest = scale[scale.length - 1] ?? 1;
  const left = 8 + Math.max(...scale.map((value) => tickText(value).length)) * PX_PER_CHAR + 6;
  const pitch = (width - left) / days.length;
  const barWidth = pitch * 0.68;
  const yOf = (value: number): number => base - (value / highest) * (base - top);
  const values = shownValues(days, pitch);

  const bars = days.map((day, index): ChartBar => {
    let bottom = base - GAP;
    const isUnspent = !day.lasts && day.charged === 0;
    const parts = isUnspent
      ? []
      : (['regular', 'signup', 'referral'] as const).flatMap((bucket) => {
          const height = (day[bucket] / highest) * (base - top) - GAP;
          if (height <= 0) return [];
          const part = { bucket, y: bottom - height, height };
          bottom = part.y - GAP;
          return [part];
        });
    return {
      date: day.date,
      x: left + index * pitch + (pitch - barWidth) / 2,
      width: barWidth,
      lasts: day.lasts,
      isUnspent,
      parts,
      total: day.total,
      top: bottom,
      value: !values.has(index)
        ? null
        : !narrow || index === 0
          ? 'middle'
          : days[index + 1]?.lasts === true
            ? 'start'
            : 'end',
      // Narrow charts label every second day. The first of a month is always labelled instead of its neighbours.
      showsDay: !narrow || showsDayWhenNarrow(days, index),
    };
  });
  const x = left + endIndex * pitch;
  return {
    width,
    height,
    left,
    base,
    ticks: scale.map((value) => ({ value, y: yOf(value) })),
    bars,
    end: endIndex === -1 ? null : endOf(x, width, narrow),
    narrow,
  };
}

/** Places the text on the wider side of the line or, on narrow screens, above it over the full width. */
function endOf(x: number, width: number, narrow: boolean): ChartEnd {
  if (narrow) return { x, from: 46, textX: width, anchor: 'end', chars: Math.floor(width / PX_PER_SMALL_CHAR) };
  const right = x < width / 2;
  const room = right ? width - x - 9 : x - 9;
  return {
    x,
    from: 12,
    textX: right ? x + 9 : x - 9,
    anchor: right ? 'start' : 'end',
    chars: Math.floor(room / PX_PER_SMALL_CHAR),
  };
}

export function tickText(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}

/** Selects the bars that show an amount: the first, then at a fixed interval, and the last paid day. */
function shownValues(days: readonly ChartDay[], pitch: number): ReadonlySet<number> {
  const widest = Math.max(...days.map(({ total }) => total.toFixed(2).length)) * PX_PER_CHAR + 8;
  // A label wider than its bar would overlap the taller bar before it, so only every fourth bar is labelled.
  const every = widest <= pitch ? FEWEST : Math.max(4, Math.ceil(widest / pitch));
  const last = days.findLastIndex(({ lasts, total }) => lasts && total > 0);
  const shown = [...days.keys()].filter((index) => index % every === 0 && index <= last - every);
  if (last !== -1) shown.push(last);
  return new Set(last > 0 && !shown.includes(0) ? [0, ...shown] : shown);
}

function showsDayWhenNarrow(days: readonly ChartDay[], index: number): boolean {
  const isFirst = (at: number): boolean => at > 0 && (days[at]?.date.endsWith('-01') ?? false);
  if (index === 0 || isFirst(index)) return true;
  return index % 2 === 0 && index > 1 && !isFirst(index - 1) && !isFirst(index + 1);
}
