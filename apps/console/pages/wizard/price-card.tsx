import type { Price, RunwayAnswer } from '@moorage/contracts';
import { PRICE_LIST } from '@moorage/domain';
import { leastTopUp, PayButton, SavingButton } from '../../parts/money/saving-button';
import { useOrderEffect, useRunway } from '../../data/billing';
import { useInstanceTypes, usePackages, useProviders } from '../../data/catalogue';
import { addFundsAddress } from '../../data/checkout';
import { useText } from '../../texts/console-i18n';
import { clockTime, dayFrom, exactInstant } from '../../ui/dates';
import { hourlyPrice, money } from '../../ui/money';
import { unfitIn } from '../../parts/order/size-fit';
import { OWN_SERVER_DAILY } from './server-step';
import { ErrorAlert } from './step-frame';
import { useChosen } from './use-chosen';
import { useWizard } from './use-wizard';
import { messageText } from '../../texts/locale';
import { Button } from '../../ui/button';
import { ButtonLink } from '../../ui/button-link';

const price = (amount: number): string => money(amount, { rounding: 'half_up' });

/** Returns the lowest possible daily price of the order given the choices so far, or null while it is unknown. */
export function useFromDaily(): number | null {
  const { wizard, config } = useWizard();
  const { package: name, server_type: type, cloud_provider: cloud, region } = wizard.draft;
  const packages = usePackages().data;
  const providers = useProviders(name).data;
  const sizes = useInstanceTypes(cloud, region, name).data;
  if (name === null) return lowest((packages ?? []).map((one) => one.from_daily));
  if (type === 'vps') return OWN_SERVER_DAILY;
  if (cloud === null) return packages?.find((one) => one.name === name)?.from_daily ?? null;
  if (region === null) return providers?.find((one) => one.name === cloud)?.from_daily ?? null;
  const fitting = (sizes ?? []).filter((one) => one.available && unfitIn(one, config) === null);
  return lowest(fitting.map(({ hourly_cost: hourly }) => hourly * PRICE_LIST.hoursPerDay));
}

function lowest(prices: readonly (number | null | undefined)[]): number | null {
  const known = prices.filter((each) => each !== null && each !== undefined);
  return known.length === 0 ? null : Math.min(...known);
}

/** Itemized price and its effect on the balance. Always visible. */
export function PriceCard({ review = false }: { review?: boolean }) {
  const t = useText();
  const { wizard, shownPrice: pricing, priceFailed, refetchPrice } = useWizard();
  const from = useFromDaily();
  return (
    <section className="card bill" aria-label={t('wizard.price.title')}>
      <div className="pad">
        <h2>{t('wizard.price.title')}</h2>
        <div className="lines">
          <Lines pricing={pricing} />
          <div className="sum">
            <span>{t('wizard.price.per_day')}</span>
            {pricing === null ? (
              <strong className={from === null ? 'none' : ''}>
                {from === null ? t('wizard.price.no_price') : t('wizard.from', { price: price(from) })}
              </strong>
            ) : (
              <strong>{price(pricing.daily_cost)}</strong>
            )}
          </div>
        </div>
        <p className="small muted below">
          {pricing !== null
            ? t('wizard.price.hour_month', {
                hourly: hourlyPrice(pricing.hourly_cost),
                monthly: price(pricing.monthly_cost),
              })
            : wizard.draft.server_type === null
              ? t('wizard.price.own', { price: price(OWN_SERVER_DAILY) })
              : '\u00a0'}
        </p>
        {priceFailed === null ? null : (
          <ErrorAlert failed={t('wizard.failed.pricing')} error={priceFailed} again={refetchPrice} />
        )}
      </div>
      <Effect pricing={pricing} review={review} />
    </section>
  );
}

function Lines({ pricing }: { pricing: Price | null }) {
  const t = useText();
  const { wizard, steps } = useWizard();
  const { package: name, provider, size } = useChosen();
  const { server_type: type, cloud_provider: cloud, support_level: level } = wizard.draft;
  const supportSeen = steps.indexOf(wizard.step) >= steps.indexOf('support');
  const later = (chosen: boolean): string =>
    chosen ? t('wizard.price.choose_size') : wizard.step === 'package' ? t('wizard.price.choose_next') : '\u00a0';
  return (
    <>
      <Line what={name ?? t('wizard.steps.package')} quiet={name !== null}>
        {name === null ? t('wizard.price.choose_next') : t('wizard.price.included')}
      </Line>
      {type === 'vps' ? (
        <Line what={t('wizard.price.own_fee')}>
          {price(pricing?.breakdown.byovps_management_fee ?? OWN_SERVER_DAILY)}
        </Line>
      ) : pricing !== null && size !== null ? (
        <Line what={`${size.display_name}, ${provider ?? ''}`}>{price(pricing.breakdown.instance_cost)}</Line>
      ) : (
        <Line
          quiet
          what={
            cloud === null ? t('wizard.price.server') : t('wizard.price.server_at', { provider: provider ?? cloud })
          }
        >
          {later(type !== null)}
        </Line>
      )}
      {supportSeen && pricing !== null ? (
        <Line what={t(`wizard.support.level${level}`)} quiet={pricing.breakdown.support_cost === 0}>
          {pricing.breakdown.support_cost === 0 ? t('wizard.price.included') : price(pricing.breakdown.support_cost)}
        </Line>
      ) : (
        <Line what={t('wizard.price.support')} quiet>
          {t('wizard.price.choose_later')}
        </Line>
      )}
    </>
  );
}

function Line({ what, quiet = false, children }: { what: string; quiet?: boolean; children: string }) {
  return (
    <div>
      <span>{what}</span>
      <span className={quiet ? 'nowrap muted' : 'nowrap'}>{children}</span>
    </div>
  );
}

/** States how long the balance lasts now and with this order, or how much is missing. */
function Effect({ pricing, review }: { pricing: Price | null; review: boolean }) {
  const t = useText();
  const now = useRunway().data;
  const order = useOrderEffect(pricing?.hourly_cost ?? null);
  if (pricing === null) {
    if (now === undefined) return <div className="effect waits" aria-hidden="true" />;
    return (
      <div className={`effect ${now.running === 0 ? 'calm' : now.level}`}>
        {now.running === 0 ? (
          <>
            <strong>{t('wizard.price.nothing_now')}</strong>
            <p className="small soft">{t('wizard.price.nothing_hint')}</p>
          </>
        ) : (
          <>
            <p className="small soft">{t('wizard.price.now')}</p>
            <Until at={now.ends_at} now={now.now} />
          </>
        )}
      </div>
    );
  }
  if (order.data === undefined) {
    if (order.error === null) return <div className="effect waits" aria-hidden="true" />;
    return (
      <div className="effect calm">
        <p className="small soft">{t('wizard.price.effect_failed')}</p>
        <Button size="small" onClick={() => void order.refetch()}>
          {t('layout.try_again')}
        </Button>
      </div>
    );
  }
  if (order.data.order_refusal !== null)
    return <TooLittle refusal={order.data.order_refusal} hourly={pricing.hourly_cost} />;
  return (
    <div className={`effect ${order.data.level}`} role="status">
      <p className="small soft">{t('wizard.price.then')}</p>
      {now !== undefined && now.ends_at !== null && now.ends_at !== order.data.ends_at ? (
        <>
          <s className="from small">{dayFrom(now.now, now.ends_at)}</s>{' '}
        </>
      ) : null}
      <Until at={order.data.ends_at} now={order.data.now} />
      <p className="small soft today">
        <Today effect={order.data} pricing={pricing} />
      </p>
      {review ? <MoreMoney effect={order.data} hourly={pricing.hourly_cost} /> : null}
    </div>
  );
}

function Until({ at, now }: { at: string | null; now: string }) {
  const t = useText();
  if (at === null) return <strong>{t('wizard.price.endless')}</strong>;
  return <strong title={exactInstant(at)}>{`${dayFrom(now, at)}, ${clockTime(at)} UTC`}</strong>;
}

/** Parameters that return the user to the order after paying. */
const forOrder = (orderHourly: number) => ({ returnTo: 'order' as const, orderHourly });

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
    today: price(effect.order_today ?? 0),
    daily: price(pricing.daily_cost),
    smart_count: HOURS - new Date(effect.now).getUTCHours(),
  });
}

function TooLittle({ refusal, hourly }: { refusal: NonNullable<RunwayAnswer['order_refusal']>; hourly: number }) {
  const t = useText();
  const { code, needed, available, owed, detail, message_code, facts } = refusal;
  const missing = leastTopUp(code === 'BALANCE_OWED' ? owed : needed - available);
  return (
    <div className="effect short" role="status">
      <strong>{code === 'CREDIT_ONLY_LIMIT' ? t('wizard.price.credit_only') : t('wizard.price.too_low')}</strong>
      <p className="small">
        {code === 'BALANCE_OWED'
          ? t('wizard.price.owed', { owed: money(owed, { rounding: 'up' }) })
          : code === 'BALANCE_TOO_LOW'
            ? t('wizard.price.too_low_text', {
                needed: money(needed, { rounding: 'up' }),
                available: money(available, { rounding: 'cut' }),
                missing: money(missing, { rounding: 'up' }),
              })
            : messageText({ code: message_code, facts, detail })}
      </p>
      {code === 'CREDIT_ONLY_LIMIT' ? (
        <ButtonLink size="small" to={addFundsAddress(forOrder(hourly))}>
          {t('wizard.price.add')}
        </ButtonLink>
      ) : (
        <PayButton
          amount={missing}
          label={t('billing.saving.add', { amount: money(missing, { rounding: 'up' }) })}
          filled={false}
          orMore
          {...forOrder(hourly)}
        />
      )}
    </div>
  );
}
