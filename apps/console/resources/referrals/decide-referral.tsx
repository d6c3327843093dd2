import type { AdminReferralAnswer } from '@moorage/contracts';
import { CREDITS_MESSAGES } from '@moorage/domain';
import { useAction } from '../../data/use-action';
import { ApproveDialog } from '../../parts/reviews/approve-dialog';
import { DecideButtons } from '../../parts/reviews/decide-buttons';
import { RejectDialog } from '../../parts/reviews/reject-dialog';
import { useText } from '../../texts/console-i18n';

/** Buttons that decide about a pending referral. */
export function DecideReferral({ referral: { id, referred, referrer } }: { referral: AdminReferralAnswer }) {
  const t = useText();
  const approve = useAction('referrals', 'approve');
  const reject = useAction('referrals', 'reject');
  const names = { referred: referred.username, referrer: referrer.username };
  return (
    <DecideButtons
      name={referred.username}
      approve={(onClose) => (
        <ApproveDialog
          id={id}
          title={t('admin_referrals.referrals.approve', names)}
          consequence={t('admin_referrals.referrals.approve_text', names)}
          refusal={referred.is_deactivated ? CREDITS_MESSAGES.pair_deactivated : null}
          act={approve}
          done={t('admin_referrals.referrals.approved')}
          onClose={onClose}
        />
      )}
      reject={(onClose) => (
        <RejectDialog
          id={id}
          title={t('admin_referrals.referrals.reject', names)}
          hint={t('admin_referrals.referrals.reject_text')}
          act={reject}
          done={t('admin_referrals.referrals.rejected')}
          onClose={onClose}
        />
      )}
    />
  );
}
