import { Button } from '../../../ui/button';
import { useText } from '../../../texts/console-i18n';
import { useCreateAgain } from '../../../parts/order/create-again';
import { allows, isOver } from '../../../parts/deployment/deployment-messages';
import { LockedButton } from '../../../parts/locked-button';
import { Timeline } from '../activity/timeline';
import { useActsAsOwner } from '../actions';
import { BackupsSection } from '../backups/backups-section';
import { HeaderAction, OpenAction } from '../page/header-action';
import { usePage } from '../page/page-context';
import type { Details } from '../use-details';
import { CostSection } from './cost-section';
import { FactsSection } from './facts-section';
import { FailureReason } from './failure-note';
import { ReachabilitySection } from './reachability-section';

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
        <ReachabilitySection details={details} />
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
  const t = useText();
  const { onRemove } = usePage();
  const isOwner = useActsAsOwner(deployment);
  const again = useCreateAgain();
  if (isOwner && isOver(deployment))
    return (
      <HeaderAction>
        <Button busy={again.isBusy} onClick={() => again.run(deployment)}>
          {t('deployments.failure.again')}
        </Button>
      </HeaderAction>
    );
  if (isOwner && allows(deployment, 'cancel'))
    return (
      <HeaderAction>
        <LockedButton
          kind="danger"
          reason={deployment.deletion_locked ? t('deployments.locked.deletion') : null}
          onClick={() => onRemove(deployment)}
        >
          {t('deployments.confirm.cancel')}
        </LockedButton>
      </HeaderAction>
    );
  return <OpenAction deployment={deployment} />;
}
