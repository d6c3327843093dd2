import { acceptedLanguage, createRenderer, type Language, LANGUAGES, type Message, type Texts } from '@moorage/domain';
import {
  type DateTexts,
  initialTexts,
  LANGUAGE_TEXTS,
  type Params,
  type PublicPart,
  type PublicTextKey,
  translate,
} from '@moorage/texts';
import { create } from 'zustand';

export type Locale = Language;
export const LOCALES = LANGUAGES.map((locale) => ({ locale, name: LANGUAGE_TEXTS[locale].name }));

/** Returns the language with a code, or the first if the code is unknown. */
export const localeOf = (code: string): Locale => LANGUAGES.find((locale) => locale === code) ?? LANGUAGES[0];

const KEY = 'locale';

interface Shown {
  readonly locale: Locale;
  readonly texts: PublicPart['publicTexts'];
}

const useShown = create<Shown>(() => ({ locale: LANGUAGES[0], texts: initialTexts }));

/** Returns the user's choice, otherwise the browser's preference. */
export function preferredLocale(): Locale {
  try {
    const stored = localStorage.getItem(KEY);
    if (stored !== null && localeOf(stored) === stored) return stored;
  } catch {
    // Storage is disabled.
  }
  return acceptedLanguage(navigator.language);
}

export const currentLocale = (): Locale => useShown.getState().locale;

/** Returns how the page's language writes dates. Must be called during rendering. */
export const dateTexts = (): DateTexts => LANGUAGE_TEXTS[currentLocale()].dates;

/** Returns the language tag for numbers, dates and lists. */
export const localeTag = (): string => dateTexts().tag;

/** Loads the texts of the public side and shows them. The console's provider follows through `onLocale`. */
export async function showLocale(locale: Locale, { persist = true }: { persist?: boolean } = {}): Promise<void> {
  const { publicTexts: texts, messages } = await LANGUAGE_TEXTS[locale].loadPublic();
  if (messages !== null && !renderers.has(locale)) renderers.set(locale, createRenderer(messages));
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

/** Renders messages by language. Public pages load only the messages used there, the console loads all. */
const renderers = new Map<Locale, (message: Message) => string>();

/** Loads the texts of the console and of react-admin, and all messages. */
export async function loadConsoleTexts(locale: Locale) {
  const { loadPublic, loadConsole } = LANGUAGE_TEXTS[locale];
  const [{ publicTexts }, { consoleTexts, reactAdminTexts, messages }] = await Promise.all([
    loadPublic(),
    loadConsole(),
  ]);
  if (messages !== null) renderers.set(locale, createRenderer(messages));
  return { ...reactAdminTexts, ...consoleTexts, public: publicTexts };
}

/**
 * Renders a validation or server message in the page's language, or in English if its code has no translation. Must be
 * called during rendering.
 */
export function messageText(message: Message): string {
  return renderers.get(currentLocale())?.(message) ?? message.detail;
}

/** Selects the text in the page's language. Must be called during rendering. */
export const inLanguage = (texts: Texts): string => texts[currentLocale()];

export type { PublicTextKey };

/** Returns the texts of components that both sides share, without react-admin. */
export function usePublicText(): (key: PublicTextKey, params?: Params) => string {
  const texts = useShown((shown) => shown.texts);
  return (key, params) => translate(texts, key, params);
}

export function useLocale(): Locale {
  return useShown(({ locale }) => locale);
}
