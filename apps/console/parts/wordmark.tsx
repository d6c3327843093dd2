import { usePublicText } from '../texts/locale';
import { useBrand } from '../data/brand';
import './wordmark.css';

/** Logo: two posts and a slack line between them. */
export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.6"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M4 4.2V20M20 4.2V20" />
      <path d="M4 5.2c1.6 7.6 4.6 10.6 8 10.6s6.4-3 8-10.6" />
    </svg>
  );
}

/** Logo, name and beta tag, shown in every header. */
export function Wordmark({ onGo }: { onGo?: (event: React.MouseEvent<HTMLAnchorElement>) => void }) {
  const t = usePublicText();
  const { name } = useBrand();
  return (
    <>
      <a className="brand" href="/" onClick={onGo}>
        <Mark />
        <span>{name}</span>
      </a>
      <span className="tag">{t('brand.beta')}</span>
    </>
  );
}
