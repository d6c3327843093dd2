import { createRenderer, type Language, LANGUAGES, type Message, type Texts } from '@moorage/domain';
import {
  type DateTexts,
  initialTexts,
  LANGUAGE_TEXTS,
  type Params,
  type PublicPart,
  type PublicTextKey,
  translate,
} from '@moorage/texts';
import { useSyncExternalStore } from 'react';
import { createStore } from 'zustand';

export type Locale = Language;
export const LOCALES = LANGUAGES.map((locale) => ({ locale, name: LANGUAGE_TEXTS[locale].name }));

/** Returns the language with a code, or the first if the code is unknown. */
export const localeOf = (code: string): Locale => LANGUAGES.find((locale) => locale === code) ?? LANGUAGES[0];

/** Cookie with the user's choice. The server reads it to send the page in this language. */
const COOKIE = 'locale';
const YEAR_S = 365 * 24 * 60 * 60;

interface Shown {
  readonly locale: Locale;
  readonly texts: PublicPart['publicTexts'];
}

const shown = createStore<Shown>(() => ({ locale: LANGUAGES[0], texts: initialTexts }));

/** Reads the current language also during hydration, in which a hook of zustand would read the first one. */
function useShown<Part>(part: (shown: Shown) => Part): Part {
  const read = (): Part => part(shown.getState());
  return useSyncExternalStore(shown.subscribe, read, read);
}

/** Returns the language of the page, which the server selects by the user's choice or the browser's preference. */
export const pageLocale = (): Locale => localeOf(document.documentElement.lang);

export const currentLocale = (): Locale => shown.getState().locale;

/** Returns how the page's language writes dates. Must be called during rendering. */
export const dateTexts = (): DateTexts => LANGUAGE_TEXTS[currentLocale()].dates;

/** Returns the language tag for numbers, dates and lists. */
export const localeTag = (): string => dateTexts().tag;

/** Loads the texts of the public side and shows them. The console's provider follows through `onLocale`. */
export async function showLocale(locale: Locale, { persist = true }: { persist?: boolean } = {}): Promise<void> {
  const { publicTexts: texts, messages } = await LANGUAGE_TEXTS[locale].loadPublic();
  if (messages !== null && !renderers.has(locale)) renderers.set(locale, createRenderer(messages));
  if (persist) {
    document.documentElement.lang = locale;
    const secure = location.protocol === 'https:' ? '; secure' : '';
    document.cookie = `${COOKIE}=${locale}; path=/; max-age=${YEAR_S}; samesite=lax${secure}`;
  }
  shown.setState({ locale, texts });
}

export const onLocale = (listener: () => void): (() => void) => shown.subscribe(listener);

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
  const texts = useShown((now) => now.texts);
  return (key, params) => translate(texts, key, params);
}

/** Returns a text outside of components. */
export const publicText = (key: PublicTextKey): string => translate(shown.getState().texts, key);

export function useLocale(): Locale {
  return useShown(({ locale }) => locale);
}
