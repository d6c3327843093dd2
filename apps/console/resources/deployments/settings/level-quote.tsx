import { leastTopUp, PayButton } from '../../../parts/money/saving-button';
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
          <b>{money(daily_cost, { rounding: 'half_up' })}</b>
        </div>
        {today === 0 ? (
          <div>
            <span>{t('deployments.cost.today_nothing')}</span>
          </div>
        ) : (
          <div>
            <span>{today > 0 ? t('deployments.cost.today_charged') : t('deployments.cost.today_credited')}</span>
            <b>{money(-today, { rounding: 'half_up', sign: true })}</b>
          </div>
        )}
        {isOwner && enough ? (
          <div>
            <span>{t('billing.runway.until')}</span>
            <span>
              {until.now === until.then ? null : <s className="small soft">{untilText(until.now, t)}</s>}{' '}
              <b>{untilText(until.then, t)}</b>
            </span>
          </div>
        ) : null}
      </div>
      {quote.backups_kept_until == null ? null : (
        <p className="small soft">{t('backups.level_kept_until', { date: shortInstant(quote.backups_kept_until) })}</p>
      )}
      {enough ? null : <TooLittle needed={needed} available={available} isOwner={isOwner} />}
    </>
  );
}

/** Shows what is missing for a higher price, with a button that adds it. */
export function TooLittle({ needed, available, isOwner }: { needed: number; available: number; isOwner: boolean }) {
  const t = useText();
  const missing = leastTopUp(needed - available);
  return (
    <>
      <p className="problem small" role="alert">
        {t('deployments.cost.too_little', {
          needed: money(needed, { rounding: 'up' }),
          available: money(available, { rounding: 'cut' }),
        })}
      </p>
      {isOwner ? (
        <PayButton
          amount={missing}
          label={t('billing.saving.add', { amount: money(missing, { rounding: 'up' }) })}
          orMore
        />
      ) : null}
    </>
  );
}

export const untilText = (at: string | null, t: ReturnType<typeof useText>): string =>
  at === null ? t('billing.runway.endless') : shortInstant(at);
