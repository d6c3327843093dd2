import { type ReactNode, useId, useState } from 'react';
import type { Metrics } from '../../../data/watch';
import { useText } from '../../../texts/console-i18n';
import { Button } from '../../../ui/button';
import { clockTime, dayName, nearInstant } from '../../../ui/dates';
import { LineChart } from './line-chart';
import { laterStart, rangeOf, type Series } from './series';

type Point = Metrics['points'][number];

export interface NumberColumn {
  readonly label: string;
  readonly of: (point: Point) => string;
}

/** One figure of a deployment as a line, as a sentence and, one click away, as a table. */
export function ChartCard({
  id,
  title,
  latest,
  metrics,
  series,
  max,
  format,
  columns,
  empty,
  children,
}: {
  /** Anchor of links to this chart. */
  id: string;
  title: string;
  /** Last result, or null if there is none. */
  latest: string | null;
  metrics: Metrics;
  series: Series;
  max?: number | undefined;
  format: (value: number) => string;
  columns: readonly NumberColumn[];
  /** Replaces the chart while there are no figures. */
  empty: string;
  /** Further sentences about the figure. */
  children?: ReactNode;
}) {
  const titleId = useId();
  const sentence = useSentence(metrics, series, format);
  return (
    <section className="card chart-card" id={id} tabIndex={-1} aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>{title}</h2>
        {latest === null ? null : <b>{latest}</b>}
      </header>
      <div className="pad">
        {sentence === null ? (
          <p className="soft no-chart">{empty}</p>
        ) : (
          <>
            <LineChart sentence={`${title}. ${sentence}`} series={series} metrics={metrics} max={max} format={format} />
            <p className="small muted">
              {sentence} {children}
            </p>
            <Numbers title={title} points={metrics.points} columns={columns} />
          </>
        )}
      </div>
    </section>
  );
}

/** Describes the line in a sentence, or returns null if it has no value. */
function useSentence(metrics: Metrics, series: Series, format: (value: number) => string): string | null {
  const t = useText();
  const range = rangeOf(series.values);
  if (range === null) return null;
  const [min, max] = [format(range.min), format(range.max)];
  const start = laterStart(series, metrics);
  const when = start === null ? metrics.period : 'since';
  const since = start === null ? '' : nearInstant(new Date(start).toISOString(), Date.parse(metrics.to));
  return min === max
    ? t(`metrics.same.${when}`, { value: min, since })
    : t(`metrics.range.${when}`, { min, max, median: format(range.median), since });
}

function Numbers({
  title,
  points,
  columns,
}: {
  title: string;
  points: readonly Point[];
  columns: readonly NumberColumn[];
}) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const label = t('metrics.numbers_of', { chart: title });
  return (
    <>
      <Button kind="text" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t(isOpen ? 'metrics.hide_numbers' : 'metrics.show_numbers')}
        <span className="vh"> {title}</span>
      </Button>
      {isOpen ? (
        <div className="chart-numbers" tabIndex={0} role="region" aria-label={label}>
          <table className="t" aria-label={label}>
            <thead>
              <tr>
                <th scope="col">{t('metrics.time')}</th>
                {columns.map((column) => (
                  <th key={column.label} scope="col" className="num">
                    {column.label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points.toReversed().map((point) => (
                <tr key={point.at}>
                  <td>{`${dayName(point.at)}, ${clockTime(point.at)}`}</td>
                  {columns.map((column) => (
                    <td key={column.label} className="num">
                      {column.of(point)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </>
  );
}
