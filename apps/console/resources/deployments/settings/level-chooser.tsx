import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { PRICE_LIST, SUPPORT_LEVELS, type SupportLevel } from '@moorage/domain';
import { useState } from 'react';
import { ApiError } from '../../../data/errors';
import { type Deployment, useLevelQuote } from '../../../data/deployments';
import { unpaidChoice, useUnpaidChoice } from '../../../data/unpaid-choice';
import { useAction } from '../../../data/use-action';
import { useText } from '../../../texts/console-i18n';
import { money } from '../../../ui/money';
import { useIsOwner } from '../actions';
import { isReason, ReasonField } from '../../../ui/form/reason-field';
import { perDayAndMonth } from '../refund';
import { placeOf, useWithOffer } from '../../../parts/offer';
import { levelKey, offerKey } from '../../../parts/deployment/deployment-messages';
import { messageText } from '../../../texts/locale';
import { Button } from '../../../ui/button';
import { QuoteLines } from './level-quote';
import './level-chooser.css';

/** Form to change the support level. Shows the new daily price and today's charge or credit before saving. */
export function LevelChooser({ deployment, onDone }: { deployment: Deployment; onDone: () => void }) {
  const t = useText();
  const { id, support_level: current } = deployment;
  const [level, setLevel] = useState<SupportLevel>(
    SUPPORT_LEVELS.find((one) => String(one) === unpaidChoice('level', id)) ?? current,
  );
  const wanted = level === current ? null : level;
  const quote = useLevelQuote(id, wanted);
  const change = useAction('deployments', 'changeLevel', {
    done: t('deployments.toast.level_done', { level: t(levelKey(level)) }),
  });
  const isOwner = useIsOwner(deployment);
  const [reason, setReason] = useState('');
  const enough = quote.data !== undefined && (level < current || quote.data.needed <= quote.data.available);

  useUnpaidChoice('level', id, quote.data === undefined || enough ? null : String(level));

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
      <LevelOptions
        deployment={deployment}
        level={level}
        onChoose={(next) => {
          setLevel(next);
          change.reset();
        }}
      />
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

/** Levels with their price and what they offer. */
function LevelOptions({
  deployment,
  level,
  onChoose,
}: {
  deployment: Deployment;
  level: SupportLevel;
  onChoose: (level: SupportLevel) => void;
}) {
  const t = useText();
  const withOffer = useWithOffer(placeOf(deployment));
  return (
    <RadioGroup
      aria-label={t('deployments.cost.choose')}
      value={level}
      onChange={(_event, value) => {
        const next = SUPPORT_LEVELS.find((one) => String(one) === value);
        if (next !== undefined) onChoose(next);
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
                {one === deployment.support_level ? <span className="tag">{t('deployments.cost.current')}</span> : null}
              </b>
              <span className="soft">{levelPrice(one, t)}</span>
              <small className="muted">{withOffer(t(offerKey(one)), one)}</small>
            </span>
          }
        />
      ))}
    </RadioGroup>
  );
}

function levelPrice(level: SupportLevel, t: ReturnType<typeof useText>): string {
  const { daily } = perDayAndMonth(PRICE_LIST.supportLevelHourly[level].toWire());
  return daily === 0
    ? t('deployments.cost.level_free')
    : t('deployments.cost.level_price', { daily: money(daily, { rounding: 'price' }) });
}
