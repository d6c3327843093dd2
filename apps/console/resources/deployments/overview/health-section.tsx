import { Link } from 'react-router-dom';
import { useServerNow } from '../../../data/server-now';
import { type Metrics, useIncidents, useMetrics } from '../../../data/watch';
import { useText } from '../../../texts/console-i18n';
import { ErrorAlert } from '../../../ui/error-alert';
import { MessageText } from '../../../ui/message-text';
import { recently } from '../../../ui/dates';
import { seriesOf } from '../metrics/series';
import { Section, useIsCard } from '../section';
import type { Details } from '../use-details';
import { type HealthFigure, useHealth } from './health';
import { Sparkline } from './sparkline';
import './health-section.css';

const TICK_MS = 10_000;

/** Five figures of a running deployment with the last 24 hours beside them. One line in the panel. */
export function HealthSection({ details }: { details: Details }) {
  const t = useText();
  const isCard = useIsCard();
  const { deployment, progress, runs } = details;
  const metrics = useMetrics(deployment.id, '24h', runs);
  const incidents = useIncidents(deployment.id, runs && isCard);
  const now = useServerNow(progress.data?.now, progress.dataUpdatedAt, TICK_MS);
  if (!runs || progress.data === undefined) return null;
  const { data } = metrics;
  const checkedAt = data?.latest.checked_at ?? null;
  return (
    <Section
      className="health"
      title={t('metrics.health.title')}
      note={checkedAt === null ? null : t('metrics.health.checked', { ago: recently(checkedAt, now) })}
      isPadded={false}
    >
      {data !== undefined ? (
        <Health
          details={details}
          metrics={data}
          percent={incidents.data?.reachable_percent ?? null}
          now={now}
          isLine={!isCard}
        />
      ) : metrics.isError ? (
        <div className={isCard ? 'pad' : undefined}>
          <ErrorAlert text={t('metrics.health.failed')} onRetry={() => void metrics.refetch()} />
        </div>
      ) : (
        <Placeholder isLine={!isCard} />
      )}
    </Section>
  );
}

function Health({
  details: { deployment },
  metrics,
  percent,
  now,
  isLine,
}: {
  details: Details;
  metrics: Metrics;
  percent: number | null;
  now: number;
  isLine: boolean;
}) {
  const t = useText();
  const figures = useHealth(deployment, metrics, { percent, now });
  const { checked_at: checkedAt, host, host_failure: failure } = metrics.latest;
  const isEmpty = checkedAt === null && host === null && failure === null;
  if (isEmpty) return <p className={isLine ? 'soft' : 'pad soft'}>{t('metrics.none_yet')}</p>;
  if (isLine) return <Line figures={figures} />;
  return (
    <>
      <div className="stats">
        {figures.map((figure) => (
          <Figure key={figure.figure} figure={figure} metrics={metrics} />
        ))}
      </div>
      {failure === null ? null : (
        <p className="small soft host-failure">
          <MessageText message={failure} />
        </p>
      )}
    </>
  );
}

function Figure({
  figure: { label, value, note, tone, to, line },
  metrics,
}: {
  figure: HealthFigure;
  metrics: Metrics;
}) {
  return (
    <Link className={`figure ${tone}`} to={to}>
      <span className="k">{label}</span>
      <b>{value}</b>
      {note === null ? null : <span className="small words">{note}</span>}
      {line === null ? null : <Sparkline series={seriesOf(metrics, line.of)} max={line.max} format={line.format} />}
    </Link>
  );
}

/** Known figures in one line. A figure that is not good has a note. */
function Line({ figures }: { figures: readonly HealthFigure[] }) {
  const t = useText();
  return (
    <p className="health-line">
      {figures
        .filter(({ value }) => value !== '–')
        .map(({ figure, value, note, tone, to }) => (
          <Link key={figure} className={`figure ${tone}`} to={to}>
            {t(`metrics.health.line.${figure}`, { value })}
            {tone === 'good' || note === null ? null : ` (${note})`}
          </Link>
        ))}
    </p>
  );
}

function Placeholder({ isLine }: { isLine: boolean }) {
  return isLine ? (
    <p className="late" aria-hidden="true">
      <span className="skel" style={{ width: 320 }} />
    </p>
  ) : (
    <div className="stats late" aria-hidden="true">
      {[48, 40, 56, 56, 48].map((width, at) => (
        <span key={at} className="figure">
          <span className="skel" style={{ width }} />
        </span>
      ))}
    </div>
  );
}
