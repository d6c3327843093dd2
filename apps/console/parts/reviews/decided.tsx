import type { AdminReferralAnswer } from '@moorage/contracts';
import { useText } from '../../texts/console-i18n';
import { On } from '../user-reference';

/** Decision with its author, time and reason. */
export function Decided({
  decided_at: at,
  decided_by: by,
  rejection,
}: Pick<AdminReferralAnswer, 'decided_at' | 'decided_by' | 'rejection'>) {
  const t = useText();
  if (at === null) return t('admin_referrals.at_once');
  return (
    <span className="who">
      <On at={at} />
      {by === null ? null : <span className="small muted">{t('admin_referrals.by', { name: by.username })}</span>}
      {rejection === null ? null : <span className="small anywhere">{rejection}</span>}
    </span>
  );
}
