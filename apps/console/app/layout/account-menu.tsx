import { ChevronDown, Menu as MenuIcon } from 'lucide-react';
import { lazy, type MouseEvent, Suspense, useState } from 'react';
import type { AdminCounts } from '../../data/platform';
import { useSession } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { Button, IconButton } from '../../ui/button';
import { useOnce } from '../../ui/use-once';

const AccountMenuItems = lazy(() => import('./account-menu-items'));

/**
 * Account menu. Opened by the username on wide screens, and by a menu icon on small screens, where it also lists the
 * destinations.
 */
export function AccountMenu({
  wide,
  counts,
  onSearch,
}: {
  wide: boolean;
  counts: AdminCounts | undefined;
  onSearch: () => void;
}) {
  const name = useSession()?.user?.username ?? '';
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const hasOpened = useOnce(anchor !== null);
  return (
    <>
      <Opener wide={wide} name={name} isOpen={anchor !== null} onOpen={setAnchor} />
      <Suspense>
        {hasOpened ? (
          <AccountMenuItems {...{ wide, anchor, counts, onSearch }} onClose={() => setAnchor(null)} />
        ) : null}
      </Suspense>
    </>
  );
}

function Opener({
  wide,
  name,
  isOpen,
  onOpen,
}: {
  wide: boolean;
  name: string;
  isOpen: boolean;
  onOpen: (anchor: HTMLElement) => void;
}) {
  const t = useText();
  const opens = {
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    onClick: (event: MouseEvent<HTMLElement>): void => onOpen(event.currentTarget),
  } as const;
  if (!wide) return <IconButton icon={MenuIcon} iconSize={20} label={t('layout.menu')} {...opens} />;
  return (
    <Button kind="quiet" className="me" {...opens}>
      <span className="ava" aria-hidden="true">
        {initials(name)}
      </span>
      {name}
      <span className="vh">, {t('layout.account_menu')}</span>
      <ChevronDown size={16} aria-hidden="true" />
    </Button>
  );
}

/** Returns two letters for the avatar: the initials of two words, otherwise the first two letters. */
function initials(name: string): string {
  const [first = '', second] = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return (second === undefined ? first.slice(0, 2) : first.charAt(0) + second.charAt(0)).toUpperCase();
}
