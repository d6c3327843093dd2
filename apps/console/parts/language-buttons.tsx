import { chooseLanguage } from '../data/account';
import { LOCALES, useLocale } from '../texts/locale';

/** A button for each language, which switches the console to it. */
export function LanguageButtons() {
  const current = useLocale();
  return LOCALES.map(({ locale, name }) => (
    <button
      key={locale}
      type="button"
      lang={locale}
      aria-pressed={locale === current}
      onClick={() => void chooseLanguage(locale)}
    >
      {name}
    </button>
  ));
}
