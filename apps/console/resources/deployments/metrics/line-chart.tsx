import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Metrics } from '../../../data/watch';
import { useLocale } from '../../../texts/locale';
import { clockTime, dayName } from '../../../ui/dates';
import { useTheme } from '../../../ui/theme-choice';
import { niceTicks } from '../../../ui/ticks';
import { useWidth } from '../../../ui/use-width';
import { Marks } from './marks';
import { lonelyPoints, type Series, showsDays, timeTicks } from './series';
import './line-chart.css';

const HEIGHT = 164;
/** Room for the values on the left and for half a time on the right. The marks are placed by the same numbers. */
const LEFT = 60;
const RIGHT = 16;
const TOP = 8;
const BOTTOM = 26;
const TICKS = 4;
/** A scale that ends just below a round number ends at that number instead, which is then shown. */
const NEAR = 1.03;

interface LineChartProps {
  /** Describes the chart in one sentence. */
  readonly sentence: string;
  readonly series: Series;
  readonly metrics: Pick<Metrics, 'period' | 'from' | 'to' | 'marks'>;
  /** Highest value of the axis. By default, a round number above the line. */
  readonly max?: number | undefined;
  readonly format: (value: number) => string;
}

/** Line chart in the colours of the theme, as wide as its container. */
export function LineChart({ sentence, series, metrics, max, format }: LineChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place, 520);
  const reading = usePlot(place, { series, metrics, max, format, width });
  return (
    <div className="line-chart">
      <div ref={place} className="plot" role="img" aria-label={sentence} />
      <div className="marks-space" style={{ inset: `${TOP}px ${RIGHT}px ${BOTTOM}px ${LEFT}px` }}>
        <Marks marks={metrics.marks} from={Date.parse(metrics.from)} to={Date.parse(metrics.to)} />
      </div>
      <span className="reading" aria-hidden="true">
        {reading}
      </span>
    </div>
  );
}

/**
 * Draws the plot again whenever its data, its size, the theme or the language changes. Returns the text for the
 * position of the pointer.
 */
function usePlot(
  place: RefObject<HTMLDivElement | null>,
  { series, metrics, max, format, width }: Omit<LineChartProps, 'sentence'> & { readonly width: number },
): string | null {
  const { dark } = useTheme();
  const locale = useLocale();
  const [index, setIndex] = useState<number | null>(null);
  const { period, from, to } = metrics;
  useLayoutEffect(() => {
    const target = place.current;
    // The sentence and the table remain where nothing can be drawn.
    if (target === null || document.createElement('canvas').getContext('2d') === null) return;
    const plot = new uPlot(
      optionsOf({ metrics: { period, from, to }, series, max, format, width, onPoint: setIndex }),
      [[...series.at], [...series.values]],
      target,
    );
    return () => plot.destroy();
  }, [place, series, period, from, to, max, format, width, dark, locale]);
  const at = index === null ? undefined : series.at[index];
  const value = index === null ? null : (series.values[index] ?? null);
  if (at === undefined || value === null) return null;
  const iso = new Date(at * 1_000).toISOString();
  return `${dayName(iso)}, ${clockTime(iso)}: ${format(value)}`;
}

function optionsOf({
  metrics,
  series,
  max,
  format,
  width,
  onPoint,
}: Omit<LineChartProps, 'sentence' | 'metrics'> & {
  readonly metrics: Pick<Metrics, 'period' | 'from' | 'to'>;
  readonly width: number;
  readonly onPoint: (index: number | null) => void;
}): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  const highest = Math.max(max ?? 0, ...series.values.map((value) => value ?? 0));
  const ticks = niceTicks(highest > 0 ? highest : 1, TICKS);
  const isNear = (tick: number): boolean => max !== undefined && tick >= max && tick < max * NEAR;
  const top = max === undefined ? (ticks.at(-1) ?? 1) : (ticks.find(isNear) ?? Math.max(max, highest));
  const lonely = lonelyPoints(series);
  const axis = {
    stroke: token('--ink-3'),
    font: `500 11px ${token('--font') === '' ? 'sans-serif' : token('--font')}`,
    ticks: { show: false },
  };
  return {
    width,
    height: HEIGHT,
    padding: [TOP, RIGHT, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7, fill: token('--fill') } },
    scales: {
      x: { time: false, range: () => [Date.parse(metrics.from) / 1_000, Date.parse(metrics.to) / 1_000] },
      y: { range: () => [0, top] },
    },
    series: [
      {},
      {
        stroke: token('--fill'),
        width: 1.5,
        points: { show: true, filter: () => lonely, size: 4, fill: token('--fill') },
      },
    ],
    axes: [
      {
        ...axis,
        size: BOTTOM,
        gap: 6,
        grid: { show: false },
        splits: () => timeTicks(metrics, width),
        values: (_, splits) => splits.map((at) => tickText(at, metrics.period)),
      },
      {
        ...axis,
        size: LEFT,
        gap: 8,
        grid: { stroke: token('--line'), width: 1 },
        splits: () => ticks.filter((value) => value <= top),
        values: (_, splits) => splits.map(format),
      },
    ],
    hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? null)] },
  };
}

/** A time of the axis: `06:00` in a day, otherwise `21 Nov`. */
function tickText(at: number, period: Metrics['period']): string {
  const iso = new Date(at * 1_000).toISOString();
  return showsDays(period) ? dayName(iso).split(' ').slice(1).join(' ') : clockTime(iso);
}
