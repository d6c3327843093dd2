import type { AdminReferralAnswer } from '@moorage/contracts';
import { CREDITS_MESSAGES } from '@moorage/domain';
import { useState } from 'react';
import { type Column, RecordTable } from '../../ui/record-table';
import {
  type ReferralState,
  useAdminReferrals,
  useApproveReferral,
  useRejectReferral,
} from '../../data/admin-referrals';
import { useText } from '../../texts/console-i18n';
import { MessageText } from '../../ui/message-text';
import { ApproveDialog, Decided, RejectDialog } from './tab-parts';
import { On, UserReference } from '../../parts/user-reference';
import { PageSummary, StateTabs } from '../../ui/list/page-summary';
import { useListAddress } from '../../ui/list/list-address';
import { Button } from '../../ui/button';

const STATES: readonly [ReferralState, ...ReferralState[]] = ['waiting', 'granted', 'rejected'];

/** Referrals with the reasons for suspicion. Pending referrals are decided here. */
export function ReferralsTab() {
  const t = useText();
  const { oneOf, page } = useListAddress();
  const state = oneOf('state', STATES);
  const referrals = useAdminReferrals({ state, page });
  const rows = referrals.data?.referrals;
  const columns: Column<AdminReferralAnswer>[] = [
    { label: t('admin_referrals.referrals.referred'), render: ({ referred }) => <UserReference {...referred} /> },
    { label: t('admin_referrals.referrals.referrer'), render: ({ referrer }) => <UserReference {...referrer} /> },
    { label: t('admin_referrals.referrals.since'), render: ({ verified_at: at }) => <On at={at} /> },
    { label: t('admin_referrals.referrals.from'), render: (one) => <From referral={one} /> },
    { label: t('admin_referrals.referrals.doubts'), render: (one) => <Doubts referral={one} /> },
    ...(state === 'waiting'
      ? []
      : [
          {
            label: t('admin_referrals.decided'),
            render: (one: AdminReferralAnswer) => <Decided {...one} />,
          },
        ]),
  ];
  return (
    <>
      <StateTabs
        label={t('admin_referrals.state')}
        chosen={state}
        tabs={STATES.map((value) => ({ value, label: t(`admin_referrals.states.${value}`) }))}
      />
      <PageSummary
        query={referrals}
        pages={referrals.data}
        rows={rows}
        failed={t('admin_referrals.referrals.failed')}
        empty={t(`admin_referrals.referrals.none_${state}`)}
      >
        <RecordTable
          label={t('admin_referrals.tabs.referrals')}
          rows={rows ?? []}
          columns={columns}
          {...(state === 'waiting'
            ? {
                action: {
                  label: t('admin_referrals.credits.actions'),
                  render: (one: AdminReferralAnswer) => <Decide referral={one} />,
                },
              }
            : {})}
        />
      </PageSummary>
    </>
  );
}

function From({ referral: { ip_address: ip, network } }: { referral: AdminReferralAnswer }) {
  const t = useText();
  return (
    <span className="who mono">
      {ip ?? t('layout.not_available')}
      {network === null ? null : <span className="small muted anywhere">{network}</span>}
    </span>
  );
}

function Doubts({ referral: { doubts } }: { referral: AdminReferralAnswer }) {
  const t = useText();
  if (doubts.length === 0) return t('layout.none');
  return (
    <ul className="doubts">
      {doubts.map(({ kind, text }) => (
        <li key={kind}>
          <MessageText message={text} />
        </li>
      ))}
    </ul>
  );
}

function Decide({ referral: { id, referred, referrer } }: { referral: AdminReferralAnswer }) {
  const t = useText();
  const [dialog, setDialog] = useState<'approve' | 'reject' | null>(null);
  const close = (): void => setDialog(null);
  const names = { referred: referred.username, referrer: referrer.username };
  const approve = useApproveReferral(id);
  const reject = useRejectReferral(id);
  return (
    <span className="row-acts">
      <Button
        size="small"
        aria-label={t('admin_referrals.approve_of', { name: referred.username })}
        onClick={() => setDialog('approve')}
      >
        {t('admin_referrals.approve')}
      </Button>
      <Button
        kind="danger"
        size="small"
        aria-label={t('admin_referrals.reject_of', { name: referred.username })}
        onClick={() => setDialog('reject')}
      >
        {t('admin_referrals.reject')}
      </Button>
      {dialog === 'approve' ? (
        <ApproveDialog
          title={t('admin_referrals.referrals.approve', names)}
          refusal={referred.is_deactivated ? CREDITS_MESSAGES.pair_deactivated : null}
          act={approve}
          done={t('admin_referrals.referrals.approved')}
          onClose={close}
        >
          <p>{t('admin_referrals.referrals.approve_text', names)}</p>
        </ApproveDialog>
      ) : dialog === 'reject' ? (
        <RejectDialog
          title={t('admin_referrals.referrals.reject', names)}
          hint={t('admin_referrals.referrals.reject_text')}
          act={reject}
          done={t('admin_referrals.referrals.rejected')}
          onClose={close}
        />
      ) : null}
    </span>
  );
}
