import { useRead } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { LinkTabs } from '../../ui/list/link-tabs';

/** Links to the lists of credits and of decisions, with the number of pending ones. */
export function ReviewTabs() {
  const t = useText();
  const { data: waiting } = useRead('referrals', 'GET /referrals/admin/waiting', {});
  return (
    <div className="tools">
      <LinkTabs
        label={t('admin_referrals.tabs.label')}
        tabs={[
          { to: '/admin-referrals', label: t('admin_referrals.tabs.credits') },
          {
            to: '/admin-referrals/referrals',
            label: t('admin_referrals.tabs.referrals'),
            count: waiting?.referrals,
          },
          {
            to: '/admin-referrals/credit-requests',
            label: t('admin_referrals.tabs.requests'),
            count: waiting?.requests,
            isMarked: (waiting?.overdue_requests ?? 0) > 0,
          },
          { to: '/admin-referrals/clusters', label: t('admin_referrals.tabs.clusters') },
        ]}
      />
    </div>
  );
}
