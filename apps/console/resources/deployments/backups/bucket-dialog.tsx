import {
  bucketEndpoint,
  bucketFolder,
  checkBucketEndpoint,
  checkBucketFolder,
  checkBucketKey,
  checkBucketName,
  checkBucketRegion,
  type Message,
} from '@moorage/domain';
import { useState } from 'react';
import { type Bucket, useSetBucket } from '../../../data/backup-bucket';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { Field } from '../../../ui/form/field';
import { useForm } from '../../../ui/form/use-form';
import { CommandList } from './bucket-dialogs';
import { Secret } from './download-dialog';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';

interface Saved {
  readonly bucket: Bucket;
  /** Null if the existing password is kept. */
  readonly password: string | null;
}

const wrong = (why: Message | null): string | null => (why === null ? null : messageText(why));

/** Prompts for the bucket and its keys, then shows the repository password. */
export function BucketDialog({ id, bucket, onClose }: { id: number; bucket: Bucket | null; onClose: () => void }) {
  const t = useText();
  const [saved, setSaved] = useState<Saved | null>(null);
  const form = useBucketForm(id, bucket, setSaved);
  if (saved === null) {
    return (
      <Dialog
        className="bucket-form"
        width="wide"
        title={t(bucket === null ? 'backups.bucket.form.title' : 'backups.bucket.form.title_change')}
        refusal={form.refusal}
        onSubmit={form.onSubmit}
        onClose={onClose}
        actions={
          <>
            <Button onClick={onClose}>{t('layout.cancel')}</Button>
            <Button type="submit" kind="primary" busy={form.busy}>
              {t(form.busy ? 'backups.bucket.form.busy' : 'backups.bucket.form.submit')}
            </Button>
          </>
        }
      >
        <p>{t(bucket === null ? 'backups.bucket.form.text' : 'backups.bucket.form.keep_place')}</p>
        <BucketFields form={form} />
      </Dialog>
    );
  }
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

type BucketForm = ReturnType<typeof useBucketForm>;

function useBucketForm(id: number, bucket: Bucket | null, onSaved: (saved: Saved) => void) {
  const set = useSetBucket(id);
  return useForm({
    initial: {
      endpoint: bucket?.endpoint ?? '',
      region: bucket?.region ?? '',
      bucket: bucket?.bucket ?? '',
      folder: bucket?.folder ?? '',
      access_key_id: '',
      secret_access_key: '',
    },
    checks: {
      endpoint: ({ endpoint }) => wrong(checkBucketEndpoint(endpoint)),
      region: ({ region }) => wrong(checkBucketRegion(region.trim())),
      bucket: (values) => wrong(checkBucketName(values.bucket.trim())),
      folder: ({ folder }) => wrong(checkBucketFolder(folder)),
      access_key_id: ({ access_key_id: key }) => wrong(checkBucketKey(key.trim())),
      secret_access_key: ({ secret_access_key: key }) => wrong(checkBucketKey(key.trim())),
    },
    failed: 'form.failed',
    retryAt: 'access_key_id',
    async submit(values) {
      onSaved(
        await set.mutateAsync({
          endpoint: bucketEndpoint(values.endpoint),
          region: values.region.trim(),
          bucket: values.bucket.trim(),
          folder: bucketFolder(values.folder),
          access_key_id: values.access_key_id.trim(),
          secret_access_key: values.secret_access_key.trim(),
        }),
      );
      return null;
    },
  });
}

function BucketFields({ form }: { form: BucketForm }) {
  const t = useText();
  const label = (name: keyof BucketForm['values']): string => t(`backups.bucket.form.${name}`);
  return (
    <>
      <Field
        label={label('endpoint')}
        autoComplete="off"
        hint={t('backups.bucket.form.example', { value: 'https://s3.eu-central-1.amazonaws.com' })}
        field={form.field('endpoint')}
      />
      <Field
        label={label('region')}
        autoComplete="off"
        hint={t('backups.bucket.form.example', { value: 'eu-central-1' })}
        field={form.field('region')}
      />
      <Field label={label('bucket')} autoComplete="off" field={form.field('bucket')} />
      <Field
        label={label('folder')}
        autoComplete="off"
        optional
        hint={t('backups.bucket.form.folder_hint')}
        field={form.field('folder')}
      />
      <Field label={label('access_key_id')} autoComplete="off" field={form.field('access_key_id')} />
      <Field
        label={label('secret_access_key')}
        type="password"
        autoComplete="off"
        hint={t('backups.bucket.form.secret_hint')}
        field={form.field('secret_access_key')}
      />
    </>
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
