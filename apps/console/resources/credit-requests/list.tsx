import type { AdminCreditRequestAnswer } from '@moorage/contracts';
import { AdminOnly } from '../../parts/admin-only';
import { Decided } from '../../parts/reviews/decided';
import { ReviewList, useReviewState } from '../../parts/reviews/review-list';
import { On } from '../../parts/user-reference';
import { useText } from '../../texts/console-i18n';
import { DataTable } from '../../ui/data-table';
import { Account } from './account';
import { Credited } from './credited';
import { DecideRequest } from './decide-request';
import { Due } from './due';
import './list.css';

const DECIDED = ['approved', 'rejected'] as const;

const Column = DataTable.Col<AdminCreditRequestAnswer>;

/** Requests for free credits. Pending requests are decided here, longest waiting first. */
export default function CreditRequestList() {
  return (
    <AdminOnly>
      <Requests />
    </AdminOnly>
  );
}

function Requests() {
  const t = useText();
  return (
    <ReviewList
      resource="credit-requests"
      decided={DECIDED}
      failed={t('admin_referrals.requests.failed')}
      emptyTexts={{
        waiting: t('admin_referrals.requests.none_waiting'),
        approved: t('admin_referrals.requests.none_approved'),
        rejected: t('admin_referrals.requests.none_rejected'),
      }}
    >
      <Table />
    </ReviewList>
  );
}

function Table() {
  const t = useText();
  const state = useReviewState(DECIDED);
  return (
    <DataTable<AdminCreditRequestAnswer> label={t('admin_referrals.tabs.requests')} className="reviews">
      <Column label={t('admin_referrals.requests.from')} render={(request) => <From request={request} />} />
      <Column label={t('admin_referrals.requests.why')} render={({ reason }) => <Reason text={reason} />} />
      <Column label={t('admin_referrals.requests.account')} render={(request) => <Account request={request} />} />
      <Column label={t('admin_referrals.requests.came')} render={({ created_at: at }) => <On at={at} />} />
      {state === 'waiting' ? (
        <Column label={t('admin_referrals.requests.due')} render={(request) => <Due request={request} />} />
      ) : (
        <Column label={t('admin_referrals.decided')} render={(request) => <Decided {...request} />} />
      )}
      {state === 'approved' ? (
        <Column label={t('admin_referrals.requests.credited')} render={(request) => <Credited request={request} />} />
      ) : null}
      {state === 'waiting' ? (
        <Column
          label={<span className="vh">{t('admin_referrals.credits.actions')}</span>}
          align="right"
          render={(request) => <DecideRequest request={request} />}
        />
      ) : null}
    </DataTable>
  );
}

function From({ request: { email, ip_address: ip } }: { request: AdminCreditRequestAnswer }) {
  return (
    <span className="who">
      <b className="anywhere">{email}</b>
      {ip === null ? null : <span className="small muted mono">{ip}</span>}
    </span>
  );
}

function Reason({ text }: { text: string }) {
  return (
    <p className="reason" tabIndex={0}>
      {text}
    </p>
  );
}
