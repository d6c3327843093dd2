import SnackbarContent from '@mui/material/SnackbarContent';
import { CONSTANTS } from '@moorage/domain';
import { useCallback } from 'react';
import { useNotify } from 'react-admin';

interface Options {
  readonly type?: 'info' | 'success' | 'error';
  /** Above the sentence. */
  readonly title?: string;
  /** How long it stays. */
  readonly durationMs?: number;
}

/** A toast with a finished sentence; the server's words are no keys of the catalogue. */
export function useSay(): (sentence: string, options?: Options) => void {
  const notify = useNotify();
  return useCallback(
    (sentence, { type = 'success', title, durationMs = CONSTANTS.toastMs } = {}) =>
      notify(
        title === undefined ? (
          sentence
        ) : (
          <SnackbarContent
            message={
              <>
                <b className="toast-title">{title}</b>
                {sentence}
              </>
            }
          />
        ),
        { type, autoHideDuration: durationMs, messageArgs: { _: sentence } },
      ),
    [notify],
  );
}
