import type { ConversationState } from '@moorage/contracts';
import { useText } from '../../texts/console-i18n';

const TONES: Readonly<Record<ConversationState, string>> = { open: 'tag', answered: 'tag star', closed: 'tag off' };

/** State of a conversation. */
export function StateTag({ state }: { state: ConversationState }) {
  const t = useText();
  return <span className={TONES[state]}>{t(`support.states.${state}`)}</span>;
}
