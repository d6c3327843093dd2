import type { ReferralCluster } from '@moorage/contracts';
import { Link, useSearchParams } from 'react-router-dom';
import { useRead } from '../../data/use-read';
import { AdminOnly } from '../../parts/admin-only';
import { ReviewTabs } from '../../parts/reviews/review-tabs';
import '../../parts/reviews/review-table.css';
import { On } from '../../parts/user-reference';
import { useText } from '../../texts/console-i18n';
import { DataTable } from '../../ui/data-table';
import { ErrorAlert } from '../../ui/error-alert';
import { FilterTabs } from '../../ui/list/filter-tabs';
import { ListBox } from '../../ui/list/list-box';
import { ListSkeleton } from '../../ui/list/list-skeleton';
import { money } from '../../ui/money';
import { TwoFactorRequiredError } from '../../ui/two-factor-required';
import { useTitle } from '../../ui/use-title';

const ORIGINS = ['network', 'mail_domain'] as const;
type Origin = (typeof ORIGINS)[number];

type Row = ReferralCluster & { readonly id: string };
const Column = DataTable.Col<Row>;

/** Networks and email domains with many accounts that have credits, linked to those credits. */
export default function Clusters() {
  const t = useText();
  useTitle(t('admin_referrals.title'));
  return (
    <AdminOnly>
      <main className="main" id="content" tabIndex={-1}>
        <div className="title">
          <h1 className="grow">{t('admin_referrals.title')}</h1>
        </div>
        <ReviewTabs />
        <ByOrigin />
      </main>
    </AdminOnly>
  );
}

function ByOrigin() {
  const t = useText();
  const [address, setAddress] = useSearchParams();
  const by = ORIGINS.find((origin) => origin === address.get('by')) ?? 'network';
  const { data, error, refetch } = useRead('referral-credits', 'GET /referrals/admin/clusters', { query: { by } });
  return (
    <>
      <div className="tools">
        <FilterTabs
          label={t('admin_referrals.clusters.by')}
          chosen={by}
          tabs={ORIGINS.map((value) => ({ value, label: t(`admin_referrals.clusters.${value}`) }))}
          onChoose={(origin) => setAddress({ by: origin })}
        />
      </div>
      <ListBox
        rows={data}
        failed={
          error === null ? null : (
            <ErrorAlert
              text={<TwoFactorRequiredError error={error} failed={t('admin_referrals.clusters.failed')} />}
              onRetry={() => void refetch()}
            />
          )
        }
        loading={<ListSkeleton />}
        empty={
          <div className="empty" role="status">
            <h2>{t('admin_referrals.clusters.none')}</h2>
          </div>
        }
      >
        <Table clusters={data ?? []} by={by} />
      </ListBox>
    </>
  );
}

function Table({ clusters, by }: { clusters: readonly ReferralCluster[]; by: Origin }) {
  const t = useText();
  return (
    <DataTable<Row>
      label={t('admin_referrals.tabs.clusters')}
      className="reviews"
      rows={clusters.map((cluster) => ({ ...cluster, id: cluster.key }))}
    >
      <Column label={t(`admin_referrals.clusters.${by}`)} render={({ key }) => <CreditsOf by={by} origin={key} />} />
      <Column label={t('admin_referrals.clusters.accounts')} render={({ accounts }) => accounts} />
      <Column label={t('admin_referrals.clusters.waiting')} render={({ waiting }) => waiting} />
      <Column
        label={t('admin_referrals.clusters.granted')}
        render={({ granted_amount: granted }) => money(granted, { rounding: 'balance' })}
      />
      <Column label={t('admin_referrals.clusters.newest')} render={({ newest_at: at }) => <On at={at} />} />
    </DataTable>
  );
}

/** Link to the credits from a network or an email domain. */
function CreditsOf({ by, origin }: { by: Origin; origin: string }) {
  const filter = encodeURIComponent(JSON.stringify({ [by]: origin }));
  return (
    <Link className="name mono" to={`/admin-referrals?filter=${filter}`}>
      {origin}
    </Link>
  );
}
