import { PageLines } from '../ui/page-skeleton';
import { Mark } from './wordmark';
import './bar.css';

/**
 * Bar and page without content, for the time until the logged-in side has loaded. `index.html` contains the same
 * elements for the time until this script has loaded; a spec compares them.
 */
export function SideSkeleton() {
  return (
    <>
      <div className="bar" aria-hidden="true">
        <span className="brand">
          <Mark />
        </span>
      </div>
      <PageLines />
    </>
  );
}
