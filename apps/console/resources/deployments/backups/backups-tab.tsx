import { useState } from 'react';
import { type Backups, type Copy, isUnderWay, useBackups } from '../../../data/backups';
import { useAction } from '../../../data/use-action';
import { errorText, withReason } from '../../../data/problem-message';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { ErrorAlert } from '../../../ui/error-alert';
import { isOver } from '../../../parts/deployment/deployment-messages';
import { useIsVerified } from '../actions';
import { CardsSkeleton } from '../page/cards-skeleton';
import { HeaderAction } from '../page/header-action';
import { usePage } from '../page/page-context';
import { BackUpButton } from './back-up-button';
import { BucketCard } from './bucket-card';
import { CalendarCard } from './calendar-card';
import { ContentsCard } from './contents-card';
import { CopiesCard, refusedText } from './copies-card';
import { isLevelWithout } from './copy-messages';
import { DownloadDialog } from './download-dialog';
import { Notes } from './notes';
import { RestoreDialog } from './restore-dialog';
import { useRights } from './rights';
import { ProofsCard, StorageCard } from './side-cards';
import { StepsCard } from './steps-card';
import { useNow } from '../../../data/use-now';

/** Backups of a deployment, by day, with the available actions. */
export default function BackupsTab() {
  const t = useText();
  const { id, details } = usePage();
  const backups = useBackups(id);
  if (backups.data !== undefined) return <Shown id={id} deployment={details?.deployment} backups={backups.data} />;
  if (!backups.isError) return <CardsSkeleton />;
  return (
    <ErrorAlert text={`${t('backups.failed')} ${errorText(backups.error)}`} onRetry={() => void backups.refetch()} />
  );
}

interface ShownProps {
  readonly id: number;
  /** Undefined once its entry is deleted. */
  readonly deployment: Deployment | undefined;
  readonly backups: Backups;
}

function Shown({ id, deployment, backups }: ShownProps) {
  const now = useNow();
  const rights = useRights(deployment);
  const [chosen, setChosen] = useState<Copy | null>(null);
  const [fetched, setFetched] = useState<Copy | null>(null);
  const request = useBackUpRequest({ id, backups });
  const over = deployment === undefined || isOver(deployment);
  const isPlain = isLevelWithout(backups) || (backups.mode === 'off' && backups.copies.length === 0);
  const isBackedUp = backups.mode !== 'off' && backups.days > 0 && backups.kept_until === null;
  return (
    <>
      {rights.isOwner && isBackedUp && !over ? (
        <HeaderAction>
          <BackUpButton {...request} />
        </HeaderAction>
      ) : null}
      <div className="deployment-notes">
        <Notes backups={backups} deployment={deployment} isOver={over} rights={rights} now={now} />
        {deployment === undefined ? null : <StepsCard deployment={deployment} backups={backups} now={now} />}
      </div>
      <div className={isPlain ? 'deployment-cols plain' : 'deployment-cols'}>
        <div>
          {isPlain ? null : (
            <CopiesCard
              backups={backups}
              now={now}
              rights={rights}
              isOver={over}
              onRestore={setChosen}
              onDownload={setFetched}
              onBackUp={request.onBackUp}
              backUpRefused={request.refused}
              isBackingUp={request.isRequesting}
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
        <RestoreDialog {...{ id, deployment, backups, rights, now }} copy={chosen} onClose={() => setChosen(null)} />
      )}
    </>
  );
}

/** Requests a backup, with the reason why that is not possible now. */
function useBackUpRequest({ id, backups }: Pick<ShownProps, 'id' | 'backups'>) {
  const t = useText();
  const isVerified = useIsVerified();
  const backUp = useAction('deployments', 'backUp', {
    done: t('backups.now.begun'),
    failed: (error) => withReason(t('backups.now.failed'), error),
  });
  return {
    refused: isVerified ? refusedText(backups) : t('deployments.locked.unverified'),
    isRequesting: backUp.isPending,
    isBusy: backUp.isPending || backups.copies.some(isUnderWay),
    onBackUp: (): void => {
      if (!backUp.isPending) backUp.mutate({ params: { id } });
    },
  };
}
