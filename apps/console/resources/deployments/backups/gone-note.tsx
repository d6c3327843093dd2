import { Archive } from 'lucide-react';
import { useState } from 'react';
import type { Backups } from '../../../data/backups';
import type { Deployment } from '../../../data/deployments';
import { isOver } from '../../../parts/deployment/deployment-messages';
import { useText } from '../../../texts/console-i18n';
import { Button } from '../../../ui/button';
import { shortInstant } from '../../../ui/dates';
import { newestComplete } from './copy-messages';
import { RestoreDialog } from './restore-dialog';
import { useRights } from './rights';
import { useNow } from '../../../data/use-now';

/** States until when the last backup of a removed deployment is kept, and offers to restore it. */
export function GoneNote({ deployment, backups }: { deployment: Deployment; backups: Backups }) {
  const t = useText();
  const now = useNow();
  const rights = useRights(deployment);
  const [isOpen, setOpen] = useState(false);
  const copy = newestComplete(backups.copies);
  const { kept_until: until } = backups;
  if (!isOver(deployment) || copy === undefined || until === null) return null;
  const { ended } = deployment;
  return (
    <div className="note" role="status">
      <Archive size={16} aria-hidden="true" />
      <div>
        {ended === null ? null : (
          <p>
            <b>
              {t(`undelete.${ended.reason === 'deleted' ? 'deleted' : 'ended'}`, { date: shortInstant(ended.at, now) })}
            </b>
          </p>
        )}
        <p className="soft">{t('undelete.backup', { date: shortInstant(until, now) })}</p>
        {rights.isOwner && copy.restorable ? (
          <Button kind="primary" size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            {t('undelete.restore')}
          </Button>
        ) : null}
      </div>
      {isOpen ? (
        <RestoreDialog
          {...{ id: deployment.id, deployment, backups, rights, now, copy }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </div>
  );
}
