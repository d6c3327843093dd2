import { TriangleAlert } from 'lucide-react';
import type { SentRequest } from '../data/request-key';
import { useText } from '../texts/console-i18n';
import { shortInstant } from '../ui/dates';

/** Warns that this tab has already sent a request for the same amount, and explains what sending it again does. */
export function SentBefore<Content>({
  requests,
  isEqual,
  isRepeat,
  amount,
}: {
  requests: readonly SentRequest<Content>[];
  /** Returns whether an earlier request has the amount entered in the dialog. */
  isEqual: (content: Content) => boolean;
  /** Returns whether all other fields are equal too, so that the request would be sent with the earlier key. */
  isRepeat: (content: Content) => boolean;
  amount: string;
}) {
  const t = useText();
  const equal = requests.filter(({ content }) => isEqual(content));
  const before = equal.find(({ isAccepted, content }) => !isAccepted && isRepeat(content)) ?? equal[0];
  if (before === undefined) return null;
  const sentence = before.isAccepted ? 'done' : isRepeat(before.content) ? 'repeated' : 'unanswered';
  return (
    <div className="note brass" role="status">
      <TriangleAlert size={16} aria-hidden="true" />
      <p>{t(`layout.sent_before.${sentence}`, { amount, at: shortInstant(before.at) })}</p>
    </div>
  );
}
