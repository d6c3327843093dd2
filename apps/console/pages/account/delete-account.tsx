import type { DeletionCheck } from '@moorage/contracts';
import { Link } from 'react-router-dom';
import { useAction } from '../../data/use-action';
import { useRead } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { ErrorAlert } from '../../ui/error-alert';
import { MessageText } from '../../ui/message-text';
import { money } from '../../ui/money';
import { refusalOf, sentText } from '../../data/problem-message';
import { showToast } from '../../ui/toasts';
import { ConfirmDialog } from '../../ui/confirm-dialog';

/** Never cached, because running deployments may have changed. */
const FRESH = { gcTime: 0 };

/** Word to type, in every language. */
const WORD = 'DELETE';

/** Checks on the server whether the account can be deleted, then has the user confirm by typing the word. */
export function DeleteAccount({ onClose }: { onClose: () => void }) {
  const t = useText();
  const { data: check, isError, refetch } = useRead('account', 'GET /users/self/deletion-check', {}, FRESH);
  const remove = useAction('account', 'delete');
  const mayDelete = check?.can_delete === true;
  // Awaits its own promise, because the console has been left when the response arrives.
  const run = (): Promise<void> =>
    remove.mutateAsync().then(
      (answer) => showToast(sentText(answer), 'success'),
      () => undefined,
    );

  return (
    <ConfirmDialog
      title={t('account.danger.dialog_title')}
      cancelLabel={t('account.danger.keep')}
      word={WORD}
      wordLabel={t('account.danger.type')}
      refusal={remove.isError ? (refusalOf(remove.error) ?? t('account.danger.failed')) : null}
      submit={
        mayDelete
          ? {
              label: t('account.danger.delete'),
              busyLabel: t('account.danger.deleting'),
              isDanger: true,
              requested: { busy: remove.isPending, run },
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
            <dd>{money(balance, { rounding: 'balance' })}</dd>
            <dt>{t('account.danger.credits')}</dt>
            <dd>{money(credits, { rounding: 'balance' })}</dd>
          </dl>
        </>
      ) : (
        <p>{t('account.danger.left_nothing')}</p>
      )}
    </>
  );
}
