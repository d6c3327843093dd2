import { messageTable } from './message';

/** Refusals of decisions about what is left over at providers. */
export const LEAK_MESSAGES = messageTable('leaks', {
  unknown: 'There is no such leak.',
  reason_missing: 'Give a reason.',
  suspected:
    'This has been seen only once so far. You can decide about it after a second look, an hour after the first.',
  decided: 'This was decided or has ended in the meantime. Reload the list.',
  not_adoptable: 'No deployment lost a server that this one could replace.',
});
