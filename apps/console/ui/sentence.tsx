import { said, useLocale } from '../texts/locale';

/** A sentence of the server in the page's language; marked as English where it stays so. */
export function Sentence({ text }: { text: string }) {
  const locale = useLocale();
  const words = said(text);
  return locale !== 'en' && words === text ? <span lang="en">{text}</span> : <>{words}</>;
}
