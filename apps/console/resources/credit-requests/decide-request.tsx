import type { AdminCreditRequestAnswer } from '@moorage/contracts';
import { CREDITS_MESSAGES, type Message } from '@moorage/domain';
import { useAction } from '../../data/use-action';
import { ApproveDialog } from '../../parts/reviews/approve-dialog';
import { DecideButtons } from '../../parts/reviews/decide-buttons';
import { RejectDialog } from '../../parts/reviews/reject-dialog';
import { useText } from '../../texts/console-i18n';

/** Buttons that decide about a pending request. */
export function DecideRequest({ request }: { request: AdminCreditRequestAnswer }) {
  const t = useText();
  const { id, email, account } = request;
  const approve = useAction('credit-requests', 'approve');
  const reject = useAction('credit-requests', 'reject');
  return (
    <DecideButtons
      name={email}
      approve={(onClose) => (
        <ApproveDialog
          id={id}
          title={t('admin_referrals.requests.approve', { email })}
          consequence={
            account?.is_verified === true
              ? t('admin_referrals.requests.approve_credit', { name: account.username })
              : t('admin_referrals.requests.approve_code')
          }
          refusal={refusalBefore(request)}
          act={approve}
          done={t('admin_referrals.requests.approved')}
          onClose={onClose}
        />
      )}
      reject={(onClose) => (
        <RejectDialog
          id={id}
          title={t('admin_referrals.requests.reject', { email })}
          hint={t('admin_referrals.requests.reject_text')}
          act={reject}
          done={t('admin_referrals.requests.rejected')}
          onClose={onClose}
        />
      )}
    />
  );
}

/** Returns the reason why a request cannot be approved, or null. */
function refusalBefore({ account, had_before: hadBefore }: AdminCreditRequestAnswer): Message | null {
  if (account?.is_deactivated === true) return CREDITS_MESSAGES.request_deactivated;
  return hadBefore ? CREDITS_MESSAGES.had_before : null;
}
