import type { Mark } from '@moorage/contracts';
import './package-mark.css';

/** Logo from the package's manifest, in the colour of the surrounding text. */
export function PackageMark({ mark, size = '' }: { mark: Mark; size?: '' | 's' | 'xl' }) {
  return (
    <span className={`mark ${size}`} aria-hidden="true">
      <svg viewBox="0 0 24 24">
        {mark.map((path) =>
          'fill' in path ? (
            <path key={path.d} d={path.d} fill="currentColor" />
          ) : (
            <path
              key={path.d}
              d={path.d}
              fill="none"
              stroke="currentColor"
              strokeWidth={path.stroke}
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          ),
        )}
      </svg>
    </span>
  );
}
