import type { Price } from '@moorage/contracts';
import { CircleAlert } from 'lucide-react';
import { addFundsAddress } from '../../data/checkout';
import { ApiError } from '../../data/errors';
import { errorText } from '../../data/problem-message';
import { leastTopUp } from '../../parts/money/saving-button';
import { useText } from '../../texts/console-i18n';
import { ButtonLink } from '../../ui/button-link';
import { exactMoney, money } from '../../ui/money';
import type { Order } from './use-order';
import { useWizard } from './wizard-context';

/** Outcome of an order that was not placed, above the summary. */
export function OrderError({ order: { refused, placedBefore, priceBefore } }: { order: Order }) {
  const { pricing } = useWizard().wizard;
  if (priceBefore !== null && pricing !== null) return <PriceChanged before={priceBefore} now={pricing} />;
  if (placedBefore) return <PlacedBefore />;
  return refused === null ? null : <Refused error={refused} />;
}

function PriceChanged(prices: { before: Price; now: Price }) {
  const t = useText();
  const [before, now] = bothPrices(prices.before.daily_cost, prices.now.daily_cost);
  return (
    <div className="note brass" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <div>
        <b>{t('wizard.review.price_changed')}</b>
        <p>{t('wizard.review.price_was', { before, now })}</p>
      </div>
    </div>
  );
}

function PlacedBefore() {
  const t = useText();
  return (
    <div className="note" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <div>
        <p>{t('wizard.review.reused')}</p>
        <ButtonLink size="small" to="/dashboard">
          {t('wizard.review.to_dashboard')}
        </ButtonLink>
      </div>
    </div>
  );
}

function Refused({ error }: { error: Error }) {
  const t = useText();
  const aboutMoney = error instanceof ApiError && error.status === 402;
  return (
    <div className="note port" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <div>
        <b>{t('wizard.failed.create')}</b>
        <p>{errorText(error)}</p>
        {aboutMoney ? (
          <ButtonLink size="small" to={addFundsAddress({ amount: missingOf(error), returnTo: 'order' })}>
            {t('wizard.price.add')}
          </ButtonLink>
        ) : null}
      </div>
    </div>
  );
}

/** Formats both prices rounded to cents, or exactly if they would look the same. */
function bothPrices(before: number, now: number): readonly [before: string, now: string] {
  const [one, other] = [money(before, { rounding: 'price' }), money(now, { rounding: 'price' })];
  return one === other ? [exactMoney(before), exactMoney(now)] : [one, other];
}

/** Missing amount according to the error response, or undefined if it contains none. */
function missingOf({ facts: { needed, available } }: ApiError): number | undefined {
  return typeof needed === 'number' && typeof available === 'number' && needed > available
    ? leastTopUp(needed - available)
    : undefined;
}
