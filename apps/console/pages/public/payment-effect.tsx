import type { RunwayAnswer } from '@moorage/contracts';
import { useEffect, useState } from 'react';
import { loadRunwayWith } from '../../data/checkout-session';
import { usePublicText } from '../../texts/locale';
import { dayName, shortInstant } from '../../ui/dates';
import type { Arrival } from './use-arrival';

/** Effect of the payment on the runway, before and after. Shows nothing if it cannot be loaded. */
export function PaymentEffect({
  arrived,
  waiting,
  amount,
}: Pick<Arrival, 'arrived' | 'waiting'> & { amount: number | null }) {
  const t = usePublicText();
  const { now, then, isLoaded } = useRunways(amount, arrived);
  if (!isLoaded || (waiting && !arrived && then === null)) return <Awaited />;
  const shown = arrived ? now : then;
  if (now === null || shown === null) return null;
  if (shown.running === 0) return <p className="effect-line">{t('success.nothing_runs')}</p>;
  if (shown.ends_at === null) return <p className="effect-line">{t('success.no_end')}</p>;
  return (
    <div className="effect-line chart">
      <p className="small soft">{t(arrived ? 'success.now_until' : 'success.then_until')}</p>
      {arrived || now.ends_at === null || now.ends_at === shown.ends_at ? null : (
        <s className="small">{dayName(now.ends_at)}</s>
      )}{' '}
      <strong>{shortInstant(shown.ends_at)}</strong>
    </div>
  );
}

/** Reserves the height of the effect, so that the content below does not jump. */
function Awaited() {
  return (
    <div className="effect-line chart awaited" aria-hidden="true">
      <p className="small">{'\u00a0'}</p>
      <strong>{'\u00a0'}</strong>
    </div>
  );
}

interface Runways {
  readonly isLoaded: boolean;
  readonly now: RunwayAnswer | null;
  /** With the amount, while it has not arrived. */
  readonly then: RunwayAnswer | null;
}

function useRunways(amount: number | null, arrived: boolean): Runways {
  const [runways, setRunways] = useState<Runways>({ isLoaded: false, now: null, then: null });
  useEffect(() => {
    const gone = new AbortController();
    const then = arrived || amount === null ? null : loadRunwayWith(amount, gone.signal);
    void Promise.all([loadRunwayWith(null, gone.signal), then]).then(([plain, withIt]) => {
      if (!gone.signal.aborted) setRunways({ isLoaded: true, now: plain, then: withIt });
    });
    return () => gone.abort();
  }, [arrived, amount]);
  return runways;
}
