import type { ConversationBrief } from '@moorage/contracts';
import { useText } from '../../texts/console-i18n';

/** Returns the subject of a conversation. */
export function useSubject(): (conversation: Pick<ConversationBrief, 'kind' | 'subject'>) => string {
  const t = useText();
  return ({ kind, subject }) => (kind === 'package' ? t('support.package', { name: subject }) : subject);
}
