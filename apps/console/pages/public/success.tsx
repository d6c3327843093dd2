import type { PAYMENTS_CALLS, RunwayAnswer, User } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { CircleCheck, CircleSlash, CircleX, CreditCard, Hourglass, LoaderCircle, type LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import { loadUser } from '../../data/account';
import { api } from '../../data/api';
import { ApiError } from '../../data/errors';
import { againAddress } from '../../data/checkout';
import { currentSession, useSession } from '../../data/session';
import { useAddress } from '../../data/navigation';
import { usePublicText } from '../../texts/locale';
import { dayName, shortInstant } from '../../ui/dates';
import { Link } from '../../ui/link';
import { money } from '../../ui/money';
import { CopyValue } from './copy-value';
import { Outcome } from './outcome';
import { useTitle } from '../../ui/use-title';
import { buttonClass } from '../../ui/button';

/** Maximum number of checks for a payment that has not arrived. After that a note explains the delay. */
const TRIES = 6;
const REVIEW = '/create-deployment?step=review';

type Session = z.infer<typeof PAYMENTS_CALLS.checkoutSession.answer>;

/** `asking`: no response yet. `unsure`: the request failed. `unknown`: the account has no such checkout. */
type Known = Session | 'asking' | 'unsure' | 'unknown';

/** State to display. `paid`, and `arriving` while it may still be confirmed, both report the payment as successful. */
type Telling =
  'signed_out' | 'no_session' | 'asking' | 'unsure' | 'unknown' | 'arriving' | 'paid' | 'open' | 'failed' | 'expired';

const APPEARANCES: Readonly<Record<Telling, readonly [LucideIcon, 'good' | 'bad' | 'plain' | 'busy']>> = {
  signed_out: [CreditCard, 'plain'],
  no_session: [CreditCard, 'plain'],
  asking: [LoaderCircle, 'busy'],
  unsure: [CreditCard, 'plain'],
  unknown: [CircleSlash, 'plain'],
  arriving: [CircleCheck, 'good'],
  paid: [CircleCheck, 'good'],
  open: [Hourglass, 'plain'],
  failed: [CircleX, 'bad'],
  expired: [CircleSlash, 'plain'],
};

export default function Success() {
  const { query } = useAddress();
  const sessionId = query.get('session_id') ?? '';
  const signedIn = useSession() !== null;
  const arrival = useArrival(sessionId, query.get('test_mode') === 'true');
  const telling = !signedIn ? 'signed_out' : sessionId === '' ? 'no_session' : tellingOf(arrival);
  const isForOrder = query.get('return_to') === 'order';
  return <Reported telling={telling} sessionId={sessionId} isForOrder={isForOrder} {...arrival} />;
}

function tellingOf({ known, waiting }: Pick<Arrival, 'known' | 'waiting'>): Telling {
  if (typeof known === 'string') return known === 'unsure' && waiting ? 'asking' : known;
  switch (known.status) {
    case 'paid':
      return 'paid';
    case 'open':
      return waiting ? 'arriving' : 'open';
    case 'failed':
      return 'failed';
    case 'cancelled':
    case 'expired':
      return 'expired';
  }
}

interface ReportedProps extends Arrival {
  readonly telling: Telling;
  readonly sessionId: string;
  readonly isForOrder: boolean;
}

function Reported({ telling, sessionId, isForOrder, known, user, arrived, waiting, testMode }: ReportedProps) {
  const t = usePublicText();
  const isGood = telling === 'paid' || telling === 'arriving';
  const title = useHeading(telling, testMode);
  const [icon, tone] = APPEARANCES[telling];
  const amount = isGood && typeof known !== 'string' ? known.amount_cents / 100 : null;
  useTitle(title);
  return (
    // A new key with each title, so that it takes the focus.
    <Outcome key={title} icon={icon} tone={tone} title={<Heading title={title} isTest={isGood && testMode} />}>
      {isGood && testMode ? <p className="hint">{t('success.test_note')}</p> : null}
      {isGood || telling === 'asking' ? (
        <p className="soft row" role="status">
          {arrived && user !== null ? (
            t('success.balance', { amount: money(user.balance, { rounding: 'cut' }) })
          ) : (
            <>
              <LoaderCircle size={16} className="spin" aria-hidden="true" />
              {t('success.updating')}
            </>
          )}
        </p>
      ) : (
        <p className="soft" role="status">
          {t(`success.${telling}`)}
        </p>
      )}
      {sessionId === '' ? null : (
        <dl className="kv">
          {amount === null ? null : (
            <>
              <dt>{t('success.paid')}</dt>
              <dd>
                <b>{money(amount, { rounding: 'cut' })}</b>
              </dd>
            </>
          )}
          <dt>{t('success.session')}</dt>
          <dd>
            <CopyValue value={sessionId} what={t('success.session_id')} />
          </dd>
        </dl>
      )}
      {isGood ? <Buys arrived={arrived} waiting={waiting} amount={amount} /> : null}
      <Ways telling={telling} isForOrder={isForOrder} />
      {isGood ? <p className="hint">{t('success.note')}</p> : null}
    </Outcome>
  );
}

function useHeading(telling: Telling, testMode: boolean): string {
  const t = usePublicText();
  switch (telling) {
    case 'paid':
    case 'arriving':
      return t(testMode ? 'success.test_title' : 'success.title');
    case 'unknown':
    case 'open':
    case 'failed':
    case 'expired':
      return t(`success.${telling}_title`);
    case 'signed_out':
    case 'no_session':
    case 'asking':
    case 'unsure':
      return t('success.checking_title');
  }
}

function Heading({ title, isTest }: { title: string; isTest: boolean }) {
  const t = usePublicText();
  return (
    <>
      {title} {isTest ? <span className="tag brass">{t('success.test_mode')}</span> : null}
    </>
  );
}

/** Next steps, of which only the most likely one is a filled button. */
function Ways({ telling, isForOrder }: { telling: Telling; isForOrder: boolean }) {
  const t = usePublicText();
  const leadsBack = isForOrder && (telling === 'paid' || telling === 'arriving' || telling === 'open');
  const tryAgain = telling === 'failed' || telling === 'expired';
  const first = leadsBack
    ? { href: REVIEW, label: t('success.to_order') }
    : tryAgain
      ? { href: againAddress(isForOrder), label: t('success.again') }
      : telling === 'signed_out'
        ? { href: '/login', label: t('success.log_in') }
        : null;
  return (
    <div className="row wrap acts">
      {first === null ? null : (
        <Link className={buttonClass({ kind: 'primary' })} href={first.href}>
          {first.label}
        </Link>
      )}
      <Link className={buttonClass({ kind: first === null ? 'primary' : 'outlined' })} href="/billing">
        {t('success.to_billing')}
      </Link>
      <Link className={buttonClass()} href="/dashboard">
        {t('success.to_dashboard')}
      </Link>
    </div>
  );
}

interface Arrival {
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
function useArrival(sessionId: string, isTestPayment: boolean): Arrival {
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
    void fetchSession(sessionId, gone.signal).then((answer) => {
      if (!gone.signal.aborted) setKnown(answer);
    });
    return () => gone.abort();
  }, [sessionId]);
  useEffect(() => {
    if (!waiting || sessionId === '' || currentSession() === null) return;
    const delay = isTestPayment ? CONSTANTS.paymentRefreshTestModeMs : CONSTANTS.paymentRefreshMs;
    const gone = new AbortController();
    const again = async (): Promise<void> => {
      const answer = isPaid ? null : await fetchSession(sessionId, gone.signal);
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

async function fetchSession(id: string, signal: AbortSignal): Promise<Known> {
  try {
    return await api('GET /stripe/checkout-sessions/{id}', { params: { id }, signal });
  } catch (error) {
    return error instanceof ApiError && error.code === 'NOT_FOUND' ? 'unknown' : 'unsure';
  }
}

/** Effect of the payment on the runway, before and after. Shows nothing if it cannot be loaded. */
function Buys({ arrived, waiting, amount }: { arrived: boolean; waiting: boolean; amount: number | null }) {
  const t = usePublicText();
  const [now, setNow] = useState<RunwayAnswer | null>(null);
  const [then, setThen] = useState<RunwayAnswer | null>(null);
  const [requested, setRequested] = useState(false);
  useEffect(() => {
    const gone = new AbortController();
    const request = (add_amount: number | null): Promise<RunwayAnswer | null> =>
      api('GET /billing/runway', { query: { add_amount }, signal: gone.signal }).catch(() => null);
    void Promise.all([request(null), arrived || amount === null ? null : request(amount)]).then(([plain, withIt]) => {
      if (gone.signal.aborted) return;
      setNow(plain);
      setThen(withIt);
      setRequested(true);
    });
    return () => gone.abort();
  }, [arrived, amount]);
  // Reserves its height, so that the content below does not jump.
  if (!requested || (waiting && !arrived && then === null))
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
