import type { ConsoleTables } from '../../message-tables';
import type { Translated } from '../../translate';

export const providerMessages: Translated<Pick<ConsoleTables, 'provider'>> = {
  provider: {
    not_live: 'Dieser Anbieter ist in dieser Installation nicht live. Es gibt nichts zu ändern.',
    project_changed:
      'Die Zugangsdaten gehören inzwischen zu einem anderen Projekt oder zu keinem. Laden Sie die Seite neu, und prüfen Sie das Projekt, bevor Sie es bestätigen.',
    credentials_incomplete: 'Füllen Sie alle Felder der Zugangsdaten aus.',
    credentials_none: 'Es sind keine hier eingegebenen Zugangsdaten in Gebrauch.',
  },
};
