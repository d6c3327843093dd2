import { useEffect, useState } from 'react';
import { type I18nProvider, useTranslate } from 'react-admin';
import type { ConsoleTextKey, Params } from '@moorage/texts';
import polyglotI18nProvider from 'ra-i18n-polyglot';
import { currentLocale, loadConsoleTexts, type Locale, localeOf, LOCALES, onLocale } from './locale';

/**
 * Returns react-admin's i18n provider with our texts and its own, or null until the language has loaded. `choose`
 * switches the language and must be a stable function.
 */
export function useConsoleI18n(choose: (language: Locale) => Promise<void>): I18nProvider | null {
  const [provider, setProvider] = useState<I18nProvider | null>(null);
  useEffect(() => {
    let gone = false;
    const load = async (): Promise<void> => {
      const locale = currentLocale();
      const texts = await loadConsoleTexts(locale);
      if (gone) return;
      const polyglot = polyglotI18nProvider(() => texts, locale, [...LOCALES], { allowMissing: false });
      setProvider({ ...polyglot, changeLocale: (next: string) => choose(localeOf(next)) });
    };
    void load();
    const stop = onLocale(() => void load());
    return () => {
      gone = true;
      stop();
    };
  }, [choose]);
  return provider;
}

export type { ConsoleTextKey };

/** Returns `useTranslate` typed with our keys. */
export function useText(): (key: ConsoleTextKey, params?: Params) => string {
  const translate = useTranslate();
  return translate;
}
