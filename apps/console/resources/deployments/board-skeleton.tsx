/** Shown until everything has loaded, because the steps and packages would move one another. */
export function BoardSkeleton() {
  return (
    <div className="card pad skeleton late" aria-hidden="true">
      {[280, 340, 220].map((width) => (
        <span key={width} className="skel" style={{ width, height: 16 }} />
      ))}
    </div>
  );
}
