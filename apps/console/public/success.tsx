import type { RunwayAnswer, User } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { CircleCheck, LoaderCircle } from 'lucide-react';
import { useEffect, useState } from 'react';
import { loadUser } from '../data/account';
import { api } from '../data/api';
import { rememberedCheckout } from '../data/checkout';
import { currentSession, useSession } from '../data/session';
import { useAddress } from '../navigation';
import { usePublicText } from '../texts/locale';
import { dayName, shortInstant } from '../ui/dates';
import { Link } from '../ui/link';
import { money } from '../ui/money';
import { CopyValue } from './copy-value';
import { Outcome } from './outcome';
import { useTitle } from '../ui/use-title';

/** Looks this often for a payment that has not arrived, then leaves it to the note. */
const TRIES = 6;

export default function Success() {
  const t = usePublicText();
  const { query } = useAddress();
  const sessionId = query.get('session_id') ?? '';
  const testMode = query.get('test_mode') === 'true';
  const signedIn = useSession() !== null;
  const checkout = rememberedCheckout(sessionId);
  const { user, arrived, waiting } = useArrival(testMode, checkout);
  const title = t(testMode ? 'success.test_title' : 'success.title');
  useTitle(title);
  return (
    <Outcome
      icon={CircleCheck}
      title={
        <>
          {title} {testMode ? <span className="tag brass">{t('success.test_mode')}</span> : null}
        </>
      }
    >
      {testMode ? <p className="hint">{t('success.test_note')}</p> : null}
      {signedIn ? (
        <p className="soft row" role="status">
          {waiting ? (
            <>
              <LoaderCircle size={16} className="spin" aria-hidden="true" />
              {t('success.updating')}
            </>
          ) : arrived && user !== null ? (
            t('success.balance', { amount: money(user.balance, { rounding: 'cut' }) })
          ) : (
            t('success.balance_later')
          )}
        </p>
      ) : null}
      {checkout === null && sessionId === '' ? null : (
        <dl className="kv">
          {checkout === null ? null : (
            <>
              <dt>{t('success.paid')}</dt>
              <dd>
                <b>{money(checkout.amount, { rounding: 'cut' })}</b>
              </dd>
            </>
          )}
          {sessionId === '' ? null : (
            <>
              <dt>{t('success.session')}</dt>
              <dd>
                <CopyValue value={sessionId} what={t('success.session_id')} />
              </dd>
            </>
          )}
        </dl>
      )}
      {signedIn ? <Buys arrived={arrived} waiting={waiting} amount={checkout?.amount ?? null} /> : null}
      <div className="row wrap acts">
        <Link className="btn primary" href="/billing">
          {t('success.to_billing')}
        </Link>
        <Link className="btn" href="/dashboard">
          {t('success.to_dashboard')}
        </Link>
      </div>
      <p className="hint">{t('success.note')}</p>
    </Outcome>
  );
}

/**
 * Refreshes the user record after the specification's delay, and goes on looking while a payment that is known to be
 * under way has not changed the balance: the webhook moves it, not this page. A failed look is only followed by the next.
 */
function useArrival(
  testMode: boolean,
  checkout: { balanceBefore: number } | null,
): { user: User | null; arrived: boolean; waiting: boolean } {
  const [before] = useState(() => checkout?.balanceBefore ?? null);
  const [look, setLook] = useState(0);
  const [user, setUser] = useState<User | null>(null);
  const arrived = user !== null && (before === null || user.balance > before);
  const waiting = !arrived && look < TRIES;
  useEffect(() => {
    if (!waiting || currentSession() === null) return;
    const delay = testMode ? CONSTANTS.paymentRefreshTestModeMs : CONSTANTS.paymentRefreshMs;
    let gone = false;
    const timer = setTimeout(
      () => {
        loadUser()
          .then((fresh) => {
            if (!gone) setUser(fresh);
          })
          .catch(() => undefined)
          .finally(() => {
            if (!gone) setLook((done) => done + 1);
          });
      },
      // the first as specified, the later ones with more and more patience
      delay * (look + 1),
    );
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [look, waiting, testMode]);
  return { user, arrived, waiting };
}

/** What the money buys: until when everything runs, before and with it. Says nothing where it cannot be asked. */
function Buys({ arrived, waiting, amount }: { arrived: boolean; waiting: boolean; amount: number | null }) {
  const t = usePublicText();
  const [now, setNow] = useState<RunwayAnswer | null>(null);
  const [then, setThen] = useState<RunwayAnswer | null>(null);
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    const gone = new AbortController();
    const ask = (add_amount: number | null): Promise<RunwayAnswer | null> =>
      api('GET /billing/runway', { query: { add_amount }, signal: gone.signal }).catch(() => null);
    void Promise.all([ask(null), arrived || amount === null ? null : ask(amount)]).then(([plain, withIt]) => {
      if (gone.signal.aborted) return;
      setNow(plain);
      setThen(withIt);
      setAsked(true);
    });
    return () => gone.abort();
  }, [arrived, amount]);
  // keeps its place, so that what stands below does not jump
  if (!asked || (waiting && !arrived && then === null))
    return (
      <div className="effect-line chart awaited" aria-hidden="true">
        <p className="small">{'\u00a0'}</p>
        <strong>{'\u00a0'}</strong>
      </div>
    );
  if (now === null || (!arrived && then === null)) return null;
  const shown = arrived ? now : then;
  if (shown === null) return null;
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
