import type { ReactNode } from 'react';

const BANDS = <path d="M3 5h18M3 12h18M3 19h18" stroke="currentColor" strokeWidth="3" />;
const BANDS_CUT = <path d="M3 7h11M3 12h18M3 17h18" stroke="currentColor" strokeWidth="3" />;
const line = { fill: 'none', stroke: 'currentColor', strokeLinecap: 'round', strokeLinejoin: 'round' } as const;
const FRAME = <path d="M4 4h16v16H4z" strokeWidth="3" {...line} />;
const FRAME_OPEN = <path d="M13 4H4v16h16v-9" strokeWidth="3" {...line} />;
const FRAME_OPENER = <path d="M13 4H4v16h9M20 10.5v3.5" strokeWidth="3" {...line} />;
const PETER = <rect x="9" y="9" width="6" height="6" rx="1" fill="currentColor" />;
const PLUS = <path d="M18.5 1.5v6M15.5 4.5h6" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />;
const STAR = <path d="M18.5 15l1 2.5 2.5 1-2.5 1-1 2.5-1-2.5-2.5-1 2.5-1z" fill="currentColor" />;

/** The signal flags of the initials in one colour (C: bands, P: blue peter), a plus for +, a star for AI. Our own, no third party's logo. */
function drawing(name: string): ReactNode {
  const plus = name.includes('+');
  const ai = /ai$/i.test(name);
  if (name.toLowerCase().startsWith('coolify')) {
    return plus ? (
      <>
        {BANDS_CUT}
        {PLUS}
      </>
    ) : (
      BANDS
    );
  }
  return (
    <>
      {ai ? FRAME_OPENER : plus ? FRAME_OPEN : FRAME}
      {PETER}
      {plus ? PLUS : null}
      {ai ? STAR : null}
    </>
  );
}

export function PackageMark({ name, size = '' }: { name: string; size?: '' | 's' | 'xl' }) {
  return (
    <span className={`mark ${size}`} aria-hidden="true">
      <svg viewBox="0 0 24 24">{drawing(name)}</svg>
    </span>
  );
}
