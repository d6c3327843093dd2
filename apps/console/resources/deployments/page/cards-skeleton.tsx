const LINES = [320, 280, 300, 260];

/** Placeholder for the cards of a tab if loading takes noticeably long. */
export function CardsSkeleton() {
  return (
    <div className="deployment-cols late" aria-hidden="true">
      <div>
        <div className="card pad skeleton tall">
          {LINES.map((width) => (
            <span key={width} className="skel" style={{ width }} />
          ))}
        </div>
      </div>
      <aside>
        <div className="card pad skeleton tall">
          <span className="skel" style={{ width: 200 }} />
        </div>
      </aside>
    </div>
  );
}
