import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { ApiError } from '../../../data/errors';
import { type Backups, type Copy, isUnderWay, useBackUpNow, useBackups } from '../../../data/backups';
import { type Deployment, useDeployment, useStatusPoll } from '../../../data/deployments';
import { useRecent } from '../../../data/recent';
import { useText } from '../../../texts/console-i18n';
import { ErrorAlert } from '../../../ui/error-alert';
import { errorText } from '../../../data/problem-message';
import { useTitle } from '../../../ui/use-title';
import { useIsVerified } from '../actions';
import { withReason } from '../../../data/problem-message';
import { useToast } from '../../../ui/use-toast';
import { isOver } from '../../../parts/deployment/deployment-messages';
import { BucketCard } from './bucket-card';
import { CalendarCard } from './calendar-card';
import { ContentsCard } from './contents-card';
import { CopiesCard, refusedText } from './copies-card';
import { isLevelWithout } from './copy-messages';
import { DownloadDialog } from './download-dialog';
import { Notes } from './notes';
import { BackUpButton, PageHeader } from './page-header';
import { RestoreDialog } from './restore-dialog';
import { useRights } from './rights';
import { ProofsCard, StorageCard } from './side-cards';
import { StepsCard } from './steps-card';
import { UndoBar } from './undo-bar';
import { useNow } from './use-now';
import { ButtonLink } from '../../../ui/button-link';

/** Backups of a deployment, by day, with the available actions. */
export default function BackupsPage() {
  const id = Number(useParams().id);
  return <BackupsOf key={id} id={id} />;
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

function BackupsOf({ id }: { id: number }) {
  const t = useText();
  const record = useDeployment(id, undefined);
  const backups = useBackups(id);
  const deployment = record.data;
  useStatusPoll(id, deployment);
  useRecent('deployment', id, { name: deployment?.client_name, error: record.error });
  useTitle(deployment === undefined ? t('backups.title') : t('backups.of', { name: deployment.client_name }));
  // The entry of a deployment may be deleted while its copies are kept.
  const isSettled = deployment !== undefined || record.isError;
  return (
    <main className="main backups-page" id="content" tabIndex={-1}>
      {backups.isError && isMissing(backups.error) ? (
        <div className="card empty" role="alert">
          <h1>{t('backups.not_found')}</h1>
          <ButtonLink to="/dashboard">{t('backups.to_dashboard')}</ButtonLink>
        </div>
      ) : backups.data !== undefined && isSettled ? (
        <Shown id={id} deployment={deployment} backups={backups.data} />
      ) : (
        <>
          <PageHeader id={id} deployment={deployment} isGone={record.isError} action={null} />
          {backups.isError ? (
            <ErrorAlert
              text={`${t('backups.failed')} ${errorText(backups.error)}`}
              onRetry={() => void backups.refetch()}
            />
          ) : (
            <Skeleton />
          )}
        </>
      )}
    </main>
  );
}

function Shown({ id, deployment, backups }: { id: number; deployment: Deployment | undefined; backups: Backups }) {
  const t = useText();
  const toast = useToast();
  const now = useNow();
  const rights = useRights(deployment);
  const isVerified = useIsVerified();
  const backUp = useBackUpNow(id);
  const [chosen, setChosen] = useState<Copy | null>(null);
  const [fetched, setFetched] = useState<Copy | null>(null);
  const over = deployment === undefined || isOver(deployment);
  const wasBackedUp = backups.copies.some(isUnderWay);
  const refused = isVerified ? refusedText(backups) : t('deployments.locked.unverified');
  const isBackedUp = backups.mode !== 'off' && backups.days > 0 && backups.kept_until === null;
  const run = (): void => {
    if (backUp.isPending) return;
    backUp.mutate(undefined, {
      onSuccess: () => toast(t('backups.now.begun')),
      onError: (error) => toast(withReason(t('backups.now.failed'), error), { type: 'error' }),
    });
  };
  const isPlain = isLevelWithout(backups) || (backups.mode === 'off' && backups.copies.length === 0);
  return (
    <>
      <PageHeader
        id={id}
        deployment={deployment}
        isGone={deployment === undefined}
        action={
          rights.isOwner && isBackedUp && !over ? (
            <BackUpButton refused={refused} isBusy={backUp.isPending || wasBackedUp} onBackUp={run} />
          ) : null
        }
      />
      <div className="backup-notes">
        {deployment === undefined ? null : <UndoBar deployment={deployment} backups={backups} />}
        <Notes backups={backups} deployment={deployment} isOver={over} rights={rights} now={now} />
        {deployment === undefined ? null : <StepsCard deployment={deployment} backups={backups} now={now} />}
      </div>
      <div className={isPlain ? 'backup-cols plain' : 'backup-cols'}>
        <div>
          {isPlain ? null : (
            <CopiesCard
              backups={backups}
              now={now}
              rights={rights}
              isOver={over}
              onRestore={setChosen}
              onDownload={setFetched}
              onBackUp={run}
              backUpRefused={refused}
              isBackingUp={backUp.isPending}
            />
          )}
          <ContentsCard backups={backups} />
        </div>
        {isPlain ? null : (
          <aside>
            <CalendarCard copies={backups.copies} now={now} />
            <StorageCard backups={backups} />
            <ProofsCard backups={backups} now={now} />
            <BucketCard id={id} backups={backups} isOwner={rights.isOwner} now={now} />
          </aside>
        )}
      </div>
      {fetched === null ? null : <DownloadDialog id={id} copy={fetched} now={now} onClose={() => setFetched(null)} />}
      {chosen === null ? null : (
        <RestoreDialog
          id={id}
          copy={chosen}
          deployment={deployment}
          backups={backups}
          rights={rights}
          now={now}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
}

function Skeleton() {
  return (
    <div className="backup-cols late" aria-hidden="true">
      <div>
        <div className="card pad skeleton tall">
          {[320, 280, 300, 260].map((width) => (
            <span key={width} className="skel" style={{ width }} />
          ))}
        </div>
      </div>
      <aside>
        <div className="card pad skeleton tall">
          <span className="skel" style={{ width: 200 }} />
        </div>
      </aside>
    </div>
  );
}
