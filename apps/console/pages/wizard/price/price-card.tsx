import type { Price } from '@moorage/contracts';
import { ErrorAlert } from '../../../ui/error-alert';
import { useText } from '../../../texts/console-i18n';
import { hourlyPrice, money } from '../../../ui/money';
import { choiceErrorText } from '../loaded-choices';
import { OWN_SERVER_DAILY } from '../own-server-price';
import { useWizard } from '../wizard-context';
import { BalanceEffect } from './balance-effect';
import { PriceLines } from './price-lines';
import { useFromDaily } from './use-from-daily';
import './price-card.css';

const price = (amount: number): string => money(amount, { rounding: 'price' });

/** Itemized price and its effect on the balance. Always visible. */
export function PriceCard({ review = false }: { review?: boolean }) {
  const t = useText();
  const { shownPrice: pricing, priceFailed, refetchPrice } = useWizard();
  return (
    <section className="card bill" aria-label={t('wizard.price.title')}>
      <div className="pad">
        <h2>{t('wizard.price.title')}</h2>
        <div className="lines">
          <PriceLines pricing={pricing} />
          <div className="sum">
            <span>{t('wizard.price.per_day')}</span>
            <DailyPrice pricing={pricing} />
          </div>
        </div>
        <p className="small muted below">
          <OtherPrices pricing={pricing} />
        </p>
        {priceFailed === null ? null : (
          <ErrorAlert text={t('wizard.failed.pricing')} detail={choiceErrorText(priceFailed)} onRetry={refetchPrice} />
        )}
      </div>
      <BalanceEffect pricing={pricing} review={review} />
    </section>
  );
}

/** Daily price, or the lowest one that is still possible. */
function DailyPrice({ pricing }: { pricing: Price | null }) {
  const t = useText();
  const from = useFromDaily();
  if (pricing !== null) return <strong>{price(pricing.daily_cost)}</strong>;
  if (from === null) return <strong className="none">{t('wizard.price.no_price')}</strong>;
  return <strong>{t('wizard.from', { price: price(from) })}</strong>;
}

/** Price per hour and month or, before a server is chosen, the fee for a customer's own server. */
function OtherPrices({ pricing }: { pricing: Price | null }) {
  const t = useText();
  const { wizard } = useWizard();
  if (pricing !== null)
    return t('wizard.price.hour_month', {
      hourly: hourlyPrice(pricing.hourly_cost),
      monthly: price(pricing.monthly_cost),
    });
  return wizard.draft.server_type === null ? t('wizard.price.own', { price: price(OWN_SERVER_DAILY) }) : '\u00a0';
}
