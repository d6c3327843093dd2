import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import type { UseMutationResult } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { ApiError } from '../data/api';
import { useSay } from '../deployments/say';
import { useText } from '../texts/console-i18n';
import { RedBox } from '../ui/field';
import { refusalOf } from '../ui/problem-words';

/** The page was old: what was asked for cannot be done as things are now. */
const isStale = (error: unknown): boolean => error instanceof ApiError && [404, 409].includes(error.status);

export interface Asked {
  readonly busy: boolean;
  /** For the dialog, which stays open. */
  readonly refusal: string | null;
  readonly run: () => Promise<void>;
}

/**
 * What a dialog asks about, done: it closes with a toast. A refusal for what has changed meanwhile closes it too, for its row
 * may be gone; any other failure is said in the dialog.
 */
export function useAsked<Answer, Input>(
  act: UseMutationResult<Answer, Error, Input>,
  input: Input,
  { done, failed, onClose }: { done: (answer: Answer) => string; failed: string; onClose: () => void },
): Asked {
  const say = useSay();
  const [refusal, setRefusal] = useState<string | null>(null);
  return {
    busy: act.isPending,
    refusal,
    async run() {
      if (act.isPending) return;
      setRefusal(null);
      try {
        // its own promise: the row, and this dialog with it, may be gone when the answer comes
        const answer = await act.mutateAsync(input);
        onClose();
        say(done(answer));
      } catch (error) {
        const reason = refusalOf(error) ?? failed;
        if (isStale(error)) {
          onClose();
          say(reason, { type: 'error' });
        } else setRefusal(reason);
      }
    },
  };
}

/** Asks before something is done to somebody. Without `submit` it only says why it cannot be done. */
export function PersonDialog({
  title,
  keep,
  word,
  submit,
  refusal = null,
  hasField = false,
  isReady = true,
  onClose,
  children,
}: {
  title: string;
  /** The way out; else *Cancel*. */
  keep?: string;
  /** Has to be typed first. */
  word?: string;
  submit: { label: string; busyLabel: string; isDanger: boolean; asked: Pick<Asked, 'busy' | 'run'> } | null;
  refusal?: string | null;
  /** There is something to write in it, which has the focus. */
  hasField?: boolean;
  /** Whether the fields can be submitted. */
  isReady?: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const t = useText();
  const id = useId();
  const [typed, setTyped] = useState('');
  const isConfirmed = isReady && (word === undefined || typed.trim() === word);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isConfirmed) void submit?.asked.run();
  };
  return (
    <Dialog
      open
      role="alertdialog"
      onClose={onClose}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      slotProps={{ paper: { component: 'form', onSubmit, className: 'confirm' } as object }}
    >
      <DialogTitle id={`${id}-title`}>{title}</DialogTitle>
      <DialogContent>
        <RedBox text={refusal} />
        <DialogContentText id={`${id}-text`} component="div">
          {children}
        </DialogContentText>
        {word === undefined || submit === null ? null : (
          <>
            <label htmlFor={`${id}-word`}>
              {t('users.type')} <span className="mono">{word}</span>
            </label>
            <TextField
              id={`${id}-word`}
              fullWidth
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              slotProps={{ htmlInput: { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } }}
            />
          </>
        )}
      </DialogContent>
      <DialogActions>
        <Button autoFocus={!hasField} onClick={onClose}>
          {submit === null ? t('layout.close') : (keep ?? t('layout.cancel'))}
        </Button>
        {submit === null ? null : (
          <Button
            type="submit"
            color={submit.isDanger ? 'error' : 'primary'}
            variant={submit.isDanger ? 'outlined' : 'contained'}
            disabled={!isConfirmed || submit.asked.busy}
          >
            {submit.asked.busy ? submit.busyLabel : submit.label}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
