import type { AdminReferralAnswer } from '@moorage/contracts';
import { useText } from '../../texts/console-i18n';
import { MessageText } from '../../ui/message-text';
import './doubts.css';

/** Reasons for the review of a referral. */
export function Doubts({ referral: { doubts } }: { referral: AdminReferralAnswer }) {
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
