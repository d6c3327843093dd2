import { Timeline } from '../activity/timeline';
import { CancelButton, CreateAgainButton, useMayCancel, useMayCreateAgain } from '../owner-buttons';
import { BackupsSection } from '../backups/backups-section';
import { HeaderAction, OpenAction } from '../page/header-action';
import { usePage } from '../page/page-context';
import type { Details } from '../use-details';
import { CostSection } from './cost-section';
import { FactsSection } from './facts-section';
import { FailureReason } from './failure-note';
import { HealthSection } from './health-section';
import { VersionSection } from './version-section';

/** Health, cost and details of the deployment. The timeline comes first while it is being built. */
export default function OverviewTab() {
  const { details, names } = usePage();
  if (details === undefined) return null;
  const { deployment, progress, backups, isAlive } = details;
  return (
    <div className="deployment-cols">
      <div>
        <Timeline details={details} />
        {details.hasFailed ? <FailureReason deployment={deployment} progress={progress.data} /> : null}
        <HealthSection details={details} />
        <VersionSection details={details} names={names} />
        <FactsSection deployment={deployment} names={names} />
      </div>
      <aside>
        <CostSection deployment={deployment} />
        {details.mayHaveBackups && backups.data !== undefined ? (
          <BackupsSection id={deployment.id} isOver={!isAlive} backups={backups.data} />
        ) : null}
      </aside>
      <Action details={details} />
    </div>
  );
}

/** Opens the deployment, cancels it while it is being built, or creates it again when it is over. */
function Action({ details: { deployment } }: { details: Details }) {
  const { onRemove } = usePage();
  const mayCancel = useMayCancel(deployment);
  const mayCreateAgain = useMayCreateAgain(deployment);
  if (!mayCancel && !mayCreateAgain) return <OpenAction deployment={deployment} />;
  return (
    <HeaderAction>
      {mayCreateAgain ? (
        <CreateAgainButton deployment={deployment} />
      ) : (
        <CancelButton deployment={deployment} onRemove={onRemove} />
      )}
    </HeaderAction>
  );
}
