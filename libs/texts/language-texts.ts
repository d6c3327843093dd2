import type { consoleTexts } from './en/console';
import type { reactAdminTexts } from './en/console/react-admin';
import type { publicTexts } from './en/public';
import type { ConsoleTables, PublicTables } from './message-tables';
import type { DateTexts } from './shown-time';
import type { TextKey, Translated } from './translate';

/** Texts of public pages. `messages` is null in English, in which the domain defines its messages. */
export interface PublicPart {
  readonly publicTexts: Translated<typeof publicTexts>;
  readonly messages: Translated<PublicTables> | null;
}

/** Texts of the console. */
export interface ConsolePart {
  readonly consoleTexts: Translated<typeof consoleTexts>;
  readonly reactAdminTexts: Translated<typeof reactAdminTexts>;
  readonly messages: Translated<PublicTables & ConsoleTables> | null;
}

/** A language for the console, with texts that are loaded when they are shown. `ServerTexts` has those of the api. */
export interface LanguageTexts {
  /** Name of the language in itself. */
  readonly name: string;
  readonly dates: DateTexts;
  readonly loadPublic: () => Promise<PublicPart>;
  readonly loadConsole: () => Promise<ConsolePart>;
}

export type PublicTextKey = TextKey<typeof publicTexts>;
export type ConsoleTextKey = TextKey<typeof consoleTexts>;
