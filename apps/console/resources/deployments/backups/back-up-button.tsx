import { Archive } from 'lucide-react';
import { useText } from '../../../texts/console-i18n';
import { LockedButton } from '../../../parts/locked-button';

/** Button that requests a backup. */
export function BackUpButton({
  refused,
  isBusy,
  onBackUp,
}: {
  refused: string | null;
  /** A backup is being requested or taken. */
  isBusy: boolean;
  onBackUp: () => void;
}) {
  const t = useText();
  return (
    <LockedButton
      kind="primary"
      reason={refused}
      aria-busy={isBusy ? true : undefined}
      icon={Archive}
      onClick={onBackUp}
    >
      {t(isBusy ? 'backups.now.busy' : 'backups.now.button')}
    </LockedButton>
  );
}
