import { useSession } from '../data/session';
import { go } from '../navigation';
import { usePublicText } from '../texts/locale';
import { Link } from '../ui/link';
import { ThemeButton } from '../ui/theme-button';
import { Wordmark } from '../ui/wordmark';
import { AccountMenu } from './account-menu';

export function PublicHeader({ path }: { path: string }) {
  const t = usePublicText();
  const user = useSession()?.user;
  const signedIn = useSession() !== null;
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
          <Link className="btn quiet hide-s" href="/pricing">
            {t('nav.pricing')}
          </Link>
        )}
        <ThemeButton />
        {signedIn ? (
          <>
            <Link className="btn hide-s" href="/dashboard">
              {t('nav.dashboard')}
            </Link>
            <AccountMenu name={user?.username ?? ''} isAdmin={user?.is_admin === true} />
          </>
        ) : path === '/login' ? (
          <Link className="btn" href="/signup">
            {t('nav.signup')}
          </Link>
        ) : (
          <Link className="btn" href="/login">
            {t('nav.login')}
          </Link>
        )}
      </header>
    </>
  );
}
