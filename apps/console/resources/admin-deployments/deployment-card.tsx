import type { BalanceEnd, DeploymentAnswer } from '@moorage/contracts';
import { StatusLabel } from '../../parts/status-label';
import { money } from '../../ui/money';
import { EndDate } from './end-date';
import { DeploymentLink } from './deployment-link';
import { OwnerLink } from './owner-link';
import { useNames } from './use-names';

/** A deployment in the list on a phone. */
export function DeploymentCard({
  deployment,
  ends,
}: {
  deployment: DeploymentAnswer;
  ends: readonly BalanceEnd[] | undefined;
}) {
  const { packageName, place } = useNames(deployment);
  return (
    <>
      <div className="row">
        <span className="grow">
          <DeploymentLink deployment={deployment} />
        </span>{' '}
        <span className="muted small">#{deployment.id}</span>
      </div>
      <p>
        <StatusLabel
          status={deployment.status}
          deletedAt={deployment.deleted_at}
          ended={deployment.ended}
          failure={deployment.failure}
        />
      </p>
      <p className="soft">
        {packageName}, {place}
      </p>
      <div className="row">
        <span className="grow">
          <OwnerLink deployment={deployment} />
        </span>
        {deployment.ended === null ? <b>{money(deployment.daily_cost, { rounding: 'price' })}</b> : null}
      </div>
      <p className="small soft c-ends">
        <EndDate deployment={deployment} ends={ends} />
      </p>
    </>
  );
}
