import './balance-legend.css';

export type Bucket = 'regular' | 'referral' | 'signup';

/** Legend of the three buckets, which differ by pattern as well as colour: filled, hatched, dashed outline. */
export function BalanceLegend({ bucket }: { bucket: Bucket }) {
  return (
    <svg className="key" viewBox="0 0 12 12" aria-hidden="true">
      {bucket === 'regular' ? <rect width="12" height="12" rx="3" className="reg" /> : null}
      {bucket === 'referral' ? (
        <>
          <rect width="12" height="12" className="hb" />
          <path className="hx" d="M0 12L12 0M-3 9L9-3M3 15L15 3" />
        </>
      ) : null}
      {bucket === 'signup' ? <rect x="0.75" y="0.75" width="10.5" height="10.5" rx="2.5" className="sig" /> : null}
    </svg>
  );
}

/** Stripe pattern for elements filled with `url(#id)`. */
export function Hatch({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect className="hb" width="6" height="6" />
        <path className="hx" d="M0 0V6" />
      </pattern>
    </defs>
  );
}
