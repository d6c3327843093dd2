import TextField from '@mui/material/TextField';
import type { AdminUserAnswer } from '@moorage/contracts';
import { CONSTANTS, USERS_MESSAGES } from '@moorage/domain';
import { type FormEvent, useId, useState } from 'react';
import { api } from '../../data/api';
import { ApiError } from '../../data/errors';
import { startImpersonation } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';

const REASON_MAX = 200;
const MINUTES = CONSTANTS.impersonationMs / 60_000;

/** Explains impersonation, prompts for a reason and starts it. */
export function ImpersonateDialog({
  user: { id, username: name },
  onClose,
}: {
  user: AdminUserAnswer;
  onClose: () => void;
}) {
  const t = useText();
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const field = useId();

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    if (reason.trim() === '') {
      setRefused(messageText(USERS_MESSAGES.view_reason_missing));
      return;
    }
    setBusy(true);
    setRefused(null);
    try {
      // A new page loads, so the dialog stays as it is until then.
      startImpersonation(
        await api('POST /users/{id}/impersonation', { params: { id }, body: { reason: reason.trim() } }),
      );
    } catch (error) {
      setBusy(false);
      const isRefused = error instanceof ApiError && error.status > 0 && error.status < 500;
      setRefused(isRefused ? messageText(error.fields[0]?.message ?? error.reason) : t('person.view.failed'));
    }
  };

  return (
    <Dialog
      onClose={onClose}
      onSubmit={(event) => void submit(event)}
      title={t('person.view.title', { name })}
      text={
        <>
          <p>
            {t('person.view.lead', { name })} {t('person.view.reads')}
          </p>
          <p>
            {t('person.view.ends', { minutes: MINUTES })} {t('person.view.recorded')}
          </p>
        </>
      }
      actions={
        <>
          <Button onClick={onClose}>{t('layout.cancel')}</Button>
          <Button type="submit" kind="primary" busy={busy}>
            {busy ? t('person.view.busy') : t('person.view.submit', { name })}
          </Button>
        </>
      }
    >
      <label htmlFor={field}>{t('person.view.reason')}</label>
      <TextField
        id={field}
        fullWidth
        required
        autoFocus
        value={reason}
        error={refused !== null}
        helperText={refused}
        onChange={({ target }) => setReason(target.value)}
        slotProps={{
          htmlInput: { autoComplete: 'off', maxLength: REASON_MAX },
          formHelperText: { role: 'alert' },
        }}
      />
    </Dialog>
  );
}
