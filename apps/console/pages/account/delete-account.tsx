import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import type { DeletionCheck } from '@moorage/contracts';
import { type FormEvent, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { api } from '../../data/api';
import { ApiError } from '../../data/errors';
import { useDeletionCheck } from '../../data/own-account';
import { forgetSession } from '../../data/session';
import { go } from '../../data/navigation';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { ErrorAlert } from '../../ui/error-alert';
import { MessageText } from '../../ui/message-text';
import { money } from '../../ui/money';
import { sentText } from '../../data/problem-message';
import { showToast } from '../../ui/toasts';
import { Button } from '../../ui/button';

/** Word to type, in every language. */
const WORD = 'DELETE';

/** Checks on the server whether the account can be deleted, then has the user confirm by typing the word. */
export function DeleteAccount({ onClose }: { onClose: () => void }) {
  const t = useText();
  const { data: check, isError, refetch } = useDeletionCheck();
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const { title, text, field } = { title: useId(), text: useId(), field: useId() };
  const mayDelete = check?.can_delete === true;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!mayDelete || typed !== WORD || busy) return;
    setBusy(true);
    setRefused(null);
    try {
      const answer = await api('DELETE /users/self');
      showToast(sentText(answer), 'success');
      // Navigate first, because logging out on a console page redirects to the login.
      go('/');
      forgetSession();
    } catch (error) {
      setBusy(false);
      const isRefused = error instanceof ApiError && error.status > 0 && error.status < 500;
      setRefused(isRefused ? messageText(error.reason) : t('account.danger.failed'));
    }
  };

  return (
    <Dialog
      open
      role="alertdialog"
      onClose={onClose}
      aria-labelledby={title}
      aria-describedby={text}
      slotProps={{
        paper: {
          component: 'form',
          onSubmit: (event: FormEvent) => void submit(event),
          className: 'confirm',
        } as object,
      }}
    >
      <DialogTitle id={title}>{t('account.danger.dialog_title')}</DialogTitle>
      <DialogContent>
        <DialogContentText id={text} component="div" aria-busy={check === undefined && !isError}>
          {check === undefined ? (
            isError ? (
              <ErrorAlert text={t('account.danger.check_failed')} onRetry={() => void refetch()} />
            ) : (
              <span className="skel late" style={{ width: 320 }} />
            )
          ) : check.can_delete ? (
            <LeftBehind check={check} />
          ) : (
            <Blocked check={check} />
          )}
        </DialogContentText>
        {mayDelete ? (
          <>
            <label htmlFor={field}>
              {t('account.danger.type')} <span className="mono">{WORD}</span>
            </label>
            <TextField
              id={field}
              fullWidth
              value={typed}
              error={refused !== null}
              helperText={refused}
              onChange={({ target }) => setTyped(target.value)}
              slotProps={{
                htmlInput: { autoComplete: 'off', autoCapitalize: 'characters', spellCheck: false },
                formHelperText: { role: 'alert' },
              }}
            />
          </>
        ) : null}
      </DialogContent>
      <DialogActions>
        <Button autoFocus onClick={onClose}>
          {mayDelete ? t('account.danger.keep') : t('layout.close')}
        </Button>
        {mayDelete ? (
          <Button type="submit" kind="danger" busy={busy} disabled={typed !== WORD}>
            {busy ? t('account.danger.deleting') : t('account.danger.delete')}
          </Button>
        ) : null}
      </DialogActions>
    </Dialog>
  );
}

function Blocked({ check: { refusal, active_deployment_count: active } }: { check: DeletionCheck }) {
  const t = useText();
  return (
    <>
      {refusal === null ? null : (
        <p role="alert">
          <MessageText message={refusal} />
        </p>
      )}
      {active > 0 ? (
        <p>
          <Link to="/dashboard">{t('account.danger.to_dashboard')}</Link>
        </p>
      ) : null}
    </>
  );
}

function LeftBehind({ check: { balance, credits } }: { check: DeletionCheck }) {
  const t = useText();
  return (
    <>
      <p>{t('account.danger.gone')}</p>
      {balance > 0 || credits > 0 ? (
        <>
          <p>{t('account.danger.left')}</p>
          <dl className="kv">
            <dt>{t('account.danger.balance')}</dt>
            <dd>{money(balance, { rounding: 'cut' })}</dd>
            <dt>{t('account.danger.credits')}</dt>
            <dd>{money(credits, { rounding: 'cut' })}</dd>
          </dl>
        </>
      ) : (
        <p>{t('account.danger.left_nothing')}</p>
      )}
    </>
  );
}
