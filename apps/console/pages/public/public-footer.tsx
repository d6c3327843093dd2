import { useSession } from '../../data/session';
import { usePublicText } from '../../texts/locale';
import { useBrand } from '../../data/brand';
import { Link } from '../../ui/link';
import { Mark } from '../../parts/wordmark';
import { OperatorLink, useOperatorPages } from '../../parts/operator-links';
import { LanguageButtons } from '../../parts/language-buttons';

export function PublicFooter() {
  const t = usePublicText();
  const { name } = useBrand();
  const pages = useOperatorPages();
  const signedIn = useSession() !== null;
  return (
    <footer className="foot">
      <div className="wrapx">
        <span className="row name">
          <Mark size={18} />
          {name}
        </span>
        <nav aria-label={t('nav.footer')}>
          <Link href="/">{t('nav.home')}</Link>
          <Link href="/pricing">{t('nav.pricing')}</Link>
          {signedIn ? (
            <Link href="/dashboard">{t('nav.dashboard')}</Link>
          ) : (
            <>
              <Link href="/login">{t('nav.login')}</Link>
              <Link href="/signup">{t('nav.signup')}</Link>
            </>
          )}
          {pages.map(({ page, href, label }) => (
            <OperatorLink key={page} href={href}>
              {label}
            </OperatorLink>
          ))}
        </nav>
        <span className="row" role="group" aria-label={t('language')}>
          <LanguageButtons />
        </span>
        <span>{t('footer.amounts')}</span>
      </div>
    </footer>
  );
}
