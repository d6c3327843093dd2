import type { Price, RunwayAnswer } from '@moorage/contracts';
import { useRunway } from '../../../data/billing';
import { addFundsAddress } from '../../../data/checkout';
import { SavingButton } from '../../../parts/money/saving-button';
import { useText } from '../../../texts/console-i18n';
import { Button } from '../../../ui/button';
import { ButtonLink } from '../../../ui/button-link';
import { clockTime, dayFrom, exactInstant } from '../../../ui/dates';
import { money } from '../../../ui/money';
import { forOrder, LowBalance } from './low-balance';
import { useDraftEffect } from '../use-draft-effect';

/** States how long the balance lasts now and with this order, or how much is missing. */
export function BalanceEffect({ pricing, review }: { pricing: Price | null; review: boolean }) {
  const now = useRunway().data;
  if (pricing !== null) return <OrderEffect pricing={pricing} review={review} now={now} />;
  return now === undefined ? <Waiting /> : <CurrentRunway runway={now} />;
}

/** Reserves the space of the text. */
const Waiting = () => <div className="effect waits" aria-hidden="true" />;

function CurrentRunway({ runway }: { runway: RunwayAnswer }) {
  const t = useText();
  if (runway.running === 0) {
    return (
      <div className="effect calm">
        <strong>{t('wizard.price.nothing_now')}</strong>
        <p className="small soft">{t('wizard.price.nothing_hint')}</p>
      </div>
    );
  }
  return (
    <div className={`effect ${runway.level}`}>
      <p className="small soft">{t('wizard.price.now')}</p>
      <Until at={runway.ends_at} now={runway.now} />
    </div>
  );
}

function OrderEffect({
  pricing,
  review,
  now,
}: {
  pricing: Price;
  review: boolean;
  /** Forecast without the order. */
  now: RunwayAnswer | undefined;
}) {
  const t = useText();
  const order = useDraftEffect(pricing.hourly_cost);
  const effect = order.data;
  if (effect === undefined) return order.error === null ? <Waiting /> : <Failed onRetry={() => void order.refetch()} />;
  if (effect.order_refusal !== null)
    return <LowBalance refusal={effect.order_refusal} hourly={pricing.hourly_cost} filled={review} />;
  const before = now === undefined || now.ends_at === effect.ends_at ? null : now.ends_at;
  return (
    <div className={`effect ${effect.level}`} role="status">
      <p className="small soft">{t('wizard.price.then')}</p>
      {now === undefined || before === null ? null : (
        <>
          <s className="from small">{dayFrom(now.now, before)}</s>{' '}
        </>
      )}
      <Until at={effect.ends_at} now={effect.now} />
      <p className="small soft today">
        <Today effect={effect} pricing={pricing} />
      </p>
      {review ? <MoreMoney effect={effect} hourly={pricing.hourly_cost} /> : null}
    </div>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const t = useText();
  return (
    <div className="effect calm">
      <p className="small soft">{t('wizard.price.effect_failed')}</p>
      <Button size="small" onClick={onRetry}>
        {t('layout.try_again')}
      </Button>
    </div>
  );
}

function Until({ at, now }: { at: string | null; now: string }) {
  const t = useText();
  if (at === null) return <strong>{t('wizard.price.endless')}</strong>;
  return <strong title={exactInstant(at)}>{`${dayFrom(now, at)}, ${clockTime(at)} UTC`}</strong>;
}

/**
 * Top-up button. If the balance would run out within a week, offers the amount for one more week, otherwise links to
 * the form.
 */
function MoreMoney({ effect, hourly }: { effect: RunwayAnswer; hourly: number }) {
  const t = useText();
  const order = forOrder(hourly);
  if (effect.saving != null) return <SavingButton runway={effect} filled={false} {...order} />;
  return (
    <ButtonLink size="small" to={addFundsAddress(order)}>
      {t('wizard.price.add')}
    </ButtonLink>
  );
}

const HOURS = 24;

/** Cost until the end of today. Hours are clock hours, and the current one is charged in full. */
function Today({ effect, pricing }: { effect: RunwayAnswer; pricing: Price }) {
  const t = useText();
  return t('wizard.price.today', {
    today: money(effect.order_today ?? 0, { rounding: 'price' }),
    daily: money(pricing.daily_cost, { rounding: 'price' }),
    smart_count: HOURS - new Date(effect.now).getUTCHours(),
  });
}
