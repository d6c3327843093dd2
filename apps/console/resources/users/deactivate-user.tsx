import type { AdminUserAnswer } from '@moorage/contracts';
import { useState } from 'react';
import { DEACTIVATION_CHECK } from '../../data/actions/users';
import { useAction } from '../../data/use-action';
import { useRead } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { ErrorAlert } from '../../ui/error-alert';
import { sentText } from '../../data/problem-message';
import { AdjustBalance } from './adjust-balance';
import { DeactivationIssues } from './deactivation-issues';
import { RemoveAll } from './remove-all';
import { ConfirmDialog, useConfirmedAction } from '../../ui/confirm-dialog';

/** Checks on the server what blocks the deactivation and offers to resolve it, then asks for confirmation. */
export function DeactivateUser({ user, onClose }: { user: AdminUserAnswer; onClose: () => void }) {
  const t = useText();
  const { id, username: name } = user;
  // Never cached, because running deployments may have changed.
  const { data: check, isError, refetch } = useRead('users', DEACTIVATION_CHECK, { params: { id } }, { gcTime: 0 });
  const [opened, setOpened] = useState<'removal' | 'balance' | null>(null);
  const [begun, setBegun] = useState<string | null>(null);
  const requested = useConfirmedAction(
    useAction('users', 'deactivate'),
    { params: { id } },
    {
      done: sentText,
      failed: t('users.deactivate.failed'),
      onClose,
    },
  );
  const close = (): void => setOpened(null);
  return (
    <>
      <ConfirmDialog
        title={t('users.deactivate.title', { name })}
        cancelLabel={t('users.keep')}
        submit={
          check?.can_deactivate === true
            ? { label: t('users.deactivate.submit'), busyLabel: t('users.deactivate.busy'), isDanger: true, requested }
            : null
        }
        refusal={requested.refusal}
        onClose={onClose}
      >
        {begun === null ? null : <p role="status">{begun}</p>}
        {check === undefined ? (
          isError ? (
            <ErrorAlert text={t('users.deactivate.check_failed')} onRetry={() => void refetch()} />
          ) : (
            <span className="skel late" style={{ width: 320 }} />
          )
        ) : check.can_deactivate ? (
          <>
            <p>{t('users.deactivate.text')}</p>
            <p>{t('users.deactivate.kept')}</p>
          </>
        ) : (
          <DeactivationIssues check={check} onOpen={setOpened} />
        )}
        {check === undefined || check.leaving_deployment_count === 0 ? null : (
          <p>{t('users.deactivate.leaving', { smart_count: check.leaving_deployment_count })}</p>
        )}
      </ConfirmDialog>
      {/* Outside the dialog, so that submitting these does not submit its form as well. */}
      {opened === 'removal' ? <RemoveAll user={user} onBegun={setBegun} onClose={close} /> : null}
      {opened === 'balance' && check !== undefined ? (
        <AdjustBalance user={check.user} amount={-check.user.balance} onClose={close} />
      ) : null}
    </>
  );
}
