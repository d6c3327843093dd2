import { useText } from '../../texts/console-i18n';
import './table-skeleton.css';

const WIDTHS = [150, 170, 140, 160, 130];

/** Placeholder in the table's final shape until the first response. */
export function TableSkeleton() {
  const t = useText();
  return (
    <div className="late" role="status">
      <span className="vh">{t('deployments.loading')}</span>
      <div className="t-skel" aria-hidden="true">
        {WIDTHS.map((width) => (
          <div key={width}>
            <span className="skel" style={{ width }} />
            <span className="skel hide-s" style={{ width: 90 }} />
            <span className="skel hide-s" style={{ width: 110 }} />
            <span className="skel" style={{ width: 120 }} />
          </div>
        ))}
      </div>
    </div>
  );
}
