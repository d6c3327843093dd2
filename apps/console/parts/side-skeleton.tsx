import { PageLines } from '../ui/page-skeleton';
import { Wordmark } from './wordmark';
import './bar.css';

/**
 * Bar and page without content, for the time until the logged-in side has loaded. The HTML of its addresses contains the
 * same for the time until this script has loaded.
 */
export function SideSkeleton() {
  return (
    <>
      <div className="bar">
        <Wordmark />
      </div>
      <PageLines />
    </>
  );
}
