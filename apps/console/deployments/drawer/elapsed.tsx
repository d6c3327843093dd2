import { useServerNow } from '../../data/server-now';
import { duration } from '../../ui/dates';

const SECOND_MS = 1_000;

/** What a screen needs to count from the server's time: what it said and when that came here. */
export interface ServerTime {
  readonly said: string;
  readonly arrivedAt: number;
}

/** The seconds since an instant, ticking by themselves; outside every live region. */
export function Elapsed({ since, time }: { since: string; time: ServerTime }) {
  const now = useServerNow(time.said, time.arrivedAt, SECOND_MS);
  return <>{duration(now - Date.parse(since))}</>;
}

/** How far a step is within its usual time. */
export function Meter({
  since,
  usualMs,
  time,
  label,
}: {
  since: string;
  usualMs: number;
  time: ServerTime;
  label: string;
}) {
  const now = useServerNow(time.said, time.arrivedAt, SECOND_MS);
  const elapsed = Math.min(Math.max(0, now - Date.parse(since)), usualMs);
  return (
    <div
      className="meter"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.round(usualMs / SECOND_MS)}
      aria-valuenow={Math.round(elapsed / SECOND_MS)}
    >
      <i style={{ transform: `scaleX(${elapsed / usualMs})` }} />
    </div>
  );
}
