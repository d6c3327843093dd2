import type { DeletedDeployment } from '@moorage/contracts';
import { actionsOf } from '@moorage/domain';
import type { Deployment } from '../../data/deployments';
import { withReason } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useActsAsOwner, useIsVerified } from './actions';
import { allows } from '../../parts/deployment/deployment-messages';
import { useText } from '../../texts/console-i18n';
import { money } from '../../ui/money';
import { useToast } from '../../ui/use-toast';

/** Ways in which a deployment ends, by its state. */
type Way = 'cancel' | 'deactivate' | 'delete';

export function wayOf(deployment: Deployment): Way {
  if (allows(deployment, 'cancel')) return 'cancel';
  const stops = deployment.deleted_at === null && actionsOf(deployment.status).includes('deactivate');
  return stops ? 'deactivate' : 'delete';
}

/** Cancels, deactivates or deletes a deployment, and reports the result. */
export function useRemoval({
  deployment,
  way,
  onClose,
  onForgotten,
}: {
  deployment: Deployment;
  way: Way;
  onClose: () => void;
  /** Called once the deployment is off the list. */
  onForgotten: (deployment: Deployment) => void;
}): { readonly isPending: boolean; readonly run: (reason: string | null) => void } {
  const t = useText();
  const toast = useToast();
  const { id, client_name: name, status } = deployment;
  const failed = (error: Error): string =>
    withReason(t(`deployments.toast.${way === 'cancel' ? 'cancel_failed' : 'delete_failed'}`), error);
  const cancel = useAction('deployments', 'cancel', { failed });
  const remove = useAction('deployments', 'remove', { failed });
  const restore = useRestoreDeleted(deployment);

  const resultOf = (answer: DeletedDeployment): string => {
    if ('message' in answer) return t('deployments.toast.deleted', { name });
    if (way === 'delete') return t('deployments.toast.removing', { name });
    const doing = way === 'cancel' ? 'cancelling' : 'deactivating';
    const { refunded_amount: back } = answer;
    return back > 0
      ? t(`deployments.toast.${doing}_refund`, { name, amount: money(back, { rounding: 'price' }) })
      : t(`deployments.toast.${doing}`, { name });
  };
  const onSuccess = (answer: DeletedDeployment): void => {
    onClose();
    const isKept = 'undo_until' in answer && answer.undo_until != null;
    toast(
      resultOf(answer),
      isKept && restore.isOffered ? { action: { label: t('undelete.restore'), run: restore.run } } : {},
    );
    if ('message' in answer) onForgotten(deployment);
  };
  return {
    isPending: cancel.isPending || remove.isPending,
    run: (reason) =>
      way === 'cancel'
        ? cancel.mutate({ params: { id } }, { onSuccess })
        : remove.mutate({ params: { id }, query: { reason, expected_status: status } }, { onSuccess }),
  };
}

/** Undoes the delete of a deployment whose server is still kept, for its owner. */
export function useRestoreDeleted(deployment: Deployment): {
  readonly isOffered: boolean;
  readonly isPending: boolean;
  readonly run: () => void;
} {
  const t = useText();
  const isOwner = useActsAsOwner(deployment);
  const isVerified = useIsVerified();
  const { isPending, mutate } = useAction('deployments', 'restoreDeleted', {
    done: t('undelete.restoring', { name: deployment.client_name }),
    failed: (error) => withReason(t('undelete.not_restored'), error),
  });
  return { isOffered: isOwner && isVerified, isPending, run: () => mutate({ params: { id: deployment.id } }) };
}
