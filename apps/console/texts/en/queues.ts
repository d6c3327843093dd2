export const queuesTexts = {
  title: 'Queues',
  why: 'The jobs of all services that are queued in Redis: waiting, running and delayed. The page is read-only. The work itself is stored in the database.',
  open: 'Open queues',
  opening: 'Opening...',
  new_tab: 'in a new tab',
  lasts: 'Access lasts ten minutes in this browser. After that, open the queues again here.',
  none: 'Work runs on PostgreSQL here. There are no queues to look at.',
  failed: 'The queues could not be opened.',
} as const;
