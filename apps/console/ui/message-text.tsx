import type { Message } from '@moorage/domain';
import { messageText, useLocale } from '../texts/locale';

/** A message in the page's language; marked as English where it stays so. */
export function MessageText({ message }: { message: Message }) {
  const locale = useLocale();
  const text = messageText(message);
  return locale !== 'en' && text === message.detail ? <span lang="en">{text}</span> : <>{text}</>;
}
