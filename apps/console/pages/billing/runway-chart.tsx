import type { RunwayAnswer } from '@moorage/contracts';
import { useId, useRef } from 'react';
import { useText } from '../../texts/console-i18n';
import { dayName, shortInstant } from '../../ui/dates';
import { money } from '../../ui/money';
import { type ChartBar, chartShape, tickText } from './chart-shape';
import { Hatch } from '../../parts/money/balance-legend';
import { dayLabel, firstName, stoppedList, stoppedNames } from '../../parts/money/runway-words';
import { useWidth } from '../../ui/use-width';
import './runway-chart.css';

const NAMES_SHOWN = 2;

/** Chart of the balance after each day's charge, stacked by bucket, drawn at the size of its container. */
export function RunwayChart({ runway }: { runway: RunwayAnswer }) {
  const t = useText();
  const hatch = useId();
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place, 640);
  const shape = chartShape(runway.days, width);
  const { end, bars, base } = shape;
  return (
    <div ref={place} className="chart-space">
      <svg
        className="balance-chart"
        width={shape.width}
        height={shape.height}
        viewBox={`0 0 ${shape.width} ${shape.height}`}
        role="img"
        aria-label={useChartSentence(runway)}
      >
        <Hatch id={hatch} />
        {shape.ticks.map(({ value, y }) => (
          <g key={value}>
            <path className="g" d={`M${shape.left} ${y}H${shape.width}`} />
            <text x={shape.left - 8} y={y + 4} textAnchor="end">
              {tickText(value)}
            </text>
          </g>
        ))}
        {bars.map((bar, index) => (
          <Bar
            key={bar.date}
            bar={bar}
            base={base}
            hatch={hatch}
            label={index === 0 ? t('billing.today') : label(bar, index)}
            narrow={shape.narrow}
            today={index === 0}
          />
        ))}
        {end === null ? null : (
          <>
            <path className="pin" d={`M${end.x} ${end.from}V${base}`} />
            <text className="pint halo" x={end.textX} y={22} textAnchor={end.anchor}>
              {cut(
                t('billing.runway.stop_first', {
                  smart_count: runway.stops.length,
                  name: firstName(runway),
                  date: shortInstant(runway.ends_at ?? ''),
                }),
                end.chars,
              )}
            </text>
            {runway.stops.length > 1 ? (
              <text className="halo" x={end.textX} y={38} textAnchor={end.anchor}>
                {stopNames(runway, end.chars)}
              </text>
            ) : null}
          </>
        )}
      </svg>
    </div>
  );
}

function Bar({
  bar,
  base,
  hatch,
  label,
  narrow,
  today,
}: {
  bar: ChartBar;
  base: number;
  hatch: string;
  label: string;
  narrow: boolean;
  today: boolean;
}) {
  const middle = bar.x + bar.width / 2;
  return (
    <g className={bar.lasts ? undefined : 'after'}>
      {bar.parts.map(({ bucket, y, height }) => (
        <rect
          key={bucket}
          className={CLASSES[bucket]}
          {...(bucket === 'referral' ? { style: { fill: `url(#${hatch})` } } : {})}
          x={bar.x}
          y={y}
          width={bar.width}
          height={height}
          rx="1.5"
        />
      ))}
      {bar.parts.length === 0 && !bar.isUnspent ? (
        <rect className="zero" x={bar.x} y={base - 10} width={bar.width} height="9" rx="1.5" />
      ) : null}
      {bar.value !== null ? (
        <text
          className="v halo"
          x={{ start: bar.x, middle, end: bar.x + bar.width }[bar.value]}
          y={bar.top - 6}
          textAnchor={bar.value}
        >
          {money(bar.total, { rounding: 'balance' }).slice(1)}
        </text>
      ) : null}
      {bar.showsDay ? (
        <text
          className={today ? 'today' : undefined}
          x={today && narrow ? bar.x : middle}
          y={base + 20}
          textAnchor={today && narrow ? 'start' : 'middle'}
        >
          {label}
        </text>
      ) : null}
    </g>
  );
}

const CLASSES = { regular: 'reg', signup: 'sig', referral: 'ref' } as const;

/** The second bar includes the month. */
const label = ({ date }: ChartBar, index: number): string =>
  index === 1 ? dayName(date).replace(/^\S+ /, '') : dayLabel(date);

/** Returns as many names as fit and the number of the others. */
function stopNames(runway: RunwayAnswer, chars: number): string {
  const names = stoppedNames(runway);
  for (let shown = Math.min(NAMES_SHOWN, names.length); shown > 0; shown -= 1) {
    const rest = names.length - shown;
    const text = names.slice(0, shown).join(', ') + (rest > 0 ? ` +${rest}` : '');
    if (text.length <= chars || shown === 1) return cut(text, chars);
  }
  return '';
}

const cut = (text: string, chars: number): string => (text.length <= chars ? text : `${text.slice(0, chars - 1)}…`);

/** Describes the chart in one sentence. */
function useChartSentence(runway: RunwayAnswer): string {
  const t = useText();
  const [today] = runway.days;
  const lastPaid = runway.days.findLast(({ lasts }) => lasts);
  const balance = (amount: number | undefined): string => money(amount ?? 0, { rounding: 'balance' });
  const left = t('billing.runway.chart', {
    now: balance(today?.total),
    then: balance(lastPaid?.total),
    day: lastPaid === undefined ? t('billing.today') : dayName(lastPaid.date),
  });
  if (runway.ends_at === null) return left;
  return `${left} ${t('billing.runway.chart_end', { date: shortInstant(runway.ends_at), names: stoppedList(runway) })}`;
}
