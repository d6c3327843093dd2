import type { activityTexts as english } from '../../en/console/activity';
import type { Translated } from '../../translate';

export const activityTexts: Translated<typeof english> = {
  title: 'Aktivität',
  intro: 'Was an Ihrem Konto und Ihren Deployments getan wurde.',
  failed: 'Ihre Aktivität konnte nicht geladen werden',
  none: 'Es wurde noch nichts aufgezeichnet.',
  kind: 'Anzeigen',
  all: 'Alles',
  kinds: { account: 'Konto', deployments: 'Deployments', money: 'Geld', support: 'Support' },
  what: 'Was',
  by: 'Von',
  device: 'Gerät',
  when: 'Zeit',
  reason: 'Grund: %{reason}',
  token: 'API-Token „%{label}“',
  actors: { you: 'Ihnen', token: 'API-Token', support: 'Support', system: 'Automatisch' },
  export: 'Als CSV exportieren',
  exporting: 'Wird exportiert...',
};
