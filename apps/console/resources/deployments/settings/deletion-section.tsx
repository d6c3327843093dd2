import { Trash2 } from 'lucide-react';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { allows } from '../../../parts/deployment/deployment-messages';
import { LockedButton } from '../../../parts/locked-button';
import { useActsAsOwner, useOffers } from '../actions';
import { BackupsAfter } from '../backups/backups-after';
import { usePage } from '../page/page-context';
import { Section } from '../section';

/** Ends a deployment. Each action explains what prevents it. */
export function DeletionSection({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const { onRemove } = usePage();
  const isOwner = useActsAsOwner(deployment);
  const offers = useOffers(deployment).filter(({ danger }) => danger);
  const mayCancel = isOwner && allows(deployment, 'cancel');
  if (offers.length === 0 && !mayCancel) return null;
  return (
    <Section className="deletion-sec" title={t('deployments.page.deletion')}>
      <p className="small soft">
        {t('deployments.page.deletion_hint')} <BackupsAfter deployment={deployment} />
      </p>
      <div className="row wrap">
        {mayCancel ? (
          <LockedButton
            kind="danger"
            reason={deployment.deletion_locked ? t('deployments.locked.deletion') : null}
            onClick={() => onRemove(deployment)}
          >
            {t('deployments.confirm.cancel')}
          </LockedButton>
        ) : (
          offers.map(({ action, label, off }) => (
            <LockedButton
              key={action}
              kind="danger"
              icon={action === 'delete' ? Trash2 : undefined}
              reason={off === null ? null : t(off)}
              onClick={() => onRemove(deployment)}
            >
              {t(label)}
            </LockedButton>
          ))
        )}
      </div>
    </Section>
  );
}
