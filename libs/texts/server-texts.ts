import type { ConsoleTables, ExportTables, PublicTables } from './message-tables';
import type { LayoutTexts } from './mails/layout-texts';
import type { MailTexts } from './mails/mail-facts';
import type { Translated } from './translate';

/** Texts that the api renders in one language. */
export interface ServerTexts {
  /** Null in English, in which the domain defines its messages. */
  readonly messages: Translated<PublicTables & ConsoleTables & ExportTables> | null;
  readonly mails: MailTexts;
  /** Texts of the layout around an email. */
  readonly layout: LayoutTexts;
}
