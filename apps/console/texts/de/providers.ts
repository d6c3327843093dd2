import type { providersTexts as english } from '../en/providers';
import type { SameKeys } from '../translate';

export const providersTexts: SameKeys<typeof english> = {
  title: 'Anbieter',
  failed: 'Die Anbieter konnten nicht geladen werden.',
  simulated:
    'Einige Anbieter sind simuliert: Ihre Server gibt es nur auf diesem Rechner, kein Anbieter wird angefragt, und uns wird nichts berechnet. Die Beträge zeigen, was echte Server kosten würden.',
  totals:
    '%{smart_count} Server bei echten Anbietern kostet %{cost} am Tag. Kunden zahlen dafür %{paid}, eine Marge von %{margin}. |||| %{smart_count} Server bei echten Anbietern kosten %{cost} am Tag. Kunden zahlen dafür %{paid}, eine Marge von %{margin}.',
  mode: { live: 'Echt', simulated: 'Simuliert', off: 'Aus' },
  distrusted: {
    credentials_refused: 'Der Anbieter lehnt unsere Zugangsdaten ab. An seinen Servern wird nichts geändert seit',
    other_project: 'Die Zugangsdaten führen zu einem anderen Projekt. An den Servern wird nichts geändert seit',
    none_listed: 'Der Anbieter zeigt keinen unserer Server. An ihnen wird nichts geändert seit',
    many_missing: 'Der Anbieter zeigt viele unserer Server nicht. An ihnen wird nichts geändert seit',
  },
  paused: 'Anfragelimit erreicht. Die nächste Anfrage geht frühestens hinaus:',
  credentials: 'Zugangsdaten',
  access: {
    proven: 'Angenommen seit',
    refused: 'Abgelehnt seit',
    create_refused: 'Dürfen keine Server anlegen seit',
    unproven: 'Noch nicht geprüft',
  },
  project: 'Projekt',
  no_project: 'Noch keines',
  catalogue: 'Preise',
  source: { live: 'Vom Anbieter', built_in: 'Aus der eingebauten Liste' },
  never_answered: '(noch keine Antwort)',
  sizes:
    '%{smart_count} Größe in allen Regionen, %{sold_out} ausverkauft |||| %{smart_count} Größen in allen Regionen, %{sold_out} ausverkauft',
  servers: 'Server',
  cost: 'Kosten pro Tag',
  paid: 'Kunden zahlen pro Tag',
  margin: 'Marge pro Tag',
  margin_percent: '%{margin} (%{percent} % der Kosten)',
};
