/** Depth contours and soundings behind the first screen. The lines are a separate file used by the style sheet. */
export function DepthLayers() {
  return (
    <div className="depth" aria-hidden="true">
      <i className="lines" />
      <svg viewBox="0 0 1440 760" preserveAspectRatio="xMaxYMin slice">
        {SOUNDINGS.map(([x, y, depth]) => (
          <text key={depth} x={x} y={y}>
            {depth}
          </text>
        ))}
      </svg>
    </div>
  );
}

const SOUNDINGS = [
  [1010, 300, 9],
  [1180, 70, 5],
  [1300, 420, 7],
  [1120, 560, 8],
  [1390, 210, 6],
  [980, 690, 11],
  [745, 64, 17],
  [690, 470, 14],
] as const;
