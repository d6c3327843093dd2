import type { PROVIDER_MESSAGES } from '../messages/provider';
import type { German } from './german';

export const providerGerman: German<{ provider: typeof PROVIDER_MESSAGES }> = {
  provider: {
    not_live: 'Dieser Anbieter ist in dieser Installation nicht live. Es gibt nichts zu ändern.',
    project_changed:
      'Die Zugangsdaten gehören inzwischen zu einem anderen Projekt oder zu keinem. Laden Sie die Seite neu, und prüfen Sie das Projekt, bevor Sie es bestätigen.',
    credentials_incomplete: 'Füllen Sie alle Felder der Zugangsdaten aus.',
    credentials_none: 'Es sind keine hier eingegebenen Zugangsdaten in Gebrauch.',
  },
};
