import type { supportTexts as english } from '../../en/console/support';
import type { Translated } from '../../translate';

export const supportTexts: Translated<typeof english> = {
  title: 'Support',
  back: 'Alle Gespräche',
  failed: 'Das Gespräch konnte nicht geladen werden.',
  package: 'Paketwunsch: %{name}',
  desk: {
    title: 'Was Sie erwarten können',
    failed: 'Was Ihre Support-Stufe umfasst, konnte nicht geladen werden.',
    level: 'Support-Stufe',
    answer: 'Antwortzeit',
    no_promise: 'Wir antworten so bald wie möglich. Ab Professional gelten feste Antwortzeiten.',
    hours: 'Zeiten',
  },
  levels: {
    community: 'Community (Stufe 1)',
    professional: 'Professional (Stufe 2)',
    enterprise: 'Enterprise (Stufe 3)',
  },
  days: { Mon: 'Mo', Tue: 'Di', Wed: 'Mi', Thu: 'Do', Fri: 'Fr', Sat: 'Sa', Sun: 'So' },
  list: {
    title: 'Ihre Gespräche',
    failed: 'Ihre Gespräche konnten nicht geladen werden.',
    none: 'Noch keine Gespräche',
    none_hint: 'Ihre Nachrichten an unseren Support und die Antworten erscheinen hier.',
    subject: 'Betreff',
    about: 'Es geht um',
    nothing: 'Kein Deployment',
    state: 'Status',
    last: 'Letzte Nachricht',
  },
  states: { open: 'Wartet auf uns', answered: 'Beantwortet', closed: 'Geschlossen' },
};
