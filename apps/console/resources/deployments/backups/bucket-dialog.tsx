import { useState } from 'react';
import type { Bucket } from '../../../data/backups';
import { useText } from '../../../texts/console-i18n';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { CommandList } from './bucket-dialogs';
import { BucketForm, type Saved } from './bucket-form';
import { Secret } from './download-dialog';

/** Prompts for the bucket and its keys, then shows the repository password. */
export function BucketDialog({ id, bucket, onClose }: { id: number; bucket: Bucket | null; onClose: () => void }) {
  const t = useText();
  const [saved, setSaved] = useState<Saved | null>(null);
  if (saved === null) return <BucketForm id={id} bucket={bucket} onSaved={setSaved} onClose={onClose} />;
  const isKept = saved.password === null;
  return (
    <Dialog
      width="wide"
      title={t(isKept ? 'backups.bucket.saved.title_kept' : 'backups.bucket.saved.title')}
      // A click outside must not lose the password.
      onClose={isKept ? onClose : undefined}
      actions={
        <Button kind="primary" onClick={onClose}>
          {t(isKept ? 'backups.bucket.saved.close' : 'backups.bucket.saved.done')}
        </Button>
      }
    >
      <SavedBucket saved={saved} />
    </Dialog>
  );
}

function SavedBucket({ saved: { bucket, password } }: { saved: Saved }) {
  const t = useText();
  return (
    <>
      <p>{t(password === null ? 'backups.bucket.saved.text_kept' : 'backups.bucket.saved.text')}</p>
      {password === null ? null : (
        <>
          <Secret name={t('backups.bucket.saved.password')} value={password} hint={t('backups.bucket.saved.once')} />
          <CommandList bucket={bucket} />
        </>
      )}
    </>
  );
}
