import { useState } from 'react';
import type { Deployment } from '../../data/deployments';
import { useText } from '../../texts/console-i18n';
import { useIsOwner } from './actions';
import { isReason, ReasonField } from '../../ui/form/reason-field';
import { CancelNotice, DeleteNotice, StopNotice } from './removal-notices';
import { useRemoval, wayOf } from './use-removal';
import { ConfirmDialog } from '../../ui/confirm-dialog';

/**
 * Confirms cancelling, deactivating or deleting, with what is lost, refunded and kept. If data may be lost, the user
 * must type the name.
 */
export default function ConfirmRemoval({
  deployment,
  onClose,
  onForgotten,
}: {
  /** Null if the dialog is closed. */
  deployment: Deployment | null;
  onClose: () => void;
  /** Called once the deployment is off the list. */
  onForgotten: (deployment: Deployment) => void;
}) {
  return deployment === null ? null : <OpenConfirm key={deployment.id} {...{ deployment, onClose, onForgotten }} />;
}

function OpenConfirm({
  deployment,
  onClose,
  onForgotten,
}: {
  deployment: Deployment;
  onClose: () => void;
  onForgotten: (deployment: Deployment) => void;
}) {
  const t = useText();
  const [reason, setReason] = useState('');
  const isOwner = useIsOwner(deployment);
  const { client_name: name } = deployment;
  const way = wayOf(deployment);
  const Words = WORDS[way];
  const removal = useRemoval({ deployment, way, onClose, onForgotten });

  return (
    <ConfirmDialog
      title={t(`deployments.confirm.${way}_title`, { name })}
      cancelLabel={t('deployments.confirm.keep')}
      word={way === 'cancel' ? undefined : name}
      wordLabel={t('deployments.confirm.type_name')}
      fields={way === 'cancel' || isOwner ? null : <ReasonField value={reason} onChange={setReason} />}
      isReady={way === 'cancel' || isOwner || isReason(reason)}
      submit={{
        label: t(`deployments.confirm.${way}`),
        busyLabel: t(`deployments.confirm.${BUSY[way]}`),
        isDanger: true,
        requested: { busy: removal.isPending, run: () => removal.run(isOwner ? null : reason.trim()) },
      }}
      onClose={onClose}
    >
      <Words deployment={deployment} />
    </ConfirmDialog>
  );
}

const WORDS = { cancel: CancelNotice, deactivate: StopNotice, delete: DeleteNotice };
const BUSY = { cancel: 'cancelling', deactivate: 'deactivating', delete: 'deleting' } as const;
