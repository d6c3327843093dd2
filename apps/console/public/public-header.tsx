import { useSession } from '../data/session';
import { usePublicText } from '../texts/locale';
import { Link } from '../ui/link';
import { ThemeButton } from '../ui/theme-button';
import { Wordmark } from '../ui/wordmark';

export function PublicHeader({ path }: { path: string }) {
  const t = usePublicText();
  const signedIn = useSession() !== null;
  return (
    <>
      <a className="skip" href="#content">
        {t('brand.skip')}
      </a>
      <header className="bar">
        <Wordmark />
        <span className="grow" />
        {path === '/pricing' ? null : (
          <Link className="btn quiet hide-s" href="/pricing">
            {t('nav.pricing')}
          </Link>
        )}
        <ThemeButton />
        {signedIn ? (
          <Link className="btn" href="/dashboard">
            {t('nav.dashboard')}
          </Link>
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
