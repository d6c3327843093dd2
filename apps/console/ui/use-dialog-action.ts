import type { UseMutationResult } from '@tanstack/react-query';
import { ApiError } from '../data/errors';
import { refusalOf } from '../data/problem-message';
import { useToast } from './use-toast';

/** Returns whether the page was stale, so that the action is no longer possible. */
const isStale = (error: unknown): boolean => error instanceof ApiError && [404, 409].includes(error.status);

/**
 * Returns a function that runs the action of a dialog. Success closes the dialog with a toast. So does a refusal because
 * the data was stale, as its row may be gone. Any other error is thrown.
 */
export function useDialogAction<Answer, Input>(
  act: UseMutationResult<Answer, Error, Input>,
  { done, failed, onClose }: { done: (answer: Answer) => string; failed: string; onClose: () => void },
): (input: Input) => Promise<void> {
  const toast = useToast();
  return async (input) => {
    try {
      // Awaits its own promise, because the row and this dialog may be gone when the response arrives.
      const answer = await act.mutateAsync(input);
      onClose();
      toast(done(answer));
    } catch (error) {
      if (!isStale(error)) throw error;
      onClose();
      toast(refusalOf(error) ?? failed, { type: 'error' });
    }
  };
}
