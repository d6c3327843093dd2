import { CONSTANTS } from '@moorage/domain';
import { useCallback } from 'react';
import { useNotify } from 'react-admin';

interface Options {
  readonly type?: 'info' | 'success' | 'error';
  /** Heading above the message. */
  readonly title?: string;
  /** Display time. */
  readonly durationMs?: number;
  /** Button in the toast. */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

/** Shows a toast with a complete text. Server messages are not keys of the catalogue. */
export function useToast(): (sentence: string, options?: Options) => void {
  const notify = useNotify();
  return useCallback(
    (sentence, { type = 'success', title, durationMs = CONSTANTS.toastMs, action } = {}) =>
      notify(sentence, { type, title, autoHideDuration: durationMs, messageArgs: { _: sentence }, action }),
    [notify],
  );
}
