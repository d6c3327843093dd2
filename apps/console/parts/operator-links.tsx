import { useOperatorLinks } from '../data/brand';
import { usePublicText } from '../texts/locale';

const ORDER = ['docs', 'forum', 'status', 'changelog', 'terms', 'privacy', 'imprint'] as const;
type OperatorPage = (typeof ORDER)[number];

/** Returns the pages of the operator that exist, in the order of the footer and the menu. */
export function useOperatorPages(among: readonly OperatorPage[] = ORDER) {
  const t = usePublicText();
  const links = useOperatorLinks();
  return among.flatMap((page) => {
    const href = links[page];
    return href === null ? [] : { page, href, label: t(`links.${page}`) };
  });
}

/** Forum and documentation, which support level 1 includes. Empty if the operator has neither. */
export function SelfHelpLinks() {
  const pages = useOperatorPages(['forum', 'docs']);
  return (
    <span className="row wrap">
      {pages.map(({ page, href, label }) => (
        <OperatorLink key={page} href={href}>
          {label}
        </OperatorLink>
      ))}
    </span>
  );
}

/** Link to a page outside the product, in a new tab. */
export function OperatorLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noopener">
      {children}
    </a>
  );
}
