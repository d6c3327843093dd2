import type { Backups, Copy } from '../../../data/backups';
import type { Deployment } from '../../../data/deployments';
import type { ConsoleTextKey } from '../../../texts/console-i18n';
import type { Rights } from './rights';

export interface RestoreProps {
  readonly id: number;
  readonly copy: Copy;
  /** Undefined if its entry is deleted. */
  readonly deployment: Deployment | undefined;
  readonly backups: Backups;
  readonly rights: Rights;
  readonly now: number;
  readonly onClose: () => void;
}

/** One of the two things that the dialog can do with a copy. */
export interface RestoreAct {
  readonly label: ConsoleTextKey;
  readonly busyLabel: ConsoleTextKey;
  readonly isBusy: boolean;
  /** Reason why it cannot be done now, or null. */
  readonly whyNot: string | null;
  readonly refusal: string | null;
  readonly run: () => void;
}
