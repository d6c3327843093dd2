import type { ConsoleSettings } from '@moorage/contracts';
import type { BackupMode } from '@moorage/domain';
import { useArrivedSettings } from '../data/brand';

/** Backup mode of each provider and of customers' own servers. */
export interface OfferedBackups {
  readonly new: Readonly<Record<string, BackupMode>>;
  readonly own: BackupMode;
}

/** Returns the backup modes, or null until they have loaded. Nothing is promised until then. */
export function useOfferedBackups(): OfferedBackups | null {
  const settings: (ConsoleSettings & { readonly backups?: OfferedBackups }) | null = useArrivedSettings();
  return settings?.backups ?? null;
}

/** Returns all modes used here, for statements about the whole installation. */
export const modesOf = ({ new: providers, own }: OfferedBackups): ReadonlySet<BackupMode> =>
  new Set([...Object.values(providers), own]);
