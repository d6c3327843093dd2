import type { queuesTexts as english } from '../../en/console/queues';
import type { Translated } from '../../translate';

export const queuesTexts: Translated<typeof english> = {
  title: 'Warteschlangen',
  why: 'Die Aufträge aller Dienste in den Redis-Warteschlangen: wartend, laufend und aufgeschoben. Die Seite ist schreibgeschützt. Die Aufträge selbst sind in der Datenbank gespeichert.',
  open: 'Warteschlangen öffnen',
  opening: 'Wird geöffnet...',
  new_tab: 'in einem neuen Tab',
  lasts: 'Der Zugang gilt in diesem Browser zehn Minuten. Öffnen Sie danach die Warteschlangen hier erneut.',
  none: 'Diese Installation nutzt PostgreSQL für Hintergrundaufgaben. Es gibt keine Warteschlangen.',
  failed: 'Die Warteschlangen konnten nicht geöffnet werden.',
};
