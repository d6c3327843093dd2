import './body-skeleton.css';

const LINES = [220, 300, 260, 280, 180];

/** Placeholder shown if loading takes noticeably long. */
export function BodySkeleton() {
  return (
    <div className="late body-skel" aria-hidden="true">
      {LINES.map((width) => (
        <span key={width} className="skel" style={{ width }} />
      ))}
    </div>
  );
}
