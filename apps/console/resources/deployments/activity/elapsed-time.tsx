import { useServerNow } from '../../../data/server-now';
import { duration } from '../../../ui/dates';

const SECOND_MS = 1_000;

/** Server time of a response and its local arrival, for counting from the server's time. */
export interface ServerTime {
  readonly serverNow: string;
  readonly arrivedAt: number;
}

/** Seconds since an instant, updated every second. Must be outside live regions. */
export function Elapsed({ since, time }: { since: string; time: ServerTime }) {
  const now = useServerNow(time.serverNow, time.arrivedAt, SECOND_MS);
  return <>{duration(now - Date.parse(since))}</>;
}

/** Progress of a step within its usual duration. */
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
  const now = useServerNow(time.serverNow, time.arrivedAt, SECOND_MS);
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
