import { AdminOnly } from '../../parts/admin-only';
import { useReviews } from '../../data/admin-referrals';
import { useText } from '../../texts/console-i18n';
import { FilterTabs } from '../../ui/list/filter-tabs';
import { useTitle } from '../../ui/use-title';
import { ClustersTab } from './clusters-tab';
import { CreditsTab } from './credits-tab';
import { ReferralsTab } from './referrals-tab';
import { RequestsTab } from './requests-tab';
import { useListAddress } from '../../ui/list/list-address';
import './admin-referrals.css';

const TABS = { credits: CreditsTab, referrals: ReferralsTab, requests: RequestsTab, clusters: ClustersTab } as const;
type Tab = keyof typeof TABS;
const NAMES: readonly [Tab, ...Tab[]] = ['credits', 'referrals', 'requests', 'clusters'];

/** All credits, pending decisions, and clusters of accounts. */
export default function AdminReferralsPage() {
  const t = useText();
  useTitle(t('admin_referrals.title'));
  return (
    <AdminOnly>
      <main className="main admin-referrals" id="content" tabIndex={-1}>
        <div className="title">
          <h1 className="grow">{t('admin_referrals.title')}</h1>
        </div>
        <Tabs />
      </main>
    </AdminOnly>
  );
}

function Tabs() {
  const t = useText();
  const { oneOf, go } = useListAddress();
  const { data: waiting } = useReviews();
  const tab = oneOf('tab', NAMES);
  const Shown = TABS[tab];
  return (
    <>
      <div className="tools">
        <FilterTabs<Tab>
          label={t('admin_referrals.tabs.label')}
          tabs={NAMES.map((value) => ({
            value,
            label: t(`admin_referrals.tabs.${value}`),
            ...(value === 'referrals' ? { count: waiting?.referrals } : {}),
            ...(value === 'requests'
              ? { count: waiting?.requests, isMarked: (waiting?.overdue_requests ?? 0) > 0 }
              : {}),
          }))}
          chosen={tab}
          // The lists do not share filters.
          onChoose={(value) => go({ ...NOTHING, tab: value })}
        />
      </div>
      <Shown />
    </>
  );
}

const NOTHING = {
  state: undefined,
  by: undefined,
  network: undefined,
  mail_domain: undefined,
  sort_by: undefined,
  sort_order: undefined,
};
