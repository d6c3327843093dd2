import { OperatorLink, useOperatorPages } from '../../parts/operator-links';
import { usePublicText } from '../../texts/locale';
import { useHydrated } from '../../ui/use-hydrated';

/** Sentence with links to the terms and the privacy policy, if the operator has them. */
export function Consent() {
  const t = usePublicText();
  const pages = useOperatorPages(['terms', 'privacy']);
  const isHydrated = useHydrated();
  const [only] = pages;
  if (only === undefined || !isHydrated) return null;
  const sentence =
    pages.length === 2
      ? t('signup.consent.both', { terms: '|terms|', privacy: '|privacy|' })
      : t(`signup.consent.${only.page as 'terms' | 'privacy'}`, { [only.page]: `|${only.page}|` });
  return (
    <p className="small muted">
      {sentence.split('|').map((part) => {
        const link = pages.find(({ page }) => page === part);
        return link === undefined ? (
          part
        ) : (
          <OperatorLink key={part} href={link.href}>
            {link.label}
          </OperatorLink>
        );
      })}
    </p>
  );
}
