import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { PRICE_LIST, SUPPORT_LEVELS, type SupportLevel } from '@moorage/domain';
import { useState } from 'react';
import { leastTopUp, PayButton } from '../../../parts/money/saving-button';
import { ApiError } from '../../../data/errors';
import { type Deployment, type SupportLevelQuote, useLevelQuote } from '../../../data/deployments';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { shortInstant } from '../../../ui/dates';
import { money } from '../../../ui/money';
import { useIsOwner } from '../actions';
import { isReason, ReasonField } from '../../../ui/form/reason-field';
import { perDayAndMonth } from '../refund';
import { placeOf, useWithOffer } from '../../../parts/offer';
import { levelKey, offerKey } from '../../../parts/deployment/deployment-messages';
import { messageText } from '../../../texts/locale';
import { Button } from '../../../ui/button';

/** Form to change the support level. Shows the new daily price and today's charge or credit before saving. */
export function LevelChooser({ deployment, onDone }: { deployment: Deployment; onDone: () => void }) {
  const t = useText();
  const { id, support_level: current } = deployment;
  const [level, setLevel] = useState<SupportLevel>(current);
  const wanted = level === current ? null : level;
  const quote = useLevelQuote(id, wanted);
  const change = useAction('deployments', 'changeLevel', {
    done: t('deployments.toast.level_done', { level: t(levelKey(level)) }),
  });
  const isOwner = useIsOwner(deployment);
  const [reason, setReason] = useState('');
  const withOffer = useWithOffer(placeOf(deployment));
  const enough = quote.data !== undefined && (level < current || quote.data.needed <= quote.data.available);

  const save = (): void =>
    change.mutate(
      {
        params: { id },
        body: { support_level: level, ...(isOwner ? {} : { reason: reason.trim() }) },
      },
      { onSuccess: onDone },
    );
  const refused = change.error instanceof ApiError ? change.error.reason : null;
  return (
    <div className="level-choice">
      <RadioGroup
        aria-label={t('deployments.cost.choose')}
        value={level}
        onChange={(_event, value) => {
          const next = SUPPORT_LEVELS.find((one) => String(one) === value);
          if (next !== undefined) setLevel(next);
          change.reset();
        }}
      >
        {SUPPORT_LEVELS.map((one) => (
          <FormControlLabel
            key={one}
            value={one}
            control={<Radio size="small" />}
            label={
              <span className="level">
                <b>
                  {t(levelKey(one))}{' '}
                  {one === current ? <span className="tag">{t('deployments.cost.current')}</span> : null}
                </b>
                <span className="soft">{levelPrice(one, t)}</span>
                <small className="muted">{withOffer(t(offerKey(one)), one)}</small>
              </span>
            }
          />
        ))}
      </RadioGroup>
      {wanted === null ? null : (
        <div className="quote" aria-live="polite">
          {quote.data !== undefined ? (
            <QuoteLines quote={quote.data} enough={enough} isOwner={isOwner} />
          ) : (
            <p className="small soft">
              {quote.isError ? t('deployments.cost.quote_failed') : t('deployments.cost.quoting')}
            </p>
          )}
          {refused === null ? null : (
            <p role="alert" className="problem small">
              {messageText(refused)}
            </p>
          )}
          {isOwner ? null : <ReasonField value={reason} onChange={setReason} />}
          <div className="row wrap">
            <Button
              kind="primary"
              size="small"
              disabled={!enough || change.isPending || !(isOwner || isReason(reason))}
              onClick={save}
            >
              {change.isPending ? t('deployments.cost.saving') : t('deployments.cost.save', { level })}
            </Button>
            <span className="small muted">{t('deployments.cost.once')}</span>
          </div>
        </div>
      )}
    </div>
  );
}

function levelPrice(level: SupportLevel, t: ReturnType<typeof useText>): string {
  const { daily } = perDayAndMonth(PRICE_LIST.supportLevelHourly[level].toWire());
  return daily === 0
    ? t('deployments.cost.level_free')
    : t('deployments.cost.level_price', { daily: money(daily, { rounding: 'half_up' }) });
}

function QuoteLines({
  quote,
  enough,
  isOwner,
}: {
  quote: SupportLevelQuote & { readonly backups_kept_until?: string | null };
  enough: boolean;
  isOwner: boolean;
}) {
  const t = useText();
  const { daily_cost, today, needed, available, runs_until: until } = quote;
  const missing = leastTopUp(needed - available);
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
      {enough ? null : (
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
      )}
    </>
  );
}

const untilText = (at: string | null, t: ReturnType<typeof useText>): string =>
  at === null ? t('billing.runway.endless') : shortInstant(at);
