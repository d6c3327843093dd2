import OutlinedInput from '@mui/material/OutlinedInput';
import { type FormEvent, useId, useState } from 'react';
import { useNotify } from 'react-admin';
import { ApiError } from '../../data/errors';
import { requestPackage } from '../../data/catalogue';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';

const NAME_MAX = 100;
const REASON_MAX = 2_000;

/** Dialog to request a package. Both fields are required. Input survives closing the dialog. */
export function RequestPackage({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText();
  const notify = useNotify();
  const id = useId();
  const [typed, setTyped] = useState({ package_name: '', reason: '' });
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const wanted = { package_name: typed.package_name.trim(), reason: typed.reason.trim() };
  const complete = wanted.package_name !== '' && wanted.reason !== '';

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    if (!complete) {
      setProblem(t('wizard.request.both'));
      return;
    }
    setBusy(true);
    setProblem(null);
    try {
      await requestPackage(wanted);
      notify('wizard.request.done', { type: 'success' });
      setTyped({ package_name: '', reason: '' });
      onClose();
    } catch (error) {
      const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
      setProblem(refused ? messageText(error.fields[0]?.message ?? error.reason) : t('wizard.request.failed'));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      open={open}
      onClose={onClose}
      onSubmit={(event) => void submit(event)}
      width="narrow"
      className="request"
      title={t('wizard.request.open')}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            {t('wizard.nav.cancel')}
          </Button>
          <Button type="submit" kind="primary" aria-disabled={!complete || busy} aria-describedby={`${id}-problem`}>
            {busy ? t('wizard.request.submitting') : t('wizard.request.submit')}
          </Button>
        </>
      }
    >
      <p className="soft">{t('wizard.request.intro')}</p>
      <label htmlFor={`${id}-name`}>{t('wizard.request.name')}</label>
      <OutlinedInput
        id={`${id}-name`}
        fullWidth
        size="small"
        required
        autoFocus
        value={typed.package_name}
        inputProps={{ maxLength: NAME_MAX }}
        onChange={(event) => setTyped({ ...typed, package_name: event.target.value })}
      />
      <label htmlFor={`${id}-reason`}>{t('wizard.request.reason')}</label>
      <OutlinedInput
        id={`${id}-reason`}
        fullWidth
        size="small"
        required
        multiline
        minRows={3}
        maxRows={8}
        value={typed.reason}
        inputProps={{ maxLength: REASON_MAX }}
        onChange={(event) => setTyped({ ...typed, reason: event.target.value })}
      />
      <p className="hint wrong" role="alert" id={`${id}-problem`}>
        {problem}
      </p>
    </Dialog>
  );
}
