import type { BackupDownloadAnswer } from '@moorage/contracts';
import { BACKUPS_POLL_MS, type Copy } from '../../../data/backups';
import { useAction } from '../../../data/use-action';
import { useRead } from '../../../data/use-read';
import { useText } from '../../../texts/console-i18n';
import { byteSize } from '../../../ui/bytes';
import { CopyButton } from '../../../ui/copy-button';
import { nearInstant } from '../../../ui/dates';
import { ErrorAlert } from '../../../ui/error-alert';
import { MessageText } from '../../../ui/message-text';
import { errorText } from '../../../data/problem-message';
import { copyName } from './copy-messages';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import './download-dialog.css';

/** Dialog to download a copy as an encrypted archive. Shows its password once, and the command that opens it. */
export function DownloadDialog({
  id,
  copy,
  now,
  onClose,
}: {
  id: number;
  copy: Copy;
  now: number;
  onClose: () => void;
}) {
  const t = useText();
  const downloads = useDownloads(id);
  const preparation = useAction('deployments', 'prepareDownload');
  const link = useAction('deployments', 'linkDownload');
  const prepare = (): void => preparation.mutate({ params: { id, backup_id: copy.id } });
  const [newest] = (downloads.data ?? []).filter(
    ({ backup_id: backup, state }) => backup === copy.id && state !== 'expired',
  );
  const { data: prepared } = preparation;
  const password = prepared !== undefined && prepared.download.id === newest?.id ? prepared.password : null;
  const isPreparing = preparation.isPending || newest?.state === 'preparing';
  const isReady = newest?.state === 'ready';
  const fetchFile = (): void => {
    if (newest === undefined || link.isPending) return;
    link.mutate({ params: { id, download_id: newest.id } }, { onSuccess: ({ path }) => window.location.assign(path) });
  };
  const error = preparation.error ?? link.error;
  return (
    <Dialog
      onClose={onClose}
      width="wide"
      className="download-dialog"
      title={t('backups.download.title', { at: copyName(copy, now) })}
      refusal={error === null ? null : errorText(error)}
      actions={
        <>
          <Button onClick={onClose}>{t('layout.close')}</Button>
          {isReady && password === null ? (
            <Button onClick={prepare} aria-disabled={isPreparing ? true : undefined}>
              {t('backups.download.again')}
            </Button>
          ) : null}
          <Button
            kind="primary"
            aria-disabled={isPreparing || link.isPending ? true : undefined}
            onClick={() => {
              if (isReady) fetchFile();
              else if (!isPreparing) prepare();
            }}
          >
            {t(
              isReady
                ? 'backups.download.fetch'
                : isPreparing
                  ? 'backups.download.preparing'
                  : 'backups.download.prepare',
            )}
          </Button>
        </>
      }
    >
      {downloads.isError ? (
        <ErrorAlert text={errorText(downloads.error)} onRetry={() => void downloads.refetch()} />
      ) : null}
      {newest === undefined ? <p>{t('backups.download.text')}</p> : <Archive download={newest} now={now} />}
      {password === null ? null : (
        <Secret name={t('backups.download.password')} value={password} hint={t('backups.download.once')} />
      )}
      {isReady && password === null ? <p className="small soft">{t('backups.download.password_before')}</p> : null}
      {newest === undefined || newest.state === 'failed' ? null : (
        <Secret name={t('backups.download.command')} value={newest.command} hint={t('backups.download.command_hint')} />
      )}
    </Dialog>
  );
}

/** Loads the archives of a deployment's backups. Polls while an archive is being prepared. */
const useDownloads = (id: number) =>
  useRead(
    'deployments',
    'GET /deployments/{id}/backup-downloads',
    { params: { id } },
    {
      refetchInterval: ({ state: { data } }) =>
        data?.some(({ state }) => state === 'preparing') === true ? BACKUPS_POLL_MS : false,
      retry: false,
    },
  );

function Archive({
  download: { state, bytes, expires_at: expires, failure },
  now,
}: {
  download: BackupDownloadAnswer;
  now: number;
}) {
  const t = useText();
  switch (state) {
    case 'ready':
      return (
        <p role="status">
          {t('backups.download.ready', {
            size: byteSize(bytes ?? 0),
            until: expires === null ? '' : nearInstant(expires, now),
          })}
        </p>
      );
    case 'failed':
      return (
        <p role="alert">
          {t('backups.download.failed')} {failure === null ? null : <MessageText message={failure} />}
        </p>
      );
    case 'preparing':
    case 'expired':
      return <p role="status">{t('backups.download.wait')}</p>;
  }
}

/** Value to copy, with its name above and a hint below. */
export function Secret({ name, value, hint }: { name: string; value: string; hint?: string }) {
  return (
    <div className="download-secret">
      <b>{name}</b>
      <code>
        {value} <CopyButton value={value} what={name} />
      </code>
      {hint === undefined ? null : <span className="small soft">{hint}</span>}
    </div>
  );
}
