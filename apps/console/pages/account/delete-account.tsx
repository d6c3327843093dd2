import type { DeletionCheck } from '@moorage/contracts';
import { useState } from 'react';
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
import { ConfirmDialog } from '../../ui/confirm-dialog';

/** Word to type, in every language. */
const WORD = 'DELETE';

/** Checks on the server whether the account can be deleted, then has the user confirm by typing the word. */
export function DeleteAccount({ onClose }: { onClose: () => void }) {
  const t = useText();
  const { data: check, isError, refetch } = useDeletionCheck();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const mayDelete = check?.can_delete === true;

  const run = async (): Promise<void> => {
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
    <ConfirmDialog
      title={t('account.danger.dialog_title')}
      cancelLabel={t('account.danger.keep')}
      word={WORD}
      wordLabel={t('account.danger.type')}
      refusal={refused}
      submit={
        mayDelete
          ? {
              label: t('account.danger.delete'),
              busyLabel: t('account.danger.deleting'),
              isDanger: true,
              requested: { busy, run },
            }
          : null
      }
      onClose={onClose}
    >
      {check === undefined ? (
        isError ? (
          <ErrorAlert text={t('account.danger.check_failed')} onRetry={() => void refetch()} />
        ) : (
          <span className="skel late" aria-busy="true" style={{ width: 320 }} />
        )
      ) : check.can_delete ? (
        <LeftBehind check={check} />
      ) : (
        <Blocked check={check} />
      )}
    </ConfirmDialog>
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
