import type { AdminUserAnswer, DeactivationCheck } from '@moorage/contracts';
import { useState } from 'react';
import { DEACTIVATION_CHECK } from '../../data/actions/users';
import { useAction } from '../../data/use-action';
import { useRead } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { ErrorAlert } from '../../ui/error-alert';
import { MessageText } from '../../ui/message-text';
import { money } from '../../ui/money';
import { sentText } from '../../data/problem-message';
import { modesOf, useOfferedBackups } from '../../parts/offered-backups';
import { isReason, ReasonField } from '../../ui/form/reason-field';
import { AdjustBalance } from './adjust-balance';
import { ConfirmDialog, useConfirmedAction } from '../../ui/confirm-dialog';
import { Button } from '../../ui/button';
import { ButtonLink } from '../../ui/button-link';

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
          <Blocked check={check} onOpen={setOpened} />
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

/** Reasons that block the deactivation, each with ways to resolve it. */
function Blocked({
  check: { refusal, issues, active_deployment_count: active, user },
  onOpen,
}: {
  check: DeactivationCheck;
  onOpen: (what: 'removal' | 'balance') => void;
}) {
  const t = useText();
  return (
    <>
      {refusal === null ? null : (
        <p role="alert">
          <MessageText message={refusal} />
        </p>
      )}
      <ul className="person-issues">
        {issues.has_active_deployments ? (
          <li>
            <b>{t('users.deactivate.active', { smart_count: active })}</b>
            <ButtonLink size="small" to={`/dashboard?user=${encodeURIComponent(user.username)}`}>
              {t('users.view_deployments')}
            </ButtonLink>
            <Button kind="danger" size="small" aria-haspopup="dialog" onClick={() => onOpen('removal')}>
              {t('users.remove_all.open')}
            </Button>
          </li>
        ) : null}
        {issues.has_positive_balance ? (
          <li>
            <b>{t('users.deactivate.balance', { balance: money(user.balance, { rounding: 'cut' }) })}</b>
            <Button size="small" aria-haspopup="dialog" onClick={() => onOpen('balance')}>
              {t('users.adjust.open')}
            </Button>
          </li>
        ) : null}
      </ul>
    </>
  );
}

/** Confirmation dialog for removing all deployments of a user. Requires typing the username. */
function RemoveAll({
  user: { id, username: name },
  onBegun,
  onClose,
}: {
  user: AdminUserAnswer;
  onBegun: (sentence: string) => void;
  onClose: () => void;
}) {
  const t = useText();
  const offered = useOfferedBackups();
  const modes = offered === null ? null : modesOf(offered);
  const hasBackups = modes !== null && (modes.has('real') || modes.has('simulated'));
  const [reason, setReason] = useState('');
  const request = { params: { id }, body: { reason: reason.trim() } };
  const requested = useConfirmedAction(useAction('users', 'prepareDeletion'), request, {
    done({ removing, refunded_amount: refunded }) {
      const begun = t('users.remove_all.done', {
        smart_count: removing,
        amount: money(refunded, { rounding: 'half_up' }),
      });
      onBegun(begun);
      return begun;
    },
    failed: t('users.remove_all.failed'),
    onClose,
  });
  return (
    <ConfirmDialog
      title={t('users.remove_all.title', { name })}
      cancelLabel={t('users.remove_all.keep')}
      word={name}
      hasField
      isReady={isReason(reason)}
      submit={{ label: t('users.remove_all.submit'), busyLabel: t('users.remove_all.busy'), isDanger: true, requested }}
      refusal={requested.refusal}
      onClose={onClose}
    >
      <p>
        {t('users.remove_all.lost')} {t(hasBackups ? 'users.remove_all.backups' : 'users.remove_all.no_backup')}
      </p>
      <p>{t('users.remove_all.own')}</p>
      <p>{t('users.remove_all.refund')}</p>
      <ReasonField value={reason} hasFocus onChange={setReason} />
    </ConfirmDialog>
  );
}
