import type { ConsoleTables, ExportTables, PublicTables } from './message-tables';
import type { Translated } from './translate';

/** Texts that the api renders in one language. */
export interface ServerTexts {
  /** Null in English, in which the domain defines its messages. */
  readonly messages: Translated<PublicTables & ConsoleTables & ExportTables> | null;
}
