const LINES = [220, 300, 260, 280, 180];

/** The shape of what is on its way; appears only when it takes a moment. */
export function BodySkeleton() {
  return (
    <div className="late body-skel" aria-hidden="true">
      {LINES.map((width) => (
        <span key={width} className="skel" style={{ width }} />
      ))}
    </div>
  );
}
