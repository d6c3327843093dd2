import { CONSTANTS } from '@moorage/domain';
import { useCallback } from 'react';
import { useNotify } from 'react-admin';

/** A toast with a finished sentence; the server's words are no keys of the catalogue. */
export function useSay(): (sentence: string, options?: { type?: 'success' | 'error' }) => void {
  const notify = useNotify();
  return useCallback(
    (sentence, { type = 'success' } = {}) =>
      notify(sentence, { type, autoHideDuration: CONSTANTS.toastMs, messageArgs: { _: sentence } }),
    [notify],
  );
}
