import type { AdminReferralAnswer } from '@moorage/contracts';
import { AdminOnly } from '../../parts/admin-only';
import { Decided } from '../../parts/reviews/decided';
import { ReviewList, useReviewState } from '../../parts/reviews/review-list';
import { On, UserReference } from '../../parts/user-reference';
import { useText } from '../../texts/console-i18n';
import { DataTable } from '../../ui/data-table';
import { DecideReferral } from './decide-referral';
import { Doubts } from './doubts';

const DECIDED = ['granted', 'rejected'] as const;

const Column = DataTable.Col<AdminReferralAnswer>;

/** Referrals with the reasons for suspicion. Pending referrals are decided here. */
export default function ReferralList() {
  return (
    <AdminOnly>
      <Referrals />
    </AdminOnly>
  );
}

function Referrals() {
  const t = useText();
  return (
    <ReviewList
      resource="referrals"
      decided={DECIDED}
      failed={t('admin_referrals.referrals.failed')}
      emptyTexts={{
        waiting: t('admin_referrals.referrals.none_waiting'),
        granted: t('admin_referrals.referrals.none_granted'),
        rejected: t('admin_referrals.referrals.none_rejected'),
      }}
    >
      <Table />
    </ReviewList>
  );
}

function Table() {
  const t = useText();
  const isWaiting = useReviewState(DECIDED) === 'waiting';
  return (
    <DataTable<AdminReferralAnswer> label={t('admin_referrals.tabs.referrals')} className="reviews">
      <Column
        label={t('admin_referrals.referrals.referred')}
        render={({ referred }) => <UserReference {...referred} />}
      />
      <Column
        label={t('admin_referrals.referrals.referrer')}
        render={({ referrer }) => <UserReference {...referrer} />}
      />
      <Column label={t('admin_referrals.referrals.since')} render={({ verified_at: at }) => <On at={at} />} />
      <Column label={t('admin_referrals.referrals.from')} render={(referral) => <Origin referral={referral} />} />
      <Column label={t('admin_referrals.referrals.doubts')} render={(referral) => <Doubts referral={referral} />} />
      {isWaiting ? (
        <Column
          label={<span className="vh">{t('admin_referrals.credits.actions')}</span>}
          align="right"
          render={(referral) => <DecideReferral referral={referral} />}
        />
      ) : (
        <Column label={t('admin_referrals.decided')} render={(referral) => <Decided {...referral} />} />
      )}
    </DataTable>
  );
}

function Origin({ referral: { ip_address: ip, network } }: { referral: AdminReferralAnswer }) {
  const t = useText();
  return (
    <span className="who mono">
      {ip ?? t('layout.not_available')}
      {network === null ? null : <span className="small muted anywhere">{network}</span>}
    </span>
  );
}
