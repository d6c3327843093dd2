import { createRenderer, type Language, LANGUAGES, type Message } from '@moorage/domain';
import { de } from './de/server';
import { en } from './en/server';
import type { ServerTexts } from './server-texts';

export type { DocumentTexts } from './document-texts';
export { linkLabel } from './mails/layout-texts';
export type * from './mails/mail-facts';
export { moment } from './mails/mail-parts';

/** The texts of the api in every language. */
export const SERVER_TEXTS: Readonly<Record<Language, ServerTexts>> = { en, de };

const RENDERERS = new Map(
  LANGUAGES.map((language) => [language, createRenderer(SERVER_TEXTS[language].messages ?? {})]),
);

/** Renders a message in a language, or in English if its code has no translation. */
export function renderMessage(message: Message, language: Language): string {
  return RENDERERS.get(language)?.(message) ?? message.detail;
}
