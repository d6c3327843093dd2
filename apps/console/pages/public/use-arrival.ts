import type { User } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { useEffect, useState } from 'react';
import { loadUser } from '../../data/account';
import { type CheckoutSession, loadCheckoutSession } from '../../data/checkout-session';
import { currentSession } from '../../data/session';

/** Maximum number of checks for a payment that has not arrived. After that a note explains the delay. */
const TRIES = 6;

/** `asking`: no response yet. `unsure`: the request failed. `unknown`: the account has no such checkout. */
type Known = CheckoutSession | 'asking' | 'unsure' | 'unknown';

export interface Arrival {
  readonly known: Known;
  readonly user: User | null;
  /** The payment is confirmed, and the user has been reloaded since. */
  readonly arrived: boolean;
  readonly waiting: boolean;
  readonly testMode: boolean;
}

/**
 * Loads the status of the checkout, reloads the user after the specified delay, and keeps checking until the payment is
 * confirmed. The balance changes with the webhook, not with this page. A failed check is simply repeated.
 */
export function useArrival(sessionId: string, isTestPayment: boolean): Arrival {
  const [known, setKnown] = useState<Known>('asking');
  const [attempt, setAttempt] = useState(0);
  const [user, setUser] = useState<User | null>(null);
  const testMode = typeof known === 'string' ? isTestPayment : known.test_mode;
  const isOpen = typeof known === 'string' ? known !== 'unknown' : known.status === 'open';
  const isPaid = typeof known !== 'string' && known.status === 'paid';
  const arrived = isPaid && user !== null;
  const waiting = !arrived && (isOpen || isPaid) && attempt < TRIES;
  useEffect(() => {
    if (sessionId === '' || currentSession() === null) return;
    const gone = new AbortController();
    void loadCheckoutSession(sessionId, gone.signal).then((answer) => {
      if (!gone.signal.aborted) setKnown(answer);
    });
    return () => gone.abort();
  }, [sessionId]);
  useEffect(() => {
    if (!waiting || sessionId === '' || currentSession() === null) return;
    const delay = isTestPayment ? CONSTANTS.paymentRefreshTestModeMs : CONSTANTS.paymentRefreshMs;
    const gone = new AbortController();
    const again = async (): Promise<void> => {
      const answer = isPaid ? null : await loadCheckoutSession(sessionId, gone.signal);
      // Reload the user after the confirmation, so that the balance includes the payment.
      const fresh = await loadUser().catch(() => null);
      if (gone.signal.aborted) return;
      if (answer !== null && answer !== 'unsure') setKnown(answer);
      else if (answer === 'unsure') setKnown((before) => (before === 'asking' ? 'unsure' : before));
      const isConfirmed = isPaid || (answer !== null && typeof answer !== 'string' && answer.status === 'paid');
      if (isConfirmed && fresh !== null) setUser(fresh);
      setAttempt((done) => done + 1);
    };
    // The first delay is as specified. Later delays grow.
    const timer = setTimeout(() => void again(), delay * (attempt + 1));
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [attempt, waiting, isTestPayment, isPaid, sessionId]);
  return { known, user, arrived, waiting, testMode };
}
