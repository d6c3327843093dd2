import { Link } from 'react-router-dom';
import { RecordTable } from '../../ui/record-table';
import { useClusters } from '../../data/admin-referrals';
import { useText } from '../../texts/console-i18n';
import { money } from '../../ui/money';
import { On } from '../../parts/user-reference';
import { PageSummary, StateTabs } from '../../ui/list/page-summary';
import { useListAddress } from '../../ui/list/list-address';

const KEYS = ['network', 'mail_domain'] as const;

/** Networks and domains with many accounts that have credits, linked to those credits. */
export function ClustersTab() {
  const t = useText();
  const { oneOf, addressWith } = useListAddress();
  const by = oneOf('by', KEYS);
  const clusters = useClusters(by);
  const rows = clusters.data?.map((cluster, index) => ({ ...cluster, id: index }));
  return (
    <>
      <StateTabs
        label={t('admin_referrals.clusters.by')}
        name="by"
        chosen={by}
        tabs={KEYS.map((value) => ({ value, label: t(`admin_referrals.clusters.${value}`) }))}
      />
      <PageSummary
        query={clusters}
        rows={rows}
        failed={t('admin_referrals.clusters.failed')}
        empty={t('admin_referrals.clusters.none')}
      >
        <RecordTable
          label={t('admin_referrals.tabs.clusters')}
          rows={rows ?? []}
          columns={[
            {
              label: t(`admin_referrals.clusters.${by}`),
              render: ({ key }) => (
                <Link
                  className="name mono"
                  to={addressWith({ tab: undefined, by: undefined, state: undefined, [by]: key })}
                >
                  {key}
                </Link>
              ),
            },
            { label: t('admin_referrals.clusters.accounts'), render: ({ accounts }) => accounts },
            { label: t('admin_referrals.clusters.waiting'), render: ({ waiting }) => waiting },
            {
              label: t('admin_referrals.clusters.granted'),
              render: ({ granted_amount: granted }) => money(granted, { rounding: 'cut' }),
            },
            { label: t('admin_referrals.clusters.newest'), render: ({ newest_at: at }) => <On at={at} /> },
          ]}
        />
      </PageSummary>
    </>
  );
}
