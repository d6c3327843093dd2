import { messageTable } from './message';

/** Errors when an administrator decides about leaked provider resources. */
export const LEAK_MESSAGES = messageTable('leaks', {
  unknown: 'There is no such leak.',
  reason_missing: 'Enter a reason.',
  suspected: 'This has been found only once so far. You can decide after the second check, an hour after the first.',
  decided: 'This leak has already been decided or has ended. Reload the list.',
  not_adoptable: 'No deployment has lost a server that this one could replace.',
});
