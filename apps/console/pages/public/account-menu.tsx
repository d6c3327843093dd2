import type { User } from '@moorage/contracts';
import { ChevronDown, Menu } from 'lucide-react';
import { logOut } from '../../data/account';
import { useSession } from '../../data/session';
import { go } from '../../data/navigation';
import { usePublicText } from '../../texts/locale';
import { AppearanceChoices } from '../../parts/appearance-menu';
import { Link } from '../../ui/link';
import { usePopup } from '../../ui/popup';
import { contactSupportFrom, useOffersSupport } from '../../parts/support/support-button';
import { usePublicPrices } from '../../data/public-prices';

/** Menu with links from a public page. On phones it is behind an icon and also shown to visitors. */
export function AccountMenu() {
  const t = usePublicText();
  const session = useSession();
  const { open, setOpen, box, opener, onKeyDown } = usePopup();
  const offersSupport = useOffersSupport();
  const name = session?.user?.username ?? '';
  return (
    <div className={session === null ? 'pop only-p b' : 'pop'} ref={box} onKeyDown={onKeyDown}>
      <button
        type="button"
        ref={opener}
        className="me"
        aria-expanded={open}
        aria-label={session === null ? t('nav.menu') : t('nav.account', { name })}
        onClick={() => setOpen(!open)}
      >
        {session === null ? null : (
          <span className="hide-s row">
            {name}
            <ChevronDown size={16} aria-hidden="true" />
          </span>
        )}
        <Menu size={20} className="only-p" aria-hidden="true" />
      </button>
      {open ? (
        <div className="pop-list" onClick={() => setOpen(false)}>
          {session === null ? <VisitorLinks /> : <UserLinks user={session.user} />}
          {offersSupport ? (
            <button
              type="button"
              className="only-p b"
              aria-haspopup="dialog"
              onClick={() => contactSupportFrom(opener.current)}
            >
              {t('support.title')}
            </button>
          ) : null}
          <div className="only-p b">
            <AppearanceChoices />
          </div>
          {session === null ? null : (
            <button type="button" onClick={() => void logOut().then((isOut) => isOut && go('/login'))}>
              {t('nav.logout')}
            </button>
          )}
        </div>
      ) : null}
    </div>
  );
}

function VisitorLinks() {
  const t = usePublicText();
  return (
    <>
      <Link href="/dashboard">{t('nav.dashboard')}</Link>
      <Link href="/pricing">{t('nav.pricing')}</Link>
      <Link href="/login">{t('nav.login')}</Link>
      <Link href="/signup">{t('nav.signup')}</Link>
    </>
  );
}

function UserLinks({ user }: { user: User | null }) {
  const t = usePublicText();
  const { prices } = usePublicPrices();
  const isAdmin = user?.is_admin === true;
  return (
    <>
      <p className="who">
        <span className="break">
          {user?.username}
          <small>{user?.email}</small>
        </span>
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
      {isAdmin ? <Link href="/admin-deployments">{t('nav.all_deployments')}</Link> : null}
      {isAdmin ? <Link href="/payments">{t('nav.payments')}</Link> : null}
      <Link className="only-p b" href="/pricing">
        {t('nav.pricing')}
      </Link>
    </>
  );
}
