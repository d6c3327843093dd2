import type { Copy } from '../../../data/backups';
import { useText } from '../../../texts/console-i18n';
import { LockedButton } from '../../../parts/locked-button';
import { Button } from '../../../ui/button';
import { copyName } from './copy-messages';
import type { Rights } from './rights';

export interface CopyActs {
  readonly rights: Rights;
  /** The deployment is gone, so a copy can only become a new deployment. */
  readonly isOver: boolean;
  readonly onRestore: (copy: Copy) => void;
  readonly onDownload: (copy: Copy) => void;
  readonly onBackUp: () => void;
  /** Reason why no backup can be requested now, or null. */
  readonly backUpRefused: string | null;
  readonly isBackingUp: boolean;
}

/** Buttons for a copy or a failed attempt. */
export function CopyActions({
  copy,
  now,
  isNewestFailed,
  rights,
  isOver,
  onRestore,
  onDownload,
  onBackUp,
  backUpRefused,
  isBackingUp,
}: CopyActs & { copy: Copy; now: number; isNewestFailed: boolean }) {
  const t = useText();
  const at = copyName(copy, now);
  if (copy.state === 'failed')
    return rights.isOwner && isNewestFailed && !isOver ? (
      <LockedButton
        size="small"
        reason={backUpRefused}
        aria-busy={isBackingUp ? true : undefined}
        aria-label={t('backups.copies.again_of', { kind: t(`backups.kinds.${copy.kind}`), at })}
        onClick={onBackUp}
      >
        {t('backups.again')}
      </LockedButton>
    ) : null;
  if (!copy.restorable) return null;
  if (isOver ? !rights.isOwner : !(rights.isOwner || rights.mayRestore)) return null;
  const restore = (
    <Button
      size="small"
      aria-haspopup="dialog"
      aria-label={t(isOver ? 'backups.copies.create_of' : 'backups.copies.restore_of', { at })}
      onClick={() => onRestore(copy)}
    >
      {t(isOver ? 'backups.copies.create' : 'backups.copies.restore')}
    </Button>
  );
  // Only the owner may see the contents of a backup.
  if (!rights.isOwner) return restore;
  return (
    <>
      {restore}
      <Button
        size="small"
        aria-haspopup="dialog"
        aria-label={t('backups.download.of', { at })}
        onClick={() => onDownload(copy)}
      >
        {t('backups.download.button')}
      </Button>
    </>
  );
}
