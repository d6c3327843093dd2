import { Plus } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { GracePeriodBanner } from '../../parts/money/grace-period-banner';
import { useRunway } from '../../data/billing';
import { useCatalogueNames } from '../../data/catalogue';
import { type Deployment, useUnpaidEndings } from '../../data/deployments';
import { useText } from '../../texts/console-i18n';
import { useLayoutReady } from '../../ui/use-layout-ready';
import { BoardSkeleton } from './board-skeleton';
import { ListBody } from './list-body';
import { RunwayCard } from './runway-card';
import { EndedBanner } from '../../parts/ended-banner';
import { useFocusAfterRemoval } from './use-focus-after-removal';
import { useDeploymentList } from './use-deployment-list';
import { useOpenDeployment } from './use-open-deployment';
import { VerifyBanner } from '../../parts/verify-banner';
import { LockableLink } from '../../parts/lockable-link';
import { useOnce } from '../../ui/use-once';
import { useTitle } from '../../ui/use-title';
import { useOpenTitle } from './use-open-title';
import './list.css';

const loadDetails = () => import('./drawer/details-drawer');
const DetailsDrawer = lazy(loadDetails);
const ConfirmRemoval = lazy(() => import('./confirm-removal'));
const EmptyBoard = lazy(() => import('./empty-board'));

/** Dashboard ("Manage Resources"): how long everything runs, what needs attention, and the details next to the list. */
export default function Dashboard() {
  const t = useText();
  const list = useDeploymentList();
  const details = useOpenDeployment();
  const [removing, setRemoving] = useState<Deployment | null>(null);
  const { rows, isEmpty } = list;
  const focusAfter = useFocusAfterRemoval({ rows, openId: details.id });
  const providers = useMemo(() => providersOf(rows ?? []), [rows]);
  const names = useCatalogueNames(providers);
  const runway = useRunway();
  // Topping up takes precedence over another order, so only one button is filled.
  const urgent = runway.data?.level === 'days';
  // Administrators see the deployments of others here. They rarely run or order any themselves.
  const { isAdmin } = list;
  const runsOwn = (runway.data?.running ?? 0) + (runway.data?.starting ?? 0) > 0;
  const isPlaced = useLayoutReady([runway, useUnpaidEndings()]);
  useTitle(useOpenTitle(rows?.find(({ id }) => id === details.id)) ?? t('layout.dashboard'));
  const hasRows = rows !== undefined && rows.length > 0;
  useEffect(() => {
    // After the list, so that details open at once. If it fails, they are loaded when they open.
    if (hasRows) loadDetails().catch(() => undefined);
  }, [hasRows]);
  const hasDetails = useOnce(details.id !== null);
  const at = rows?.findIndex(({ id }) => id === details.id) ?? -1;
  const neighbour = (step: number): (() => void) | undefined => {
    const other = at < 0 ? undefined : rows?.[at + step];
    return other === undefined ? undefined : () => details.open(other.id);
  };

  return (
    <div className={details.id === null ? 'split' : 'split open'}>
      <main className="main" id="content" tabIndex={-1}>
        <div className="title">
          <h1 className="grow">{t('deployments.title')}</h1>
          {isEmpty ? null : (
            <LockableLink kind={urgent || isAdmin ? 'outlined' : 'primary'} to="/create-deployment" icon={Plus}>
              {t('deployments.create')}
            </LockableLink>
          )}
        </div>
        {rows === undefined || isEmpty ? null : <VerifyBanner />}
        <GracePeriodBanner />
        <EndedBanner />
        {isEmpty ? (
          <Suspense fallback={<BoardSkeleton />}>
            <EmptyBoard />
          </Suspense>
        ) : (
          <div className={isPlaced ? undefined : 'unplaced'}>
            {isAdmin && !runsOwn ? null : <RunwayCard />}
            <ListBody list={list} names={names} selected={details.id} onOpen={details.open} onRemove={setRemoving} />
          </div>
        )}
      </main>
      <Suspense>
        {hasDetails ? (
          <DetailsDrawer
            id={details.id}
            row={at < 0 ? undefined : rows?.[at]}
            names={names}
            walk={{ previous: neighbour(-1), next: neighbour(1), close: details.close }}
            onRemove={setRemoving}
          />
        ) : null}
      </Suspense>
      <Suspense>
        {removing === null ? null : (
          <ConfirmRemoval
            deployment={removing}
            onClose={() => setRemoving(null)}
            onForgotten={(deployment) => {
              focusAfter(deployment);
              if (details.id === deployment.id) details.close();
            }}
          />
        )}
      </Suspense>
    </div>
  );
}

function providersOf(rows: readonly Deployment[]): readonly string[] {
  return [...new Set(rows.flatMap(({ cloud_provider: cloud }) => (cloud === null ? [] : [cloud])))].sort();
}
