import type { ConsoleTables, ExportTables, PublicTables } from './message-tables';
import type { DocumentTexts } from './document-texts';
import type { LayoutTexts } from './mails/layout-texts';
import type { MailTexts } from './mails/mail-facts';
import type { SimulatedServerTexts, TestCheckoutTexts } from './page-texts';
import type { DateTexts } from './shown-time';
import type { Translated } from './translate';

/** Texts that the api renders in one language. */
export interface ServerTexts {
  /** Null in English, in which the domain defines its messages. */
  readonly messages: Translated<PublicTables & ConsoleTables & ExportTables> | null;
  readonly dates: DateTexts;
  readonly mails: MailTexts;
  /** Texts of the layout around an email. */
  readonly layout: LayoutTexts;
  readonly documents: DocumentTexts;
  readonly simulated_server: SimulatedServerTexts;
  readonly test_checkout: TestCheckoutTexts;
}
