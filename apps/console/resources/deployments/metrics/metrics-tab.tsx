import { METRICS_PERIODS } from '@moorage/domain';
import { useEffect } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { type Metrics, useIncidents, useMetrics } from '../../../data/watch';
import { useText } from '../../../texts/console-i18n';
import { ErrorAlert } from '../../../ui/error-alert';
import { TabLabel } from '../../../ui/list/filter-tabs';
import { useListAddress } from '../../../ui/list/list-address';
import { CardsSkeleton } from '../page/cards-skeleton';
import { HeaderAction } from '../page/header-action';
import { usePage } from '../page/page-context';
import { Charts } from './charts';
import { IncidentsCard } from './incidents-card';
import './metrics.css';

/** Incidents of the last 30 days, and the charts of a period. */
export default function MetricsTab() {
  const { id, details } = usePage();
  const period = useListAddress().oneOf('period', METRICS_PERIODS);
  const metrics = useMetrics(id, period);
  const incidents = useIncidents(id);
  useScrollToChart(metrics.data !== undefined && !incidents.isPending);
  if (details === undefined) return null;
  return (
    <div className="metrics">
      <HeaderAction>
        <Periods shown={period} />
      </HeaderAction>
      <IncidentsCard details={details} incidents={incidents} />
      <MetricsOf metrics={metrics} />
    </div>
  );
}

function MetricsOf({ metrics: { data, isError, refetch } }: { metrics: ReturnType<typeof useMetrics> }) {
  const t = useText();
  if (data !== undefined) return <Charts metrics={data} />;
  return isError ? <ErrorAlert text={t('metrics.failed')} onRetry={() => void refetch()} /> : <CardsSkeleton />;
}

function Periods({ shown }: { shown: Metrics['period'] }) {
  const t = useText();
  const { addressWith } = useListAddress();
  return (
    <nav className="seg" aria-label={t('metrics.periods')}>
      {METRICS_PERIODS.map((period) => (
        <Link key={period} to={addressWith({ period })} aria-current={period === shown ? 'true' : undefined}>
          <TabLabel label={t(`metrics.period.${period}`)} />
        </Link>
      ))}
    </nav>
  );
}

/** Shows the chart that the address names, once the cards above it have their height. */
function useScrollToChart(isReady: boolean): void {
  const { hash } = useLocation();
  useEffect(() => {
    if (!isReady || hash === '') return;
    const chart = document.getElementById(hash.slice(1));
    chart?.scrollIntoView?.({ block: 'start' });
    chart?.focus({ preventScroll: true });
  }, [hash, isReady]);
}
