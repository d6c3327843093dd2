import { METRICS_PERIODS } from '@moorage/domain';
import { Link } from 'react-router-dom';
import { PROVIDER_LIST } from '../../data/actions/providers';
import { useCatalogueNames } from '../../data/catalogue';
import { type Overview, useOverview } from '../../data/platform';
import { useRead } from '../../data/use-read';
import { AdminOnly } from '../../parts/admin-only';
import { useText } from '../../texts/console-i18n';
import { ErrorAlert } from '../../ui/error-alert';
import { TabLabel } from '../../ui/list/filter-tabs';
import { useListAddress } from '../../ui/list/list-address';
import { PageSkeleton } from '../../ui/page-skeleton';
import { TwoFactorRequiredError } from '../../ui/two-factor-required';
import { useTitle } from '../../ui/use-title';
import { AttentionCard } from './attention-card';
import { ChecksCard } from './checks-card';
import { FailuresCard, SlowestCard } from './deployment-lists';
import { FiguresCard } from './figures-card';
import { ProvidersCard } from './providers-card';
import './overview.css';

const REFRESH_MS = 30_000;

/** First page of administrators: what needs attention, and how the platform is doing. */
export default function OverviewPage() {
  const t = useText();
  useTitle(t('overview.title'));
  return (
    <AdminOnly>
      <Platform />
    </AdminOnly>
  );
}

function Platform() {
  const t = useText();
  const period = useListAddress().oneOf('period', METRICS_PERIODS);
  const { data: overview, error, isError, refetch } = useOverview(period);
  const providers = useRead('providers', PROVIDER_LIST, {}, { refetchInterval: REFRESH_MS, retry: false });
  // The providers are among the figures and beside the failures, which would move.
  if ((overview === undefined && !isError) || providers.isPending) return <PageSkeleton />;
  return (
    <main className="main" id="content" tabIndex={-1}>
      <div className="title">
        <div className="grow">
          <h1>{t('overview.title')}</h1>
          <p>{t('overview.lead')}</p>
        </div>
        <Periods shown={period} />
      </div>
      {overview === undefined ? (
        <ErrorAlert
          text={<TwoFactorRequiredError error={error} failed={t('overview.failed')} />}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loaded overview={overview} providers={providers} />
      )}
    </main>
  );
}

function Loaded({
  overview,
  providers,
}: {
  overview: Overview;
  providers: ReturnType<typeof useRead<typeof PROVIDER_LIST>>;
}) {
  const clouds = [...overview.slowest, ...overview.failures].flatMap(({ cloud_provider: cloud }) => cloud ?? []);
  const names = useCatalogueNames([...new Set(clouds)].sort());
  return (
    <div className="stack">
      <AttentionCard overview={overview} />
      <FiguresCard overview={overview} providers={providers.data} />
      <div className="platform-cols">
        <div className="stack">
          <ProvidersCard query={providers} />
          <FailuresCard overview={overview} names={names} />
          <SlowestCard overview={overview} names={names} />
        </div>
        <aside className="stack">
          <ChecksCard overview={overview} />
        </aside>
      </div>
    </div>
  );
}

function Periods({ shown }: { shown: Overview['period'] }) {
  const t = useText();
  const { addressWith } = useListAddress();
  return (
    <nav className="seg" aria-label={t('overview.periods')}>
      {METRICS_PERIODS.map((period) => (
        <Link key={period} to={addressWith({ period })} aria-current={period === shown ? 'true' : undefined}>
          <TabLabel label={t(`overview.period.${period}`)} />
        </Link>
      ))}
    </nav>
  );
}
