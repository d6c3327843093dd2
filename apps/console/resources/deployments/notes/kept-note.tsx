import { ServerOff } from 'lucide-react';
import { useState } from 'react';
import type { Deployment } from '../../../data/deployments';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { Button } from '../../../ui/button';
import { ConfirmDialog, useConfirmedAction } from '../../../ui/confirm-dialog';
import { shortInstant } from '../../../ui/dates';
import { useRestoreDeleted } from '../use-removal';

/** States until when the server of a deleted deployment is kept, with its restore and its immediate removal. */
export function KeptNote({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const restore = useRestoreDeleted(deployment);
  const [isRemoving, setRemoving] = useState(false);
  const { status, undo_until: until } = deployment;
  if (status !== 'DESTROYING' || until === null) return null;
  return (
    <div className="note brass" role="status">
      <ServerOff size={16} aria-hidden="true" />
      <div>
        <p>
          <b>{t('undelete.kept', { date: shortInstant(until) })}</b>
        </p>
        <p className="soft">{t('undelete.kept_more')}</p>
        {restore.isOffered ? (
          <>
            <Button kind="primary" size="small" busy={restore.isPending} onClick={restore.run}>
              {t('undelete.restore')}
            </Button>
            <Button size="small" aria-haspopup="dialog" onClick={() => setRemoving(true)}>
              {t('undelete.remove')}
            </Button>
          </>
        ) : null}
      </div>
      {isRemoving ? <RemoveDialog deployment={deployment} onClose={() => setRemoving(false)} /> : null}
    </div>
  );
}

function RemoveDialog({
  deployment: { id, client_name: name },
  onClose,
}: {
  deployment: Deployment;
  onClose: () => void;
}) {
  const t = useText();
  const requested = useConfirmedAction(
    useAction('deployments', 'remove'),
    { params: { id }, query: { expected_status: 'DESTROYING' } },
    { done: () => t('undelete.removing', { name }), failed: t('undelete.not_removed'), onClose },
  );
  return (
    <ConfirmDialog
      title={t('undelete.remove_title', { name })}
      cancelLabel={t('undelete.keep')}
      submit={{ label: t('undelete.remove'), busyLabel: t('undelete.removing_now'), isDanger: true, requested }}
      refusal={requested.refusal}
      onClose={onClose}
    >
      <p>{t('undelete.remove_text')}</p>
    </ConfirmDialog>
  );
}
