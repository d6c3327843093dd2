import type { AdminCreditRequestAnswer } from '@moorage/contracts';
import { On } from '../../parts/user-reference';
import { useText } from '../../texts/console-i18n';
import { exactInstant, fullDay } from '../../ui/dates';

/** Time of the credit, or the expiry of the emailed code. */
export function Credited({
  request: { credited_at: at, code_expires_at: codeEnds },
}: {
  request: AdminCreditRequestAnswer;
}) {
  const t = useText();
  if (at !== null) return <On at={at} />;
  if (codeEnds === null) return t('layout.not_available');
  return (
    <span title={exactInstant(codeEnds)}>{t('admin_referrals.requests.code_until', { date: fullDay(codeEnds) })}</span>
  );
}
