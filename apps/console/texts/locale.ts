import { useSyncExternalStore } from 'react';
import { publicTexts as english } from './en/public';
import { type Params, type SameKeys, type TextKey, translate } from './translate';

export type Locale = 'en' | 'de';
export const LOCALES: readonly { readonly locale: Locale; readonly name: string }[] = [
  { locale: 'en', name: 'English' },
  { locale: 'de', name: 'Deutsch' },
];

const KEY = 'locale';
const listeners = new Set<() => void>();
let state: { locale: Locale; texts: SameKeys<typeof english> } = { locale: 'en', texts: english };

/** What the person chose, else what the browser prefers of the two. */
export function preferredLocale(): Locale {
  try {
    const stored = localStorage.getItem(KEY);
    if (stored === 'en' || stored === 'de') return stored;
  } catch {
    // storage is switched off
  }
  return navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en';
}

export const currentLocale = (): Locale => state.locale;

/** Loads the texts of the public side and shows them; the console's provider follows through `onLocale`. */
export async function showLocale(locale: Locale, { keep = true }: { keep?: boolean } = {}): Promise<void> {
  const texts = locale === 'de' ? (await import('./de/public')).publicTexts : english;
  if (keep) {
    try {
      localStorage.setItem(KEY, locale);
    } catch {
      // the choice lasts as long as the page
    }
  }
  document.documentElement.lang = locale;
  state = { locale, texts };
  for (const listener of listeners) listener();
}

export function onLocale(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export type PublicTextKey = TextKey<typeof english>;

/** Texts of the parts that both sides share, without the admin kit. */
export function usePublicText(): (key: PublicTextKey, params?: Params) => string {
  const { texts } = useSyncExternalStore(onLocale, () => state);
  return (key, params) => translate(texts, key, params);
}

export function useLocale(): Locale {
  return useSyncExternalStore(onLocale, currentLocale);
}
