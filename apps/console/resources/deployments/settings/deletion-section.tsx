import { Trash2 } from 'lucide-react';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { LockedButton } from '../../../parts/locked-button';
import { useOffers } from '../actions';
import { BackupsAfter } from '../backups/backups-after';
import { CancelButton, useMayCancel } from '../owner-buttons';
import { usePage } from '../page/page-context';
import { Section } from '../section';
import { useUndoHours } from '../undo-hours';

/** Ends a deployment. Each action explains what prevents it. */
export function DeletionSection({ deployment }: { deployment: Deployment }) {
  const t = useText();
  const { onRemove } = usePage();
  const offers = useOffers(deployment).filter(({ danger }) => danger);
  const mayCancel = useMayCancel(deployment);
  const undoHours = useUndoHours(deployment);
  if (offers.length === 0 && !mayCancel) return null;
  return (
    <Section className="deletion-sec" title={t('deployments.page.deletion')}>
      <p className="small soft">
        {t('deployments.page.deletion_hint')}{' '}
        {undoHours > 0 ? `${t('deployments.confirm.lost_later', { smart_count: undoHours })} ` : ''}
        <BackupsAfter deployment={deployment} />
      </p>
      <div className="row wrap">
        {mayCancel ? (
          <CancelButton deployment={deployment} onRemove={onRemove} />
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
