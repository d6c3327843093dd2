import type { Language, Message, Texts } from '@moorage/domain';
import { useSyncExternalStore } from 'react';
import { publicTexts as english } from './en/public';
import { type Params, type SameKeys, type TextKey, translate } from './translate';

export type Locale = Language;
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
  const [texts, renderer] =
    locale === 'de'
      ? await Promise.all([
          import('./de/public').then(({ publicTexts }) => publicTexts),
          import('./de/messages-public').then(({ renderPublic }) => renderPublic),
        ])
      : [english, null];
  if (renderer !== null) renderers.public ??= renderer;
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

type Renderer = (message: Message) => string;

/** German: the public side has the messages that are met there, the console all of them. */
const renderers: { public?: Renderer; console?: Renderer } = {};

export function renderInConsole(renderer: Renderer): void {
  renderers.console = renderer;
}

/** A message of the rules or of the server in the page's language, to be called where it is shown; in English where nobody has its code. */
export function messageText(message: Message): string {
  if (state.locale === 'en') return message.detail;
  return (renderers.console ?? renderers.public)?.(message) ?? message.detail;
}

/** A text that came in every language, in the page's; to be called where it is shown. */
export const inLanguage = (texts: Texts): string => texts[state.locale];

export type PublicTextKey = TextKey<typeof english>;

/** Texts of the parts that both sides share, without the admin kit. */
export function usePublicText(): (key: PublicTextKey, params?: Params) => string {
  const { texts } = useSyncExternalStore(onLocale, () => state);
  return (key, params) => translate(texts, key, params);
}

export function useLocale(): Locale {
  return useSyncExternalStore(onLocale, currentLocale);
}
