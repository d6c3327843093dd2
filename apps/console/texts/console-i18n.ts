import { useEffect, useState } from 'react';
import { type I18nProvider, useTranslate } from 'react-admin';
import polyglotI18nProvider from 'ra-i18n-polyglot';
import raEnglish from 'ra-language-english';
import { consoleTexts as english } from './en/console';
import { publicTexts as publicEnglish } from './en/public';
import { currentLocale, type Locale, LOCALES, onLocale, renderInConsole } from './locale';
import type { Params, TextKey } from './translate';

const { ra } = raEnglish;
const englishMessages = {
  ra: { ...ra, notification: { ...ra.notification, item_doesnt_exist: 'This entry does not exist' } },
  ...english,
  public: publicEnglish,
};

async function messagesOf(locale: Locale) {
  if (locale === 'en') return englishMessages;
  const [{ raGerman }, { consoleTexts }, { publicTexts }, { renderAll }] = await Promise.all([
    import('./de/react-admin'),
    import('./de/console'),
    import('./de/public'),
    import('./de/messages'),
  ]);
  renderInConsole(renderAll);
  return { ...raGerman, ...consoleTexts, public: publicTexts };
}

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
      const messages = await messagesOf(locale);
      if (gone) return;
      const polyglot = polyglotI18nProvider(
        () => messages,
        locale,
        LOCALES.map(({ locale, name }) => ({ locale, name })),
        {
          allowMissing: false,
        },
      );
      setProvider({
        ...polyglot,
        changeLocale: (next: string) => choose(next === 'de' ? 'de' : 'en'),
      });
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

export type ConsoleTextKey = TextKey<typeof english>;

/** Returns `useTranslate` typed with our keys. */
export function useText(): (key: ConsoleTextKey, params?: Params) => string {
  const translate = useTranslate();
  return translate;
}
