const WIDTHS = [150, 168, 140, 180, 156, 148];

/** Rows shown until the first response. */
export function ListSkeleton() {
  return (
    <div className="list-skeleton late" aria-hidden="true">
      {WIDTHS.map((width) => (
        <div key={width} className="row">
          <span className="skel" style={{ width }} />
          <span className="skel grow" style={{ maxWidth: 220 }} />
          <span className="skel" style={{ width: 64 }} />
        </div>
      ))}
    </div>
  );
}
