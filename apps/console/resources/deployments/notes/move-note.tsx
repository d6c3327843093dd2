import type { DeploymentMoveAnswer } from '@moorage/contracts';
import { ArrowRightLeft } from 'lucide-react';
import { useState } from 'react';
import type { Deployment } from '../../../data/deployments';
import { useAction } from '../../../data/use-action';
import { type ConsoleTextKey, useText } from '../../../texts/console-i18n';
import { ButtonLink } from '../../../ui/button-link';
import { Button } from '../../../ui/button';
import { ConfirmDialog, useConfirmedAction } from '../../../ui/confirm-dialog';
import { shortInstant } from '../../../ui/dates';
import { useActsAsOwner } from '../actions';
import { pageOf } from '../tabs';

/** States how far a move or clone is, on the pages of both deployments, with what its owner can do. */
export function MoveNote({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const isOwner = useActsAsOwner(deployment);
  const [dialog, setDialog] = useState<'finish' | 'cancel' | null>(null);
  const { id, move, ended } = deployment;
  // The deletion of the old deployment may have been undone.
  if (move === null || (move.state === 'done' && ended === null)) return null;
  const isSource = move.source_id === id;
  const { title, text } = textsOf(move, isSource);
  const at = move.remove_at === null ? '' : shortInstant(move.remove_at);
  const isOpen = move.state !== 'done';
  return (
    <div className="note" role="status">
      <ArrowRightLeft size={16} aria-hidden="true" />
      <div className="grow">
        <p>
          <b>{t(title)}</b>
        </p>
        {text === null ? null : <p className="soft">{t(text, { at })}</p>}
        <div className="row wrap">
          <ButtonLink size="small" to={pageOf(isSource ? move.target_id : move.source_id)}>
            {t(
              isSource
                ? 'moves.note.open_new'
                : move.kind === 'move'
                  ? 'moves.note.open_old'
                  : 'moves.note.open_original',
            )}
          </ButtonLink>
          {isOwner && move.state === 'waiting' ? (
            <Button size="small" aria-haspopup="dialog" onClick={() => setDialog('finish')}>
              {t('moves.finish.button')}
            </Button>
          ) : null}
          {isOwner && isOpen ? (
            <Button size="small" aria-haspopup="dialog" onClick={() => setDialog('cancel')}>
              {t(move.kind === 'move' ? 'moves.cancel.move' : 'moves.cancel.clone')}
            </Button>
          ) : null}
        </div>
      </div>
      {dialog === 'finish' ? <FinishDialog id={id} onClose={() => setDialog(null)} /> : null}
      {dialog === 'cancel' ? <CancelDialog id={id} kind={move.kind} onClose={() => setDialog(null)} /> : null}
    </div>
  );
}

function textsOf(
  { kind, state }: DeploymentMoveAnswer,
  isSource: boolean,
): { title: ConsoleTextKey; text: ConsoleTextKey | null } {
  if (state === 'done') return { title: 'moves.note.over', text: null };
  if (state === 'waiting')
    return isSource
      ? { title: 'moves.note.moved', text: 'moves.note.moved_text' }
      : { title: 'moves.note.arrived', text: 'moves.note.arrived_text' };
  if (!isSource)
    return {
      title: kind === 'move' ? 'moves.note.arriving' : 'moves.note.arriving_clone',
      text: 'moves.note.arriving_text',
    };
  return kind === 'move'
    ? { title: 'moves.note.moving', text: 'moves.note.moving_text' }
    : { title: 'moves.note.cloning', text: 'moves.note.cloning_text' };
}

function FinishDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText();
  const requested = useConfirmedAction(
    useAction('deployments', 'finishMove'),
    { params: { id } },
    { done: () => t('moves.finish.done'), failed: t('moves.finish.failed'), onClose },
  );
  return (
    <ConfirmDialog
      title={t('moves.finish.title')}
      cancelLabel={t('moves.finish.keep')}
      submit={{ label: t('moves.finish.button'), busyLabel: t('moves.finish.busy'), isDanger: true, requested }}
      refusal={requested.refusal}
      onClose={onClose}
    >
      <p>{t('moves.finish.text')}</p>
    </ConfirmDialog>
  );
}

function CancelDialog({ id, kind, onClose }: { id: number; kind: DeploymentMoveAnswer['kind']; onClose: () => void }) {
  const t = useText();
  const requested = useConfirmedAction(
    useAction('deployments', 'cancelMove'),
    { params: { id } },
    { done: () => t('moves.cancel.done'), failed: t('moves.cancel.failed'), onClose },
  );
  return (
    <ConfirmDialog
      title={t(kind === 'move' ? 'moves.cancel.move_title' : 'moves.cancel.clone_title')}
      cancelLabel={t('moves.cancel.keep')}
      submit={{
        label: t(kind === 'move' ? 'moves.cancel.move' : 'moves.cancel.clone'),
        busyLabel: t('moves.cancel.busy'),
        isDanger: true,
        requested,
      }}
      refusal={requested.refusal}
      onClose={onClose}
    >
      <p>{t('moves.cancel.text')}</p>
    </ConfirmDialog>
  );
}
