import { BACKUP_DAYS, getsLastBackup } from '@moorage/domain';
import { useBackups } from '../../../data/backups';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { shortInstant } from '../../../ui/dates';
import { hasCopies } from './copy-messages';

/** Shows what can still be restored after this deployment is removed. */
export function BackupsAfter({ deployment: { id, status, support_level: level } }: { deployment: Deployment }) {
  const t = useText();
  const { data: backups } = useBackups(id);
  if (backups === undefined) return null;
  const { mode } = backups;
  const until = backups.kept_until ?? backups.kept_until_if_deleted ?? null;
  const takesLast = getsLastBackup({ mode, level, status });
  if (!hasCopies(backups) && !takesLast)
    return t(mode === 'off' || BACKUP_DAYS[level] === 0 ? 'backups.removal.none' : 'backups.removal.no_copy');
  const way = takesLast ? 'last' : 'kept';
  const kept =
    until === null
      ? t(`backups.removal.${way}`, { days: BACKUP_DAYS[level] })
      : t(`backups.removal.${way}_until`, { date: shortInstant(until) });
  return mode === 'simulated' ? `${kept} ${t('backups.removal.simulated')}` : kept;
}
