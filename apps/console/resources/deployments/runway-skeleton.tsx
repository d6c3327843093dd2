import './runway-card.css';

const DAYS_SHOWN = 14;

/** Placeholder in the final shape of the runway's card. */
export function RunwaySkeleton({ className = '' }: { className?: string }) {
  return (
    <div className={`run ${className}`.trim()} aria-hidden="true">
      <div className="when">
        <small>
          <span className="skel" />
        </small>
        <strong>
          <span className="skel" />
        </strong>
        <span className="then">
          <span className="skel" />
        </span>
      </div>
      <div className="scale">
        <ol>
          {Array.from({ length: DAYS_SHOWN }, (_, day) => (
            <li key={day} className="u" />
          ))}
        </ol>
      </div>
      <div className="row cta">
        <span className="skel btnlike" />
      </div>
    </div>
  );
}
