import { type Language, LANGUAGE_TAGS, type Message, type Texts } from '@moorage/domain';
import { create } from 'zustand';
import { publicTexts as english } from './en/public';
import { type Params, type SameKeys, type TextKey, translate } from './translate';

export type Locale = Language;
export const LOCALES: readonly { readonly locale: Locale; readonly name: string }[] = [
  { locale: 'en', name: 'English' },
  { locale: 'de', name: 'Deutsch' },
];

const KEY = 'locale';

interface Shown {
  readonly locale: Locale;
  readonly texts: SameKeys<typeof english>;
}

const useShown = create<Shown>(() => ({ locale: 'en', texts: english }));

/** Returns the user's choice, otherwise the browser's preference. */
export function preferredLocale(): Locale {
  try {
    const stored = localStorage.getItem(KEY);
    if (stored === 'en' || stored === 'de') return stored;
  } catch {
    // Storage is disabled.
  }
  return navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en';
}

export const currentLocale = (): Locale => useShown.getState().locale;

/** Returns the language tag for numbers, dates and lists. */
export const localeTag = (): string => LANGUAGE_TAGS[currentLocale()];

/** Loads the texts of the public side and shows them. The console's provider follows through `onLocale`. */
export async function showLocale(locale: Locale, { persist = true }: { persist?: boolean } = {}): Promise<void> {
  const [texts, renderer] =
    locale === 'de'
      ? await Promise.all([
          import('./de/public').then(({ publicTexts }) => publicTexts),
          import('./de/messages-public').then(({ renderPublic }) => renderPublic),
        ])
      : [english, null];
  if (renderer !== null) renderers.public ??= renderer;
  if (persist) {
    try {
      localStorage.setItem(KEY, locale);
    } catch {
      // The choice lasts as long as the page.
    }
  }
  document.documentElement.lang = locale;
  useShown.setState({ locale, texts });
}

export const onLocale = (listener: () => void): (() => void) => useShown.subscribe(listener);

type Renderer = (message: Message) => string;

/** German message renderers. The public side has only the messages used there, the console has all. */
const renderers: { public?: Renderer; console?: Renderer } = {};

export function renderInConsole(renderer: Renderer): void {
  renderers.console = renderer;
}

/**
 * Renders a validation or server message in the page's language, or in English if its code has no translation. Must be
 * called during rendering.
 */
export function messageText(message: Message): string {
  if (currentLocale() === 'en') return message.detail;
  return (renderers.console ?? renderers.public)?.(message) ?? message.detail;
}

/** Selects the text in the page's language. Must be called during rendering. */
export const inLanguage = (texts: Texts): string => texts[currentLocale()];

export type PublicTextKey = TextKey<typeof english>;

/** Returns the texts of components that both sides share, without react-admin. */
export function usePublicText(): (key: PublicTextKey, params?: Params) => string {
  const texts = useShown((shown) => shown.texts);
  return (key, params) => translate(texts, key, params);
}

export function useLocale(): Locale {
  return useShown(({ locale }) => locale);
}
