import {
  bucketEndpoint,
  bucketFolder,
  checkBucketEndpoint,
  checkBucketFolder,
  checkBucketKey,
  checkBucketName,
  checkBucketRegion,
} from '@moorage/domain';
import type { Bucket } from '../../../data/backups';
import { problemText } from '../../../data/problem-message';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { FormDialog } from '../../../ui/form/form-dialog';
import { TextInput } from '../../../ui/form/inputs';

export interface Saved {
  readonly bucket: Bucket;
  /** Null if the existing password is kept. */
  readonly password: string | null;
}

const EMPTY = { endpoint: '', region: '', bucket: '', folder: '', access_key_id: '', secret_access_key: '' };
type Values = typeof EMPTY;

const valuesOf = (bucket: Bucket | null): Values =>
  bucket === null
    ? EMPTY
    : { ...EMPTY, endpoint: bucket.endpoint, region: bucket.region, bucket: bucket.bucket, folder: bucket.folder };

/** Dialog with the form for the customer's bucket and its keys. */
export function BucketForm({
  id,
  bucket,
  onSaved,
  onClose,
}: {
  id: number;
  bucket: Bucket | null;
  onSaved: (saved: Saved) => void;
  onClose: () => void;
}) {
  const t = useText();
  const set = useAction('deployments', 'setBucket');
  const submit = async ({ endpoint, folder, ...values }: Values): Promise<void> =>
    onSaved(
      await set.mutateAsync({
        params: { id },
        body: {
          endpoint: bucketEndpoint(endpoint),
          region: values.region.trim(),
          bucket: values.bucket.trim(),
          folder: bucketFolder(folder),
          access_key_id: values.access_key_id.trim(),
          secret_access_key: values.secret_access_key.trim(),
        },
      }),
    );
  return (
    <FormDialog
      width="wide"
      title={t(bucket === null ? 'backups.bucket.form.title' : 'backups.bucket.form.title_change')}
      defaultValues={valuesOf(bucket)}
      onSubmit={submit}
      retryAt="access_key_id"
      submit={{ label: t('backups.bucket.form.submit'), busyLabel: t('backups.bucket.form.busy') }}
      onClose={onClose}
    >
      <p>{t(bucket === null ? 'backups.bucket.form.text' : 'backups.bucket.form.keep_place')}</p>
      <BucketFields />
    </FormDialog>
  );
}

function BucketFields() {
  const t = useText();
  const example = (value: string): string => t('backups.bucket.form.example', { value });
  const checkKey = (key: string) => problemText(checkBucketKey(key.trim()));
  return (
    <>
      <TextInput
        source="endpoint"
        label={t('backups.bucket.form.endpoint')}
        hint={example('https://s3.eu-central-1.amazonaws.com')}
        validate={(endpoint) => problemText(checkBucketEndpoint(endpoint))}
      />
      <TextInput
        source="region"
        label={t('backups.bucket.form.region')}
        hint={example('eu-central-1')}
        validate={(region) => problemText(checkBucketRegion(region.trim()))}
      />
      <TextInput
        source="bucket"
        label={t('backups.bucket.form.bucket')}
        validate={(name) => problemText(checkBucketName(name.trim()))}
      />
      <TextInput
        source="folder"
        label={t('backups.bucket.form.folder')}
        optional
        hint={t('backups.bucket.form.folder_hint')}
        validate={(folder) => problemText(checkBucketFolder(folder))}
      />
      <TextInput source="access_key_id" label={t('backups.bucket.form.access_key_id')} validate={checkKey} />
      <TextInput
        source="secret_access_key"
        label={t('backups.bucket.form.secret_access_key')}
        type="password"
        hint={t('backups.bucket.form.secret_hint')}
        validate={checkKey}
      />
    </>
  );
}
