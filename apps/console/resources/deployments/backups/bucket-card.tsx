import { CircleDashed, OctagonX, ShieldCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { SectionCard } from '../../../ui/card';
import type { Backups, Bucket } from '../../../data/backups';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { ago, nearInstant } from '../../../ui/dates';
import { MessageText } from '../../../ui/message-text';
import { useIsVerified } from '../actions';
import { withReason } from '../../../data/problem-message';
import { LockedButton } from '../../../parts/locked-button';
import { BucketDialog } from './bucket-dialog';
import { BucketCommands, RemoveBucket } from './bucket-dialogs';
import { Button } from '../../../ui/button';
import './bucket-card.css';
import './side-cards.css';

/** The customer's own bucket for the copies, with its state and the owner's actions. */
export function BucketCard({
  id,
  backups,
  isOwner,
  now,
}: {
  id: number;
  backups: Backups;
  isOwner: boolean;
  now: number;
}) {
  const t = useText();
  const [dialog, setDialog] = useState<'set' | 'remove' | 'commands' | null>(null);
  const { bucket, bucket_refused: refused } = backups;
  const isVerified = useIsVerified();
  if (bucket === null && !isOwner) return null;
  const close = (): void => setDialog(null);
  const reason = isVerified ? (refused === null ? null : messageText(refused)) : t('deployments.locked.unverified');
  return (
    <SectionCard id="bucket" title={t('backups.bucket.title')}>
      <div className="pad backup-bucket">
        {bucket === null ? <p>{t('backups.bucket.lead')}</p> : <Set bucket={bucket} now={now} />}
        {backups.mode === 'simulated' ? <p className="small muted">{t('backups.bucket.simulated')}</p> : null}
        {isOwner && bucket === null ? (
          <LockedButton size="small" reason={reason} aria-haspopup="dialog" onClick={() => setDialog('set')}>
            {t('backups.bucket.set_up')}
          </LockedButton>
        ) : null}
        {isOwner && bucket !== null ? <Acts id={id} bucket={bucket} reason={reason} onRequest={setDialog} /> : null}
      </div>
      {dialog === 'set' ? <BucketDialog id={id} bucket={bucket} onClose={close} /> : null}
      {dialog === 'remove' ? <RemoveBucket id={id} onClose={close} /> : null}
      {dialog === 'commands' && bucket !== null ? <BucketCommands bucket={bucket} onClose={close} /> : null}
    </SectionCard>
  );
}

function Set({ bucket, now }: { bucket: Bucket; now: number }) {
  const t = useText();
  return (
    <>
      <BucketState bucket={bucket} now={now} />
      <dl>
        <dt>{t('backups.bucket.place')}</dt>
        <dd className="anywhere">{bucket.bucket}</dd>
        <dt>{t('backups.bucket.region')}</dt>
        <dd>{bucket.region}</dd>
        <dt>{t('backups.bucket.repository')}</dt>
        <dd className="mono anywhere">{bucket.repository}</dd>
      </dl>
      <p className="small muted">{t('backups.bucket.theirs')}</p>
    </>
  );
}

function BucketState({ bucket, now }: { bucket: Bucket; now: number }) {
  const t = useText();
  const { state, copying, checked_at: checked, copied_at: copied, failure, retry_at: retry } = bucket;
  const last = copied === null ? null : t('backups.bucket.copied', { ago: ago(copied, now) });
  if (copying || state === 'checking')
    return (
      <Line sign={CircleDashed} kind="none" title={t(copying ? 'backups.bucket.copying' : 'backups.bucket.checking')}>
        {last}
      </Line>
    );
  if (state === 'ready') return <Line sign={ShieldCheck} kind="ok" title={last ?? t('backups.bucket.ready')} />;
  return (
    <Line sign={OctagonX} kind="bad" title={t('backups.bucket.failed', { ago: ago(checked ?? '', now) })}>
      {failure === null ? null : <MessageText message={failure} />}{' '}
      {retry === null ? t('backups.bucket.retry_later') : t('backups.bucket.retry', { at: nearInstant(retry, now) })}{' '}
      {last === null ? null : `${last}.`}
    </Line>
  );
}

function Line({
  sign: Icon,
  kind,
  title,
  children = null,
}: {
  sign: typeof CircleDashed;
  kind: 'ok' | 'bad' | 'none';
  title: string;
  children?: ReactNode;
}) {
  return (
    <div className="backup-proofs" role="status">
      <div className={kind}>
        <Icon size={16} aria-hidden="true" />
        <div>
          <p>
            <b>{title}</b>
          </p>
          {children === null ? null : <p className="small muted">{children}</p>}
        </div>
      </div>
    </div>
  );
}

function Acts({
  id,
  bucket,
  reason,
  onRequest,
}: {
  id: number;
  bucket: Bucket;
  /** Reason why the bucket cannot be changed or checked. */
  reason: string | null;
  onRequest: (what: 'set' | 'remove' | 'commands') => void;
}) {
  const t = useText();
  const check = useAction('deployments', 'checkBucket', {
    failed: (error) => withReason(t('backups.bucket.check_failed'), error),
  });
  const isBusy = check.isPending || bucket.copying || bucket.state === 'checking';
  const run = (): void => {
    if (!isBusy) check.mutate({ params: { id } });
  };
  return (
    <div className="row wrap">
      <LockedButton size="small" reason={reason ?? (isBusy ? t('backups.bucket.checking') : null)} onClick={run}>
        {t('backups.bucket.check')}
      </LockedButton>
      <LockedButton size="small" reason={reason} aria-haspopup="dialog" onClick={() => onRequest('set')}>
        {t('backups.bucket.change')}
      </LockedButton>
      <Button size="small" aria-haspopup="dialog" onClick={() => onRequest('commands')}>
        {t('backups.bucket.use')}
      </Button>
      <Button size="small" aria-haspopup="dialog" onClick={() => onRequest('remove')}>
        {t('backups.bucket.remove')}
      </Button>
    </div>
  );
}
