import { leastTopUp, PayButton, wholeCents } from '../../../parts/money/saving-button';
import type { SupportLevelQuote } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { shortInstant } from '../../../ui/dates';
import { money } from '../../../ui/money';

/** New daily price, today's charge or credit, and the new end date, or what is missing for the level. */
export function QuoteLines({
  quote,
  enough,
  isOwner,
}: {
  quote: SupportLevelQuote;
  enough: boolean;
  isOwner: boolean;
}) {
  const t = useText();
  const { daily_cost, today, needed, available, runs_until: until } = quote;
  return (
    <>
      <div className="lines">
        <div>
          <span>{t('deployments.cost.new_daily')}</span>
          <b>{money(daily_cost, { rounding: 'price' })}</b>
        </div>
        {today === 0 ? (
          <div>
            <span>{t('deployments.cost.today_nothing')}</span>
          </div>
        ) : (
          <div>
            <span>{today > 0 ? t('deployments.cost.today_charged') : t('deployments.cost.today_credited')}</span>
            <b>{money(-today, { rounding: 'price', sign: true })}</b>
          </div>
        )}
        {isOwner ? (
          <div>
            <span>{t('billing.runway.until')}</span>
            <UntilChange until={until} missing={enough ? null : leastTopUp(needed - available)} />
          </div>
        ) : null}
      </div>
      {quote.backups_kept_until == null ? null : (
        <p className="small soft">{t('backups.level_kept_until', { date: shortInstant(quote.backups_kept_until) })}</p>
      )}
      {enough ? null : <TooLittle quote={quote} isOwner={isOwner} />}
    </>
  );
}

/** End date now and with the new price. `missing` is the top-up that the new price requires, or null. */
export function UntilChange({ until, missing }: { until: SupportLevelQuote['runs_until']; missing: number | null }) {
  const t = useText();
  // An account that owes money may need more than the missing amount, so its date is unknown.
  const isKnown = missing === null || until.then !== null;
  return (
    <span>
      {until.now === until.then || !isKnown ? null : <s className="small soft">{untilText(until.now, t)}</s>}{' '}
      <b>{untilText(isKnown ? until.then : until.now, t)}</b>
      {missing === null || !isKnown ? null : (
        <small className="soft">
          {' '}
          {t('deployments.cost.with_more', { amount: money(missing, { rounding: 'needed' }) })}
        </small>
      )}
    </span>
  );
}

/**
 * Shows what is missing for a higher price, as the sum of what is charged now and the next daily charge of everything,
 * with a button that adds it.
 */
export function TooLittle({
  quote: { needed, available, today },
  isOwner,
}: {
  quote: Pick<SupportLevelQuote, 'needed' | 'available' | 'today'>;
  isOwner: boolean;
}) {
  const t = useText();
  const missing = leastTopUp(needed - available);
  // Both parts add up to the sum as shown.
  const [sum, now] = [wholeCents(needed), wholeCents(Math.max(0, today))];
  const amounts = {
    needed: money(sum, { rounding: 'needed' }),
    available: money(available, { rounding: 'balance' }),
    today: money(now, { rounding: 'needed' }),
    daily: money(sum - now, { rounding: 'price' }),
  };
  return (
    <>
      <p className="problem small" role="alert">
        {t(today > 0 ? 'deployments.cost.too_little_sum' : 'deployments.cost.too_little', amounts)}
      </p>
      {isOwner ? (
        <PayButton
          amount={missing}
          label={t('billing.saving.add', { amount: money(missing, { rounding: 'needed' }) })}
          orMore
        />
      ) : null}
    </>
  );
}

export const untilText = (at: string | null, t: ReturnType<typeof useText>): string =>
  at === null ? t('billing.runway.endless') : shortInstant(at);
