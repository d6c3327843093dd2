import type { AdminCounts } from '../../data/platform';
import { type ConsoleTextKey, useText } from '../../texts/console-i18n';
import type { Params } from '@moorage/texts';

interface Shown {
  readonly count: number;
  readonly key: ConsoleTextKey;
  /** It is late or urgent. */
  readonly isUrgent?: boolean;
  readonly params?: Params;
}

/** Numbers beside the administrators' places, by address. */
const COUNTS: Readonly<Record<string, (counts: AdminCounts) => Shown>> = {
  '/admin': ({ urgent }) => ({ count: urgent, key: 'layout.counts.urgent', isUrgent: true }),
  '/admin-deployments': ({ failed_deployments: count }) => ({ count, key: 'layout.counts.failed', isUrgent: true }),
  '/payments': ({ payment_differences: count }) => ({ count, key: 'layout.counts.differing' }),
  '/support-inbox': ({ conversations: { open, overdue } }) =>
    overdue === 0
      ? { count: open, key: 'layout.counts.waiting' }
      : { count: open, key: 'layout.counts.waiting_overdue', isUrgent: true, params: { overdue } },
  '/admin-referrals': ({ reviews: count }) => ({ count, key: 'layout.counts.waiting' }),
  '/admin-incidents': ({ incidents: count }) => ({ count, key: 'layout.counts.open', isUrgent: true }),
};

/** Number of what waits at an administrators' place. With `isShort` its meaning is for screen readers only. */
export function PlaceCount({
  of: to,
  counts,
  isShort = false,
}: {
  of: string;
  counts: AdminCounts | undefined;
  isShort?: boolean;
}) {
  const t = useText();
  const shown = counts === undefined ? undefined : COUNTS[to]?.(counts);
  if (shown === undefined || shown.count === 0) return null;
  const { count, key, isUrgent = false, params } = shown;
  const text = t(key, { smart_count: count, ...params });
  return (
    <span className={isUrgent ? 'tag port' : 'tag brass'}>
      {isShort ? (
        <>
          <span aria-hidden="true">{count}</span>
          <span className="vh">{text}</span>
        </>
      ) : (
        text
      )}
    </span>
  );
}
