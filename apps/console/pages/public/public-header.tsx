import { LayoutDashboard } from 'lucide-react';
import { useSession } from '../../data/session';
import { go } from '../../data/navigation';
import { usePublicText } from '../../texts/locale';
import { AppearanceMenu } from '../../parts/appearance-menu';
import { Link } from '../../ui/link';
import { Wordmark } from '../../parts/wordmark';
import { SupportButton } from '../../parts/support/support-button';
import { AccountMenu } from './account-menu';
import { buttonClass } from '../../ui/button';
import '../../parts/bar.css';

export function PublicHeader({ path }: { path: string }) {
  const t = usePublicText();
  const session = useSession();
  const signedIn = session !== null;
  return (
    <>
      <a
        className="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('content')?.focus();
        }}
      >
        {t('brand.skip')}
      </a>
      <header className="bar">
        <Wordmark
          onGo={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            go('/');
          }}
        />
        <span className="grow" />
        {path === '/pricing' ? null : (
          <Link className={buttonClass({ kind: 'quiet' }, 'hide-s')} href="/pricing">
            {t('nav.pricing')}
          </Link>
        )}
        <SupportButton className="hide-s" />
        <AppearanceMenu className="hide-s" />
        <Link
          className={signedIn ? buttonClass() : buttonClass({ kind: 'quiet' }, 'hide-s')}
          href="/dashboard"
          aria-label={t('nav.dashboard')}
        >
          <LayoutDashboard size={16} className="only-p" aria-hidden="true" />
          <span className="hide-s">{t('nav.dashboard')}</span>
        </Link>
        {session?.user?.is_admin === true ? <span className="tag sea hide-s">{t('nav.admin')}</span> : null}
        {signedIn ? null : path === '/login' ? (
          <Link className={buttonClass()} href="/signup">
            {t('nav.signup')}
          </Link>
        ) : (
          <Link className={buttonClass()} href="/login">
            {t('nav.login')}
          </Link>
        )}
        <AccountMenu />
      </header>
    </>
  );
}
