import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { Navigate, Outlet, useLocation, useNavigate, useParams } from 'react-router-dom';
import { isMissing } from '../../data/errors';
import { useBackups } from '../../data/backups';
import { type Deployment, useDeployment, useStatusPoll } from '../../data/deployments';
import { errorText } from '../../data/problem-message';
import { useRecent } from '../../data/recent';
import { useUpdates } from '../../data/updates';
import { useText } from '../../texts/console-i18n';
import { ErrorAlert } from '../../ui/error-alert';
import { useTitle } from '../../ui/use-title';
import { hasCopies } from './backups/copy-messages';
import ConfirmRemoval from './confirm-removal';
import { deletedText, WaysOn } from './missing';
import { useNamesOf } from './names-of';
import { CardsSkeleton } from './page/cards-skeleton';
import type { PageContext } from './page/page-context';
import { PageHeader } from './page/page-header';
import { PageNotes } from './page/page-notes';
import { TabLinks } from './page/tab-links';
import { useJumps } from './page/use-jumps';
import { Cards } from './section';
import { type DeploymentTab, pageOf, TABS, tabAt } from './tabs';
import { stageOf, useDetails } from './use-details';
import { useOpenTitle } from './use-open-title';
import './show.css';

/** Page of a deployment. Its tabs are the routes below it. */
export default function DeploymentShow() {
  const id = Number(useParams().id);
  return Number.isSafeInteger(id) ? <DeploymentPage key={id} id={id} /> : <NotFound error={null} />;
}

function DeploymentPage({ id }: { id: number }) {
  const t = useText();
  const tab = tabAt(useLocation().pathname);
  const record = useDeployment(id, undefined);
  const { data: deployment } = record;
  // The entry of a deployment may be deleted while its copies are kept.
  const isGone = deployment === undefined && isMissing(record.error);
  const backups = useBackups(id, deployment === undefined ? isGone : stageOf(deployment).mayHaveBackups);
  useStatusPoll(id, deployment);
  useRecent('deployment', id, { name: deployment?.client_name, error: record.error });
  const openTitle = useOpenTitle(deployment);
  useTitle(openTitle ?? (deployment === undefined ? t(tab.label) : t(tab.title, { name: deployment.client_name })));
  const isKnown = deployment !== undefined || (isGone && backups.data !== undefined);
  const tabs = useMemo(() => {
    const copies = backups.data === undefined || hasCopies(backups.data);
    return isKnown ? TABS.filter(({ when }) => when({ deployment, hasCopies: copies })) : [];
  }, [isKnown, deployment, backups.data]);
  useJumps(id, tabs);
  if (isGone && (isMissing(backups.error) || (isKnown && tabs.length === 0))) return <NotFound error={record.error} />;
  const other = tabs.includes(tab) ? undefined : tabs[0];
  const failed = isKnown ? undefined : [record, backups].find(({ error }) => error !== null && !isMissing(error));
  return (
    <Frame id={id} deployment={deployment} isGone={record.isError} tab={tab} tabs={tabs}>
      {other !== undefined ? (
        <Navigate to={pageOf(id, other.path)} replace />
      ) : failed === undefined ? null : (
        <ErrorAlert
          text={[t('deployments.drawer.failed'), failed.error === null ? '' : errorText(failed.error)].join(' ').trim()}
          onRetry={() => void failed.refetch()}
        />
      )}
    </Frame>
  );
}

interface FrameProps {
  readonly id: number;
  readonly deployment: Deployment | undefined;
  readonly isGone: boolean;
  readonly tab: DeploymentTab;
  /** Empty until the deployment is loaded. */
  readonly tabs: readonly DeploymentTab[];
}

/** Header and tabs, with the content of the current tab or, instead of it, `children`. */
function Frame({ children, ...shown }: FrameProps & { children: ReactNode }) {
  const { id, deployment, isGone, tab, tabs } = shown;
  const navigate = useNavigate();
  const names = useNamesOf(deployment);
  const [actionSlot, setActionSlot] = useState<HTMLElement | null>(null);
  const [removing, setRemoving] = useState<Deployment | null>(null);
  const page = { id, names, actionSlot, onRemove: setRemoving };
  return (
    <>
      <main className="main deployment-page" id="content" tabIndex={-1}>
        <PageHeader {...{ id, deployment, isGone, tab, names, actionSlot: setActionSlot, onRemove: setRemoving }} />
        <TabLinks id={id} tabs={tabs} current={tab} />
        {children ??
          (deployment !== undefined ? (
            <TabOf deployment={deployment} tab={tab} page={page} />
          ) : tabs.length === 0 ? (
            <CardsSkeleton />
          ) : (
            <TabContent page={{ ...page, details: undefined }} />
          ))}
      </main>
      <ConfirmRemoval
        deployment={removing}
        onClose={() => setRemoving(null)}
        onForgotten={() => void navigate('/dashboard')}
      />
    </>
  );
}

/** Notes about the deployment, and the current tab. */
function TabOf({
  deployment,
  tab,
  page,
}: {
  deployment: Deployment;
  tab: DeploymentTab;
  page: Omit<PageContext, 'details'>;
}) {
  const details = useDetails(deployment, page.names);
  const updates = useUpdates(deployment.id, details.runs);
  const isPending = details.isPending || updates.isLoading;
  // A card that loads again stays where it is.
  const [wasShown, setShown] = useState(false);
  if (!isPending && !wasShown) setShown(true);
  if (isPending && !wasShown) return <CardsSkeleton />;
  return (
    <>
      <p className="vh" role="status">
        {details.announced}
      </p>
      <Cards>
        <PageNotes details={details} tab={tab} />
      </Cards>
      <TabContent page={{ ...page, details }} />
    </>
  );
}

function TabContent({ page }: { page: PageContext }) {
  return (
    <Cards>
      <Suspense fallback={<CardsSkeleton />}>
        <Outlet context={page} />
      </Suspense>
    </Cards>
  );
}

function NotFound({ error }: { error: unknown }) {
  const t = useText();
  const words = deletedText(error) ?? t('backups.not_found');
  useTitle(words);
  return (
    <main className="main" id="content" tabIndex={-1}>
      <div className="card empty" role="alert">
        <h1>{words}</h1>
        <WaysOn error={error} />
      </div>
    </main>
  );
}
