import { Trash2 } from 'lucide-react';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { useOffersSupport } from '../../../parts/support/support-button';
import { contactSupport } from '../../../parts/support/support-desk';
import { useOffers, useRepairLimit } from '../actions';
import { LockedButton } from '../../../parts/locked-button';
import { CancelButton, CreateAgainButton, useMayCancel, useMayCreateAgain } from '../owner-buttons';
import { useRepairs } from '../repairs';
import { pageOf } from '../tabs';
import { ButtonLink } from '../../../ui/button-link';
import { Button } from '../../../ui/button';

/** Available actions, disabled with the reason while in flight, and a link to support. */
export function DrawerFooter({ deployment, onRemove }: { deployment: Deployment; onRemove: (d: Deployment) => void }) {
  const t = useText();
  const offers = useOffers(deployment);
  const offersSupport = useOffersSupport();
  const { run, isBusy, dialog } = useRepairs(deployment);
  const limit = useRepairLimit(deployment);
  const mayCancel = useMayCancel(deployment);
  const mayCreateAgain = useMayCreateAgain(deployment);
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
      {mayCancel ? <CancelButton deployment={deployment} onRemove={onRemove} /> : null}
      {mayCreateAgain ? <CreateAgainButton deployment={deployment} /> : null}
      <ButtonLink to={pageOf(deployment.id)}>{t('deployments.page.open')}</ButtonLink>
      {offersSupport ? (
        <Button onClick={() => contactSupport(deployment.id)}>{t('deployments.drawer.contact_support')}</Button>
      ) : null}
      {dialog}
    </footer>
  );
}
