import { bucketCommands } from '@moorage/domain';
import { ConfirmDialog, useConfirmedAction } from '../../../ui/confirm-dialog';
import type { Bucket } from '../../../data/backups';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { Secret } from './download-dialog';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';

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
  return (
    <Dialog
      onClose={onClose}
      width="wide"
      title={t('backups.bucket.commands.title')}
      actions={<Button onClick={onClose}>{t('layout.close')}</Button>}
    >
      <CommandList bucket={bucket} />
    </Dialog>
  );
}

export function RemoveBucket({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText();
  const requested = useConfirmedAction(
    useAction('deployments', 'removeBucket'),
    { params: { id } },
    { done: () => t('backups.bucket.removal.done'), failed: t('backups.bucket.removal.failed'), onClose },
  );
  return (
    <ConfirmDialog
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
    </ConfirmDialog>
  );
}
