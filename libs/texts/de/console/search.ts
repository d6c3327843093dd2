import type { searchTexts as english } from '../../en/console/search';
import type { Translated } from '../../translate';

export const searchTexts: Translated<typeof english> = {
  button: 'Suchen und springen',
  keys: 'Strg K',
  title: 'Suchen und springen',
  hint: 'Name, Domain, Nummer oder Aktion',
  hint_admin: 'Name, Domain, Nummer, Benutzer oder Aktion',
  recent: 'Zuletzt geöffnet',
  screens: 'Gehe zu',
  actions: 'Aktionen',
  contact_support: 'Support kontaktieren',
  theme: 'Darstellung: %{name}',
  language: 'Sprache: %{name}',
  deployments: 'Deployments',
  users: 'Benutzer',
  searching: 'Suche läuft...',
  found: '%{smart_count} Treffer |||| %{smart_count} Treffer',
  nothing: 'Keine Ergebnisse für „%{search}“',
  nothing_hint: 'Sie können nach Namen, Domains und Nummern von Deployments sowie nach Seiten suchen.',
  nothing_hint_admin:
    'Sie können nach Namen, Domains und Nummern von Deployments, nach Benutzern sowie nach Seiten suchen.',
  failed: 'Die Suche ist fehlgeschlagen.',
  choose: 'auswählen',
  open: 'öffnen',
  leave: 'schließen',
};
