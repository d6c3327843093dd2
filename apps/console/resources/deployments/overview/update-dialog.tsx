import { useState } from 'react';
import type { Deployment } from '../../../data/deployments';
import type { Updates, Version } from '../../../data/updates';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { ConfirmDialog, useConfirmedAction } from '../../../ui/confirm-dialog';
import { isReason, ReasonField } from '../../../ui/form/reason-field';
import { useIsOwner } from '../actions';
import { Changes, includedIn, UpdateFacts } from './update-facts';

/** Starts an update after showing its changes and consequences. Staff states a reason. */
export function UpdateDialog({
  deployment,
  updates,
  to,
  onClose,
}: {
  deployment: Deployment;
  updates: Updates;
  to: Version;
  onClose: () => void;
}) {
  const t = useText();
  const { id, client_name: name } = deployment;
  const { version } = to;
  const isOwner = useIsOwner(deployment);
  const [reason, setReason] = useState('');
  const requested = useConfirmedAction(
    useAction('deployments', 'update'),
    { params: { id }, body: { version, reason: isOwner ? null : reason.trim() } },
    { done: () => t('updates.dialog.done', { name, version }), failed: t('updates.dialog.failed'), onClose },
  );
  return (
    <ConfirmDialog
      title={t('updates.dialog.title', { name, version })}
      submit={{
        label: t('updates.dialog.submit', { version }),
        busyLabel: t('updates.dialog.busy'),
        isDanger: false,
        requested,
      }}
      refusal={requested.refusal}
      hasField={!isOwner}
      isReady={isOwner || isReason(reason)}
      onClose={onClose}
    >
      <UpdateFacts updates={updates} to={to} />
      <p>
        <b>{t('updates.dialog.changes')}</b>
      </p>
      {includedIn(updates, to).map((each) => (
        <Changes key={each.version} version={each} />
      ))}
      {isOwner ? null : <ReasonField value={reason} hasFocus onChange={setReason} />}
    </ConfirmDialog>
  );
}
