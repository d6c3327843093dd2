import { Trash2 } from 'lucide-react';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { contactSupport } from '../../../parts/support/support-desk';
import { useActsAsOwner, useOffers, useRepairLimit, useRepairs } from '../actions';
import { useCreateAgain } from '../../../parts/order/create-again';
import { LockedButton } from '../../../parts/locked-button';
import { allows, isOver } from '../../../parts/deployment/deployment-messages';
import { pageOf } from '../tabs';
import { ButtonLink } from '../../../ui/button-link';
import { Button } from '../../../ui/button';

/** Available actions, disabled with the reason while in flight, and a link to support. */
export function DrawerFooter({ deployment, onRemove }: { deployment: Deployment; onRemove: (d: Deployment) => void }) {
  const t = useText();
  const offers = useOffers(deployment);
  const { run, isBusy } = useRepairs(deployment.id);
  const limit = useRepairLimit(deployment);
  const isOwner = useActsAsOwner(deployment);
  const again = useCreateAgain();
  return (
    <footer aria-label={t('deployments.drawer.actions')}>
      {offers.map(({ action, label, off, danger }) => (
        <LockedButton
          key={action}
          reason={off !== null ? t(off) : action === 'restart' || action === 'retry_dns' ? limit : null}
          kind={danger ? 'danger' : action === 'retry_dns' ? 'primary' : 'outlined'}
          aria-busy={isBusy && !danger ? true : undefined}
          icon={action === 'delete' ? Trash2 : undefined}
          onClick={() => (action === 'delete' || action === 'deactivate' ? onRemove(deployment) : run(action))}
        >
          {t(label)}
        </LockedButton>
      ))}
      {isOwner && allows(deployment, 'cancel') ? (
        <LockedButton
          reason={deployment.deletion_locked ? t('deployments.locked.deletion') : null}
          kind="danger"
          onClick={() => onRemove(deployment)}
        >
          {t('deployments.confirm.cancel')}
        </LockedButton>
      ) : null}
      {isOwner && isOver(deployment) ? (
        <Button busy={again.isBusy} onClick={() => again.run(deployment)}>
          {t('deployments.failure.again')}
        </Button>
      ) : null}
      <ButtonLink to={pageOf(deployment.id)}>{t('deployments.page.open')}</ButtonLink>
      <Button onClick={() => contactSupport(deployment.id)}>{t('deployments.drawer.contact_support')}</Button>
    </footer>
  );
}
