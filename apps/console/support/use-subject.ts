import type { ConversationBrief } from '@moorage/contracts';
import { useText } from '../texts/console-i18n';

/** What a conversation is called. */
export function useSubject(): (conversation: Pick<ConversationBrief, 'kind' | 'subject'>) => string {
  const t = useText();
  return ({ kind, subject }) => (kind === 'package' ? t('support.package', { name: subject }) : subject);
}
