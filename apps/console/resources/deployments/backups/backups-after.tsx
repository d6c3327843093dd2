import { BACKUP_DAYS } from '@moorage/domain';
import { useBackups } from '../../../data/backups';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { shortInstant } from '../../../ui/dates';
import { hasCopies } from './copy-messages';

/** Shows what can still be restored after this deployment is removed. */
export function BackupsAfter({ deployment: { id, support_level: level } }: { deployment: Deployment }) {
  const t = useText();
  const { data: backups } = useBackups(id);
  if (backups === undefined) return null;
  const { mode } = backups;
  const until = backups.kept_until ?? backups.kept_until_if_deleted ?? null;
  if (!hasCopies(backups))
    return t(mode === 'off' || BACKUP_DAYS[level] === 0 ? 'backups.removal.none' : 'backups.removal.no_copy');
  const kept =
    until === null
      ? t('backups.removal.kept', { days: BACKUP_DAYS[level] })
      : t('backups.removal.kept_until', { date: shortInstant(until) });
  return mode === 'simulated' ? `${kept} ${t('backups.removal.simulated')}` : kept;
}
