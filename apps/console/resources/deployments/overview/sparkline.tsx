import { rangeOf, type Series } from '../metrics/series';
import { useText } from '../../../texts/console-i18n';

const WIDTH = 120;
const HEIGHT = 28;
/** Half of the line's width, which the edge would cut off. */
const EDGE = 1;

/** Small line of the last 24 hours. Missing figures are gaps. Without a `max`, its scale ends at its highest value. */
export function Sparkline({
  series,
  max,
  format,
}: {
  series: Series;
  max: number | null;
  format: (value: number) => string;
}) {
  const t = useText();
  const range = rangeOf(series.values);
  if (range === null) return null;
  return (
    <svg
      className="spark"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('metrics.health.last_day', { min: format(range.min), max: format(range.max) })}
    >
      <path d={pathOf(series, Math.max(max ?? 0, range.max))} />
    </svg>
  );
}

/** Returns the path of a line over its whole time, with a new start after each gap. */
export function pathOf({ at, values }: Series, highest: number): string {
  const [first = 0, last = 0] = [at[0], at.at(-1)];
  const x = (time: number): number => (last === first ? 0 : ((time - first) / (last - first)) * WIDTH);
  const y = (value: number): number => HEIGHT - EDGE - (highest <= 0 ? 0 : value / highest) * (HEIGHT - 2 * EDGE);
  return values
    .map((value, index) => {
      if (value === null) return '';
      const starts = index === 0 || values[index - 1] === null;
      return `${starts ? 'M' : 'L'}${round(x(at[index] ?? 0))} ${round(y(value))}`;
    })
    .join('');
}

const round = (value: number): number => Math.round(value * 10) / 10;
