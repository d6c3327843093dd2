import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog, useConfirmedAction } from '../../../ui/confirm-dialog';
import type { Backups } from '../../../data/backups';
import { useAction } from '../../../data/use-action';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { nearInstant } from '../../../ui/dates';
import { messageText } from '../../../texts/locale';
import { isReason, ReasonField } from '../../../ui/form/reason-field';
import { useIsVerified } from '../actions';
import { LockedButton } from '../../../parts/locked-button';
import { useRights } from './rights';
import { useNow } from '../../../data/use-now';
import './undo-bar.css';

/** Offers to undo the last restore as long as the data from before it is kept. */
export function UndoBar({ deployment, backups }: { deployment: Deployment; backups: Backups }) {
  const t = useText();
  const now = useNow();
  const { isOwner, mayRestore } = useRights(deployment);
  const [dialog, setDialog] = useState(false);
  const isVerified = useIsVerified();
  const { restore, undo_refused: refused } = backups;
  if (restore?.state !== 'done' || restore.undo_until === null || Date.parse(restore.undo_until) <= now) return null;
  return (
    <div className="note undo-bar" role="status">
      <Undo2 size={16} aria-hidden="true" />
      <p className="grow">
        <b>{t('backups.undo.done', { at: nearInstant(restore.taken_at, now) })}</b>{' '}
        {t('backups.undo.kept', { until: nearInstant(restore.undo_until, now) })}
      </p>
      {mayRestore ? (
        <LockedButton
          size="small"
          reason={isVerified ? (refused == null ? null : messageText(refused)) : t('deployments.locked.unverified')}
          aria-haspopup="dialog"
          onClick={() => setDialog(true)}
        >
          {t('backups.undo.button')}
        </LockedButton>
      ) : null}
      {dialog ? <UndoDialog id={deployment.id} needsReason={!isOwner} onClose={() => setDialog(false)} /> : null}
    </div>
  );
}

function UndoDialog({ id, needsReason, onClose }: { id: number; needsReason: boolean; onClose: () => void }) {
  const t = useText();
  const [reason, setReason] = useState('');
  const requested = useConfirmedAction(
    useAction('deployments', 'undoRestore'),
    { params: { id }, body: { reason: needsReason ? reason.trim() : null } },
    { done: () => t('backups.undo.begun'), failed: t('backups.undo.failed'), onClose },
  );
  return (
    <ConfirmDialog
      title={t('backups.undo.title')}
      cancelLabel={t('backups.undo.keep')}
      submit={{ label: t('backups.undo.button'), busyLabel: t('backups.undo.busy'), isDanger: false, requested }}
      refusal={requested.refusal}
      hasField={needsReason}
      isReady={!needsReason || isReason(reason)}
      onClose={onClose}
    >
      <p>{t('backups.undo.text')}</p>
      {needsReason ? <ReasonField value={reason} hasFocus onChange={setReason} /> : null}
    </ConfirmDialog>
  );
}
