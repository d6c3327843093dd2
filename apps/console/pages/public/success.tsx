import { CircleCheck, CircleSlash, CircleX, CreditCard, Hourglass, LoaderCircle, type LucideIcon } from 'lucide-react';
import { useAddress } from '../../data/navigation';
import { useSession } from '../../data/session';
import { usePublicText } from '../../texts/locale';
import { money } from '../../ui/money';
import { useTitle } from '../../ui/use-title';
import { CopyValue } from './copy-value';
import { Outcome } from './outcome';
import { PaymentEffect } from './payment-effect';
import { isSuccess, type PaymentState, paymentStateOf } from './payment-state';
import { PaymentWays } from './payment-ways';
import { type Arrival, useArrival } from './use-arrival';

const APPEARANCES: Readonly<Record<PaymentState, readonly [LucideIcon, 'good' | 'bad' | 'plain' | 'busy']>> = {
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
  const state = !signedIn ? 'signed_out' : sessionId === '' ? 'no_session' : paymentStateOf(arrival);
  const isForOrder = query.get('return_to') === 'order';
  return <Reported state={state} sessionId={sessionId} isForOrder={isForOrder} arrival={arrival} />;
}

function Reported({
  state,
  sessionId,
  isForOrder,
  arrival,
}: {
  state: PaymentState;
  sessionId: string;
  isForOrder: boolean;
  arrival: Arrival;
}) {
  const t = usePublicText();
  const { known, testMode } = arrival;
  const isGood = isSuccess(state);
  const title = useHeading(state, testMode);
  const [icon, tone] = APPEARANCES[state];
  const amount = isGood && typeof known !== 'string' ? known.amount_cents / 100 : null;
  useTitle(title);
  return (
    // A new key with each title, so that it takes the focus.
    <Outcome key={title} icon={icon} tone={tone} title={<Heading title={title} isTest={isGood && testMode} />}>
      {isGood && testMode ? <p className="hint">{t('success.test_note')}</p> : null}
      {isGood || state === 'asking' ? (
        <Balance {...arrival} />
      ) : (
        <p className="soft" role="status">
          {t(`success.${state}`)}
        </p>
      )}
      {sessionId === '' ? null : <PaymentFacts amount={amount} sessionId={sessionId} />}
      {isGood ? <PaymentEffect {...arrival} amount={amount} /> : null}
      <PaymentWays state={state} isForOrder={isForOrder} />
      {isGood ? <p className="hint">{t('success.note')}</p> : null}
    </Outcome>
  );
}

function useHeading(state: PaymentState, testMode: boolean): string {
  const t = usePublicText();
  switch (state) {
    case 'paid':
    case 'arriving':
      return t(testMode ? 'success.test_title' : 'success.title');
    case 'unknown':
    case 'open':
    case 'failed':
    case 'expired':
      return t(`success.${state}_title`);
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

/** Balance after the payment has arrived. */
function Balance({ arrived, user }: Pick<Arrival, 'arrived' | 'user'>) {
  const t = usePublicText();
  return (
    <p className="soft row" role="status">
      {arrived && user !== null ? (
        t('success.balance', { amount: money(user.balance, { rounding: 'balance' }) })
      ) : (
        <>
          <LoaderCircle size={16} className="spin" aria-hidden="true" />
          {t('success.updating')}
        </>
      )}
    </p>
  );
}

function PaymentFacts({ amount, sessionId }: { amount: number | null; sessionId: string }) {
  const t = usePublicText();
  return (
    <dl className="kv">
      {amount === null ? null : (
        <>
          <dt>{t('success.paid')}</dt>
          <dd>
            <b>{money(amount, { rounding: 'balance' })}</b>
          </dd>
        </>
      )}
      <dt>{t('success.session')}</dt>
      <dd>
        <CopyValue value={sessionId} what={t('success.session_id')} />
      </dd>
    </dl>
  );
}
