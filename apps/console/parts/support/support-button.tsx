import { CircleHelp } from 'lucide-react';
import { useCanChange, useSession } from '../../data/session';
import { usePublicText } from '../../texts/locale';
import { IconButton } from '../../ui/button';
import { openDeployment } from './open-deployment';
import { closeSupport, contactSupport, useSupportDesk } from './support-desk';

/**
 * Returns whether support can be contacted. Administrators answer these messages themselves, and write none for a user
 * whom they view.
 */
export function useOffersSupport(): boolean {
  const isAdmin = useSession()?.user?.is_admin === true;
  return useCanChange() && !isAdmin;
}

/** Opens the support panel from a menu, which `opener` opened and to which the focus returns. */
export const contactSupportFrom = (opener: Element | null): void => contactSupport(openDeployment(), opener);

/** Button in the app bar that opens and closes the support panel. */
export function SupportButton({ className = '' }: { className?: string }) {
  const t = usePublicText();
  const isOpen = useSupportDesk(({ open }) => open);
  if (!useOffersSupport()) return null;
  return (
    <IconButton
      icon={CircleHelp}
      iconSize={18}
      className={`contact ${className}`.trim()}
      label={t('support.button')}
      title={t('support.button')}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={() => (isOpen ? closeSupport() : contactSupportFrom(document.activeElement))}
    />
  );
}
