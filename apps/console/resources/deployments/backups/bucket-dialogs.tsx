import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { bucketCommands } from '@moorage/domain';
import { useId } from 'react';
import { ActionDialog, useConfirmedAction } from '../../../ui/action-dialog';
import { type Bucket, useRemoveBucket } from '../../../data/backup-bucket';
import { useText } from '../../../texts/console-i18n';
import { Secret } from './download-dialog';
import { Button } from '../../../ui/button';

/** Commands for the owner to list, restore and remove the copies in a bucket. */
export function CommandList({ bucket }: { bucket: Bucket }) {
  const t = useText();
  const { keys, list, restore, forget } = bucketCommands(bucket);
  return (
    <>
      <p>{t('backups.bucket.commands.text')}</p>
      <Secret name={t('backups.bucket.commands.keys')} value={keys} />
      <Secret name={t('backups.bucket.commands.list')} value={list} />
      <Secret
        name={t('backups.bucket.commands.restore')}
        value={restore}
        hint={t('backups.bucket.commands.restore_hint')}
      />
      <Secret
        name={t('backups.bucket.commands.forget')}
        value={forget}
        hint={t('backups.bucket.commands.forget_hint')}
      />
    </>
  );
}

export function BucketCommands({ bucket, onClose }: { bucket: Bucket; onClose: () => void }) {
  const t = useText();
  const titleId = useId();
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('backups.bucket.commands.title')}</DialogTitle>
      <DialogContent>
        <CommandList bucket={bucket} />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('layout.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}

export function RemoveBucket({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText();
  const requested = useConfirmedAction(
    useRemoveBucket(id),
    {},
    { done: () => t('backups.bucket.removal.done'), failed: t('backups.bucket.removal.failed'), onClose },
  );
  return (
    <ActionDialog
      title={t('backups.bucket.removal.title')}
      cancelLabel={t('backups.bucket.removal.keep')}
      submit={{
        label: t('backups.bucket.removal.submit'),
        busyLabel: t('backups.bucket.removal.busy'),
        isDanger: true,
        requested,
      }}
      refusal={requested.refusal}
      onClose={onClose}
    >
      <p>{t('backups.bucket.removal.text')}</p>
    </ActionDialog>
  );
}
