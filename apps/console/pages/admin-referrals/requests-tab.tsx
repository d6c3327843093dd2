import type { AdminCreditRequestAnswer } from '@moorage/contracts';
import { CREDITS_MESSAGES } from '@moorage/domain';
import { ClockAlert, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { type Column, RecordTable } from '../../ui/record-table';
import { type RequestState, useApproveRequest, useCreditRequests, useRejectRequest } from '../../data/admin-referrals';
import { useText } from '../../texts/console-i18n';
import { exactInstant, fullDay, shortInstant } from '../../ui/dates';
import { ApproveDialog, Decided, RejectDialog } from './tab-parts';
import { On, UserReference } from '../../parts/user-reference';
import { PageSummary, StateTabs } from '../../ui/list/page-summary';
import { useListAddress } from '../../ui/list/list-address';
import { Button } from '../../ui/button';

const STATES: readonly [RequestState, ...RequestState[]] = ['waiting', 'approved', 'rejected'];

/** Requests for free credits. Pending requests are decided here, longest waiting first. */
export function RequestsTab() {
  const t = useText();
  const { oneOf, page } = useListAddress();
  const state = oneOf('state', STATES);
  const requests = useCreditRequests({ state, page });
  const rows = requests.data?.requests;
  const columns: Column<AdminCreditRequestAnswer>[] = [
    { label: t('admin_referrals.requests.from'), render: (one) => <From request={one} /> },
    {
      label: t('admin_referrals.requests.why'),
      render: ({ reason }) => (
        <p className="reason" tabIndex={0}>
          {reason}
        </p>
      ),
    },
    { label: t('admin_referrals.requests.account'), render: (one) => <Account request={one} /> },
    { label: t('admin_referrals.requests.came'), render: ({ created_at: at }) => <On at={at} /> },
    state === 'waiting'
      ? { label: t('admin_referrals.requests.due'), render: (one) => <Due request={one} /> }
      : { label: t('admin_referrals.decided'), render: (one) => <Decided {...one} /> },
    ...(state === 'approved'
      ? [
          {
            label: t('admin_referrals.requests.credited'),
            render: (one: AdminCreditRequestAnswer) => <Credited request={one} />,
          },
        ]
      : []),
  ];
  return (
    <>
      <StateTabs
        label={t('admin_referrals.state')}
        chosen={state}
        tabs={STATES.map((value) => ({ value, label: t(`admin_referrals.states.${value}`) }))}
      />
      <PageSummary
        query={requests}
        pages={requests.data}
        rows={rows}
        failed={t('admin_referrals.requests.failed')}
        empty={t(`admin_referrals.requests.none_${state}`)}
      >
        <RecordTable
          label={t('admin_referrals.tabs.requests')}
          rows={rows ?? []}
          columns={columns}
          {...(state === 'waiting'
            ? {
                action: {
                  label: t('admin_referrals.credits.actions'),
                  render: (one: AdminCreditRequestAnswer) => <Decide request={one} />,
                },
              }
            : {})}
        />
      </PageSummary>
    </>
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

function Account({ request: { account, had_before: hadBefore } }: { request: AdminCreditRequestAnswer }) {
  const t = useText();
  return (
    <span className="who">
      {account === null ? (
        <span className="muted">{t('admin_referrals.requests.no_account')}</span>
      ) : (
        <UserReference {...account} />
      )}
      {account?.is_verified === false ? (
        <span className="small muted">{t('admin_referrals.requests.unverified')}</span>
      ) : null}
      {hadBefore ? (
        <span className="tag port">
          <TriangleAlert size={16} aria-hidden="true" />
          {t('admin_referrals.requests.had_before')}
        </span>
      ) : null}
    </span>
  );
}

function Due({ request: { due_at: at, is_overdue: isOverdue } }: { request: AdminCreditRequestAnswer }) {
  const t = useText();
  return isOverdue ? (
    <span className="who" title={exactInstant(at)}>
      <span className="tag port">
        <ClockAlert size={16} aria-hidden="true" />
        {t('admin_referrals.requests.overdue')}
      </span>
      <span className="small muted">{shortInstant(at)}</span>
    </span>
  ) : (
    <span title={exactInstant(at)}>{shortInstant(at)}</span>
  );
}

function Credited({ request: { credited_at: at, code_expires_at: codeEnds } }: { request: AdminCreditRequestAnswer }) {
  const t = useText();
  if (at !== null) return <On at={at} />;
  if (codeEnds === null) return t('layout.not_available');
  return (
    <span title={exactInstant(codeEnds)}>{t('admin_referrals.requests.code_until', { date: fullDay(codeEnds) })}</span>
  );
}

function Decide({ request: { id, email, account, had_before: hadBefore } }: { request: AdminCreditRequestAnswer }) {
  const t = useText();
  const [dialog, setDialog] = useState<'approve' | 'reject' | null>(null);
  const close = (): void => setDialog(null);
  const approve = useApproveRequest(id);
  const reject = useRejectRequest(id);
  const isPaid = account?.is_verified === true;
  return (
    <span className="row-acts">
      <Button
        size="small"
        aria-label={t('admin_referrals.approve_of', { name: email })}
        onClick={() => setDialog('approve')}
      >
        {t('admin_referrals.approve')}
      </Button>
      <Button
        kind="danger"
        size="small"
        aria-label={t('admin_referrals.reject_of', { name: email })}
        onClick={() => setDialog('reject')}
      >
        {t('admin_referrals.reject')}
      </Button>
      {dialog === 'approve' ? (
        <ApproveDialog
          title={t('admin_referrals.requests.approve', { email })}
          refusal={
            account?.is_deactivated === true
              ? CREDITS_MESSAGES.request_deactivated
              : hadBefore
                ? CREDITS_MESSAGES.had_before
                : null
          }
          act={approve}
          done={t('admin_referrals.requests.approved')}
          onClose={close}
        >
          <p>
            {isPaid
              ? t('admin_referrals.requests.approve_credit', { name: account.username })
              : t('admin_referrals.requests.approve_code')}
          </p>
        </ApproveDialog>
      ) : dialog === 'reject' ? (
        <RejectDialog
          title={t('admin_referrals.requests.reject', { email })}
          hint={t('admin_referrals.requests.reject_text')}
          act={reject}
          done={t('admin_referrals.requests.rejected')}
          onClose={close}
        />
      ) : null}
    </span>
  );
}
