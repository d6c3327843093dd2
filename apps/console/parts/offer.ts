import { BACKUP_DAYS, type BackupMode, type SupportLevel } from '@moorage/domain';
import type { Deployment } from '../data/deployments';
import { useText } from '../texts/console-i18n';
import { type OfferedBackups, useOfferedBackups } from './offered-backups';

/** Place of a server. An empty provider means that none is chosen yet. */
type ServerPlace = { readonly own: true } | { readonly provider: string };

export const placeOf = ({
  server_type: type,
  cloud_provider: cloud,
}: {
  readonly server_type: Deployment['server_type'] | null;
  readonly cloud_provider: string | null;
}): ServerPlace => (type === 'vps' ? { own: true } : { provider: cloud ?? '' });

function modeAt(offered: OfferedBackups | null, place: ServerPlace): BackupMode | null {
  if (offered === null) return null;
  return 'own' in place ? offered.own : (offered.new[place.provider] ?? null);
}

/** Returns the text about backups of a level at this place, or null for level 1 and while the mode is unknown. */
export function useOffer(level: SupportLevel, place: ServerPlace): string | null {
  const t = useText();
  const mode = modeAt(useOfferedBackups(), place);
  const days = BACKUP_DAYS[level];
  if (mode === null || days === 0) return null;
  return mode === 'off' ? t('backups.offer.off') : t(`backups.offer.${mode}`, { days });
}

/** Returns the features of a level, including its backups at this place. */
export function useWithOffer(place: ServerPlace): (has: string, level: SupportLevel) => string {
  const offers = { 1: useOffer(1, place), 2: useOffer(2, place), 3: useOffer(3, place) };
  return (has, level) => [has, offers[level]].filter((part) => part !== null).join(', ');
}
