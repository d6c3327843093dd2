import TextField from '@mui/material/TextField';
import type { UseMutationResult } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useText } from '../texts/console-i18n';
import { refusalOf } from '../data/problem-message';
import { Button } from './button';
import { Dialog } from './dialog';
import { useDialogAction } from './use-dialog-action';
import './confirm-dialog.css';

export interface Requested {
  readonly busy: boolean;
  /** Error to show in the dialog, which stays open. */
  readonly refusal: string | null;
  readonly run: () => Promise<void> | void;
}

/** Runs the action of a confirmation and shows its errors in the dialog. */
export function useConfirmedAction<Answer, Input>(
  act: UseMutationResult<Answer, Error, Input>,
  input: Input,
  messages: { done: (answer: Answer) => string; failed: string; onClose: () => void },
): Requested {
  const run = useDialogAction(act, messages);
  const [refusal, setRefusal] = useState<string | null>(null);
  return {
    busy: act.isPending,
    refusal,
    async run() {
      if (act.isPending) return;
      setRefusal(null);
      await run(input).catch((error: unknown) => setRefusal(refusalOf(error) ?? messages.failed));
    },
  };
}

interface Submit {
  readonly label: string;
  readonly busyLabel: string;
  readonly isDanger: boolean;
  readonly requested: Pick<Requested, 'busy' | 'run'>;
}

interface ConfirmDialogProps {
  title: string;
  /** Label of the cancel button. *Cancel* by default. */
  cancelLabel?: string;
  /** Word to type before confirming. */
  word?: string | undefined;
  /** Text before the word. *Type* by default. */
  wordLabel?: string;
  submit: Submit | null;
  refusal?: string | null;
  /** Fields below the text and the word. */
  fields?: ReactNode;
  /** The dialog contains a field, which takes the focus. */
  hasField?: boolean;
  /** False while the fields cannot be submitted. */
  isReady?: boolean;
  onClose: () => void;
  /** Consequences of the action. */
  children: ReactNode;
}

/** Confirmation dialog for an action. Without `submit` it only states why the action is not possible. */
export function ConfirmDialog({
  title,
  cancelLabel,
  word,
  wordLabel,
  submit,
  refusal = null,
  fields,
  hasField = false,
  isReady = true,
  onClose,
  children,
}: ConfirmDialogProps) {
  const t = useText();
  const id = useId();
  const [typed, setTyped] = useState('');
  const isConfirmed = isReady && (word === undefined || typed.trim() === word);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isConfirmed && submit?.requested.busy === false) void submit.requested.run();
  };
  return (
    <Dialog
      isAlert
      className="confirm"
      title={title}
      refusal={refusal}
      text={children}
      onSubmit={onSubmit}
      onClose={onClose}
      actions={
        <Actions
          cancelLabel={cancelLabel}
          submit={submit}
          isConfirmed={isConfirmed}
          hasFocus={!hasField}
          onClose={onClose}
        />
      }
    >
      {word === undefined || submit === null ? null : (
        <>
          <label htmlFor={id}>
            {wordLabel ?? t('users.type')} <span className="mono">{word}</span>
          </label>
          <TextField
            id={id}
            fullWidth
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            slotProps={{
              htmlInput: {
                autoComplete: 'off',
                autoCapitalize: word === word.toUpperCase() ? 'characters' : 'none',
                spellCheck: false,
              },
            }}
          />
        </>
      )}
      {fields}
    </Dialog>
  );
}

/** The button that keeps everything as it is has the focus first, unless a field has it. */
function Actions({
  cancelLabel,
  submit,
  isConfirmed,
  hasFocus,
  onClose,
}: {
  cancelLabel: string | undefined;
  submit: Submit | null;
  isConfirmed: boolean;
  hasFocus: boolean;
  onClose: () => void;
}) {
  const t = useText();
  return (
    <>
      <Button autoFocus={hasFocus} onClick={onClose}>
        {submit === null ? t('layout.close') : (cancelLabel ?? t('layout.cancel'))}
      </Button>
      {submit === null ? null : (
        <Button
          type="submit"
          kind={submit.isDanger ? 'danger' : 'primary'}
          busy={submit.requested.busy}
          disabled={!isConfirmed}
        >
          {submit.requested.busy ? submit.busyLabel : submit.label}
        </Button>
      )}
    </>
  );
}
