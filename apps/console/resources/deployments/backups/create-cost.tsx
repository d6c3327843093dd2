import { leastTopUp } from '../../../parts/money/saving-button';
import { useOrderEffect } from '../../../data/billing';
import { addFundsAddress } from '../../../data/checkout';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { shortInstant } from '../../../ui/dates';
import { hourlyPrice, money } from '../../../ui/money';
import { ButtonLink } from '../../../ui/button-link';
import type { NewPlaceForm } from './use-new-place';

/** Shows the daily cost and the new end date, or what is still missing. */
export function CreateCost({ form: { price } }: { form: NewPlaceForm }) {
  const t = useText();
  const effect = useOrderEffect(price?.hourly_cost ?? null).data;
  const refusal = effect?.order_refusal ?? null;
  if (price === null) return null;
  return (
    <div className="create-cost" role="status">
      <div className="lines">
        <div>
          <span>{t('wizard.price.per_day')}</span>
          <b title={hourlyPrice(price.hourly_cost)}>{money(price.daily_cost, { rounding: 'price' })}</b>
        </div>
        {effect === undefined || refusal !== null ? null : (
          <div>
            <span>{t('wizard.price.then')}</span>
            <b className="until-date">
              {effect.ends_at === null
                ? t('wizard.price.endless')
                : shortInstant(effect.ends_at, Date.parse(effect.now))}
            </b>
          </div>
        )}
      </div>
      {refusal === null ? null : (
        <>
          <p className="problem small">
            {messageText({ code: refusal.message_code, facts: refusal.facts, detail: refusal.detail })}
          </p>
          <ButtonLink
            size="small"
            to={addFundsAddress({
              amount: leastTopUp(refusal.code === 'BALANCE_OWED' ? refusal.owed : refusal.needed - refusal.available),
            })}
          >
            {t('wizard.price.add')}
          </ButtonLink>
        </>
      )}
    </div>
  );
}
