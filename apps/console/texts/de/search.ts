import type { searchTexts as english } from '../en/search';
import type { SameKeys } from '../translate';

export const searchTexts: SameKeys<typeof english> = {
  button: 'Suchen und springen',
  keys: 'Strg K',
  title: 'Suchen und springen',
  hint: 'Name, Domain oder Nummer',
  hint_admin: 'Name, Domain, Nummer oder Benutzer',
  recent: 'Zuletzt geöffnet',
  screens: 'Gehe zu',
  deployments: 'Deployments',
  users: 'Benutzer',
  searching: 'Suche läuft...',
  found: '%{smart_count} Treffer |||| %{smart_count} Treffer',
  nothing: 'Nichts passt zu „%{search}“',
  nothing_hint: 'Gesucht wird in Namen, Domains und Nummern von Deployments sowie in Seiten.',
  nothing_hint_admin: 'Gesucht wird in Namen, Domains und Nummern von Deployments, in Benutzern sowie in Seiten.',
  failed: 'Die Suche ist fehlgeschlagen.',
  choose: 'wählen',
  open: 'öffnen',
  leave: 'schließen',
};
