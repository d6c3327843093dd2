import { LANGUAGES, type Message } from '@moorage/domain';
import { messageText, useLocale } from '../texts/locale';

const [source] = LANGUAGES;

/** Message in the page's language, or marked as English if it is not translated. */
export function MessageText({ message }: { message: Message }) {
  const locale = useLocale();
  const text = messageText(message);
  return locale !== source && text === message.detail ? <span lang={source}>{text}</span> : <>{text}</>;
}
