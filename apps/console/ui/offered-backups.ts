import type { ConsoleSettings } from '@moorage/contracts';
import type { BackupMode } from '@moorage/domain';
import { useArrivedSettings } from './brand';

/** Returns the backup mode of each provider and of customers' own servers. */
export interface OfferedBackups {
  readonly new: Readonly<Record<string, BackupMode>>;
  readonly own: BackupMode;
}

/** null while it is not known: then nothing is promised. */
export function useOfferedBackups(): OfferedBackups | null {
  const settings: (ConsoleSettings & { readonly backups?: OfferedBackups }) | null = useArrivedSettings();
  return settings?.backups ?? null;
}

/** Every mode that there is here, for sentences about the whole installation. */
export const modesOf = ({ new: providers, own }: OfferedBackups): ReadonlySet<BackupMode> =>
  new Set([...Object.values(providers), own]);
