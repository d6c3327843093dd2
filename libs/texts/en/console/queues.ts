export const queuesTexts = {
  title: 'Queues',
  why: 'The jobs of all services that are queued in Redis: waiting, running and delayed. This page is read-only. The jobs themselves are stored in the database.',
  open: 'Open queues',
  opening: 'Opening...',
  new_tab: 'in a new tab',
  lasts: 'Access lasts ten minutes in this browser. After that, open the queues again here.',
  none: 'This installation uses PostgreSQL for background work, so there are no queues to show.',
  failed: 'The queues could not be opened.',
} as const;
