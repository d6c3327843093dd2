import { messageTable } from './message';

/** Messages about access that every page of the console needs. They are a table of their own, because that is small. */
export const CONNECTION_MESSAGES = messageTable('access', {
  deactivated: 'Account has been deactivated',
  /** Shown by the console when it cannot reach the server. */
  network: 'Network error. Please try again.',
  /** Shown by the console when a response has no message. */
  http_error: 'HTTP error! status: %{status}',
});
