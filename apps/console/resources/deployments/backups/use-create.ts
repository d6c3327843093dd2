import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import type { RestoreAct, RestoreProps } from './restore-act';
import { useNewPlace } from './use-new-place';
import { type PlaceOrder, usePlaceOrder } from './use-place-order';

/** Orders a new deployment with the data of the copy. */
export function useCreate({ id, copy, deployment, onClose }: RestoreProps): RestoreAct & PlaceOrder {
  const t = useText();
  const deploy = useAction('deployments', 'deployCopy', { done: t('backups.create.done') });
  const order = usePlaceOrder({
    form: useNewPlace(deployment),
    action: deploy,
    failed: t('backups.create.failed'),
    send: (body, results) => deploy.mutate({ params: { id, backup_id: copy.id }, body }, results),
    onClose,
  });
  return { ...order, label: 'backups.create.submit', busyLabel: 'backups.create.busy' };
}
