/** Security updates of a server that wait for a reboot. */
export interface RebootNeed {
  /** Null if the server does not report it. */
  readonly since: string | null;
  /** Names of packages that want the reboot, at most ten. */
  readonly packages: readonly string[];
}

/**
 * Decides about a reboot that its owner has planned for the window. A plan without a purpose is dropped. An update that
 * is due, a backup or another run comes first.
 */
export function decideReboot({
  isNeeded,
  isOver,
  isWindowOpen,
  isUpdateDue,
  isBackupOpen,
  isAllowed,
}: {
  readonly isNeeded: boolean;
  /** The deployment has ended. */
  readonly isOver: boolean;
  readonly isWindowOpen: boolean;
  readonly isUpdateDue: boolean;
  readonly isBackupOpen: boolean;
  /** The status of the deployment allows a reboot. */
  readonly isAllowed: boolean;
}): 'drop' | 'wait' | 'begin' {
  if (isOver || !isNeeded) return 'drop';
  return isWindowOpen && !isUpdateDue && !isBackupOpen && isAllowed ? 'begin' : 'wait';
}
