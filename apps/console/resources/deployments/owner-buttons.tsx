import type { Deployment } from '../../data/deployments';
import { allows, isOver } from '../../parts/deployment/deployment-messages';
import { LockedButton } from '../../parts/locked-button';
import { useCreateAgain } from '../../parts/order/create-again';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { useActsAsOwner } from './actions';

/** Returns whether the viewer may create the deployment again. Only its owner may, when it is over. */
export const useMayCreateAgain = (deployment: Deployment): boolean => useActsAsOwner(deployment) && isOver(deployment);

/** Returns whether the viewer may cancel the deployment. Only its owner may, while it is being built. */
export const useMayCancel = (deployment: Deployment): boolean =>
  useActsAsOwner(deployment) && allows(deployment, 'cancel');

/** Button that orders the same deployment again. */
export function CreateAgainButton({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const again = useCreateAgain();
  return (
    <Button busy={again.isBusy} onClick={() => again.run(deployment)}>
      {t('deployments.failure.again')}
    </Button>
  );
}

/** Button that cancels the deployment, disabled with the reason while its deletion is locked. */
export function CancelButton({ deployment, onRemove }: { deployment: Deployment; onRemove: (d: Deployment) => void }) {
  const t = useText();
  return (
    <LockedButton
      kind="danger"
      reason={deployment.deletion_locked ? t('deployments.locked.deletion') : null}
      onClick={() => onRemove(deployment)}
    >
      {t('deployments.confirm.cancel')}
    </LockedButton>
  );
}
