import type { ConsoleTables } from '../../message-tables';
import type { Translated } from '../../translate';

export const furtherDomainsMessages: Translated<Pick<ConsoleTables, 'further_domain'>> = {
  further_domain: {
    not_offered: '%{package} unterstützt keine weiteren Domains.',
    too_many: 'Ein Deployment kann höchstens %{most} weitere Domains haben. Entfernen Sie zuerst eine.',
    own: 'Dieses Deployment verwendet %{host} bereits.',
    listed: '%{host} steht bereits in der Liste.',
    taken: '%{host} gehört zu einem anderen Deployment.',
    unknown: 'Diese Domain steht nicht in der Liste.',
    given_up:
      'Innerhalb von %{days} Tagen ist kein passender DNS-Eintrag erschienen, deshalb prüfen wir nicht weiter. Entfernen Sie die Domain, setzen Sie den Eintrag und fügen Sie die Domain erneut hinzu.',
    in_use:
      'Das Deployment verwendet diesen Namen jetzt selbst, deshalb leitet er nicht mehr weiter. Entfernen Sie ihn aus der Liste.',
    server_failed:
      'Die Weiterleitung konnte auf dem Server nicht eingerichtet werden. Wir versuchen es automatisch erneut.',
  },
};
