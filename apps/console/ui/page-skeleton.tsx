import { usePublicText } from '../texts/locale';
import './page-skeleton.css';

/** Placeholder of a page while its files load. */
export function PageSkeleton() {
  const t = usePublicText();
  return (
    <>
      <span className="vh" role="status">
        {t('waiting')}
      </span>
      <PageLines />
    </>
  );
}

/** The lines of the placeholder, without a text. */
export function PageLines() {
  return (
    <div className="page-skeleton" aria-hidden="true">
      <span className="skel" />
      <span className="skel" />
      <span className="skel" />
    </div>
  );
}
