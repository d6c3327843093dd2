import { CONSTANTS } from '@moorage/domain';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useText } from '../../texts/console-i18n';
import './pager.css';

/** Pagination links: at most five page numbers, plus previous and next. */
export function PageLinks({
  page,
  total,
  addressOf,
  previous = page > 1 ? addressOf(page - 1) : null,
  next = page < total ? addressOf(page + 1) : null,
}: {
  /** Greater than `total` beyond the numbered pages. */
  page: number;
  total: number;
  addressOf: (page: number) => string;
  /** Targets that differ from the neighbouring numbers, or null for none. */
  previous?: string | null;
  next?: string | null;
}) {
  const t = useText();
  return (
    <nav className="pages" aria-label={t('layout.pages')}>
      <Step to={previous} label={t('layout.previous_page')}>
        <ChevronLeft size={16} aria-hidden="true" />
      </Step>
      {pageWindow(page, total).map((number) => (
        <Link
          key={number}
          to={addressOf(number)}
          aria-label={t('layout.page', { page: number })}
          aria-current={number === page ? 'page' : undefined}
        >
          {number}
        </Link>
      ))}
      <Step to={next} label={t('layout.next_page')}>
        <ChevronRight size={16} aria-hidden="true" />
      </Step>
    </nav>
  );
}

function Step({ to, label, children }: { to: string | null; label: string; children: React.ReactNode }) {
  return to === null ? (
    <span className="off" aria-hidden="true">
      {children}
    </span>
  ) : (
    <Link to={to} aria-label={label}>
      {children}
    </Link>
  );
}

/** Returns up to five page numbers around a page. */
function pageWindow(page: number, total: number): number[] {
  const shown = Math.min(CONSTANTS.pageNumbersShown, total);
  const first = Math.max(1, Math.min(page - Math.floor(shown / 2), total - shown + 1));
  return Array.from({ length: shown }, (_, index) => first + index);
}
