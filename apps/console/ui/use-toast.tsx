import { CONSTANTS } from '@moorage/domain';
import { useCallback } from 'react';
import { useNotify } from 'react-admin';

interface Options {
  readonly type?: 'info' | 'success' | 'error';
  /** Heading above the message. */
  readonly title?: string;
  /** Display time. */
  readonly durationMs?: number;
}

/** Shows a toast with a complete text. Server messages are not keys of the catalogue. */
export function useToast(): (sentence: string, options?: Options) => void {
  const notify = useNotify();
  return useCallback(
    (sentence, { type = 'success', title, durationMs = CONSTANTS.toastMs } = {}) =>
      notify(sentence, { type, title, autoHideDuration: durationMs, messageArgs: { _: sentence } }),
    [notify],
  );
}
