import type { Message } from '@moorage/domain';
import { messageText, useLocale } from '../texts/locale';

/** Message in the page's language, or marked as English if it is not translated. */
export function MessageText({ message }: { message: Message }) {
  const locale = useLocale();
  const text = messageText(message);
  return locale !== 'en' && text === message.detail ? <span lang="en">{text}</span> : <>{text}</>;
}
