import { ChevronDown, Menu } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { logOut } from '../data/account';
import { go } from '../navigation';
import { usePublicText } from '../texts/locale';
import { Link } from '../ui/link';
import { usePrices } from './prices';

/** Where a person who is signed in can go from a public page; on a phone behind three lines. A list of links that opens. */
export function AccountMenu({ name, isAdmin }: { name: string; isAdmin: boolean }) {
  const t = usePublicText();
  const { prices } = usePrices();
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event): void => {
      if (!(event.target instanceof Node && box.current?.contains(event.target) === true)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
    };
  }, [open]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !open) return;
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <div className="account" ref={box} onKeyDown={onKeyDown}>
      <button
        type="button"
        ref={opener}
        className="me"
        aria-expanded={open}
        aria-label={t('nav.account', { name })}
        onClick={() => setOpen(!open)}
      >
        <span className="hide-s row">
          {name}
          <ChevronDown size={16} aria-hidden="true" />
        </span>
        <Menu size={20} className="only-p" aria-hidden="true" />
      </button>
      {open ? (
        <div className="account-list" onClick={() => setOpen(false)}>
          <p>
            <span className="break">{name}</span>
            {isAdmin ? <span className="tag sea">{t('nav.admin')}</span> : null}
          </p>
          <Link href="/dashboard">{t('nav.dashboard')}</Link>
          <Link href="/billing">{t('nav.billing')}</Link>
          {prices.referrals_enabled ? <Link href="/referrals">{t('nav.referrals')}</Link> : null}
          <Link href="/account">{t('nav.own_account')}</Link>
          <Link href="/support">{t('nav.support')}</Link>
          {isAdmin ? <Link href="/users">{t('nav.users')}</Link> : null}
          {isAdmin ? <Link href="/admin-referrals">{t('nav.admin_referrals')}</Link> : null}
          {isAdmin ? <Link href="/support-inbox">{t('nav.support_inbox')}</Link> : null}
          {isAdmin ? <Link href="/deployments">{t('nav.all_deployments')}</Link> : null}
          <Link className="only-p b" href="/pricing">
            {t('nav.pricing')}
          </Link>
          <button type="button" onClick={() => void logOut().then((isOut) => isOut && go('/login'))}>
            {t('nav.logout')}
          </button>
        </div>
      ) : null}
    </div>
  );
}
