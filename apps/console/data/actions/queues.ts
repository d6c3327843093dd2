import { action } from '../action';

/** What administrators do with the queues. */
export const QUEUES = {
  /** Starts a session for the queue board, which is a separate page. */
  openBoard: action('POST /admin/queues/session', { changesNothing: true }),
} as const;
