import type { RunwayAnswer } from '@moorage/contracts';

export type ChartDay = RunwayAnswer['days'][number];

/** Everything in pixels of the drawing, which is as wide as its place: text keeps its size. */
export interface ChartShape {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly base: number;
  readonly ticks: readonly { readonly value: number; readonly y: number }[];
  readonly bars: readonly ChartBar[];
  /** Where the first thing stops; null: not within these days. */
  readonly end: { readonly x: number; readonly textRight: boolean } | null;
}

export interface ChartBar {
  readonly date: string;
  readonly x: number;
  readonly width: number;
  readonly lasts: boolean;
  /** From the bottom up: regular, signup, referral; none where nothing is left. */
  readonly parts: readonly {
    readonly pot: 'regular' | 'signup' | 'referral';
    readonly y: number;
    readonly height: number;
  }[];
  readonly total: number;
  readonly top: number;
  readonly showsValue: boolean;
  readonly showsDay: boolean;
}

const NARROW = 480;
const GAP = 1.5;
const PX_PER_CHAR = 6.4;

export function chartShape(days: readonly ChartDay[], width: number): ChartShape {
  const narrow = width < NARROW;
  const height = narrow ? 210 : 250;
  const base = height - 30;
  const top = narrow ? 64 : 48;
  const scale = niceTicks(Math.max(...days.map(({ total }) => total), 0.01), narrow ? 2 : 4);
  const highest = scale[scale.length - 1] ?? 1;
  const left = 8 + Math.max(...scale.map((value) => tickText(value).length)) * PX_PER_CHAR + 6;
  const pitch = (width - left) / days.length;
  const barWidth = pitch * 0.68;
  const yOf = (value: number): number => base - (value / highest) * (base - top);
  const values = shownValues(days, pitch);

  const bars = days.map((day, index): ChartBar => {
    let bottom = base - GAP;
    const parts = (['regular', 'signup', 'referral'] as const).flatMap((pot) => {
      const height = (day[pot] / highest) * (base - top) - GAP;
      if (height <= 0) return [];
      const part = { pot, y: bottom - height, height };
      bottom = part.y - GAP;
      return [part];
    });
    return {
      date: day.date,
      x: left + index * pitch + (pitch - barWidth) / 2,
      width: barWidth,
      lasts: day.lasts,
      parts,
      total: day.total,
      top: bottom,
      showsValue: values.has(index),
      // on a phone every second day says its name, and the first of a month in any case instead of its neighbours
      showsDay: !narrow || showsDayWhenNarrow(days, index),
    };
  });
  const endIndex = days.findIndex(({ lasts }) => !lasts);
  const x = left + endIndex * pitch;
  return {
    width,
    height,
    left,
    base,
    ticks: scale.map((value) => ({ value, y: yOf(value) })),
    bars,
    end: endIndex === -1 ? null : { x, textRight: x < width / 2 },
  };
}

/** 0 and up to `count` round steps that reach above the largest value: 0, 10, 20, 30, 40. */
export function niceTicks(max: number, count: number): number[] {
  const rough = max / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10) * power;
  const ticks = [0];
  for (let value = step; ticks[ticks.length - 1]! < max - 1e-9; value += step)
    ticks.push(Math.round(value * 1e6) / 1e6);
  return ticks;
}

export function tickText(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}

/** Figures above the bars where there is room: the first, then every so many, and the last day that is paid. */
function shownValues(days: readonly ChartDay[], pitch: number): ReadonlySet<number> {
  const room = (index: number): number => (days[index]?.total ?? 0).toFixed(2).length * PX_PER_CHAR + 8;
  const last = days.findLastIndex(({ lasts, total }) => lasts && total > 0);
  const shown: number[] = [];
  for (let index = 0; index <= last; index += 1) {
    const before = shown[shown.length - 1];
    if (before === undefined || (index - before) * pitch >= Math.max(room(before), room(index))) shown.push(index);
  }
  const end = shown[shown.length - 1];
  if (end !== undefined && end !== last && last !== -1) {
    if (shown.length > 1) shown.pop();
    if ((last - (shown[shown.length - 1] ?? 0)) * pitch >= room(last)) shown.push(last);
  }
  return new Set(shown);
}

function showsDayWhenNarrow(days: readonly ChartDay[], index: number): boolean {
  const isFirst = (at: number): boolean => at > 0 && (days[at]?.date.endsWith('-01') ?? false);
  if (index === 0 || isFirst(index)) return true;
  return index % 2 === 0 && index > 1 && !isFirst(index - 1) && !isFirst(index + 1);
}
