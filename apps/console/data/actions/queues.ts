import { action } from '../action';

/** Actions of administrators on the queues. */
export const QUEUES = {
  /** Starts a session for the queue board, which is a separate page. */
  openBoard: action('POST /admin/queues/session', { changesNothing: true }),
} as const;
