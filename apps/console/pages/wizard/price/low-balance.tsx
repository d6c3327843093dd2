import type { RunwayAnswer } from '@moorage/contracts';
import { addFundsAddress } from '../../../data/checkout';
import { leastTopUp, PayButton } from '../../../parts/money/saving-button';
import { useText } from '../../../texts/console-i18n';
import { messageText } from '../../../texts/locale';
import { ButtonLink } from '../../../ui/button-link';
import { money } from '../../../ui/money';

/** Parameters that return the user to the order after paying. */
export const forOrder = (orderHourly: number) => ({ returnTo: 'order' as const, orderHourly });

type Refusal = NonNullable<RunwayAnswer['order_refusal']>;

/** States why the balance does not allow the order, with a button for the missing amount. */
export function LowBalance({
  refusal,
  hourly,
  filled,
}: {
  refusal: Refusal;
  hourly: number;
  /** Paying is the next thing to do. */
  filled: boolean;
}) {
  const t = useText();
  const { code, needed, available, owed } = refusal;
  const missing = leastTopUp(code === 'BALANCE_OWED' ? owed : needed - available);
  return (
    <div className="effect short" role="status">
      <strong>{code === 'CREDIT_ONLY_LIMIT' ? t('wizard.price.credit_only') : t('wizard.price.too_low')}</strong>
      <p className="small">
        <Reason refusal={refusal} missing={missing} />
      </p>
      {code === 'CREDIT_ONLY_LIMIT' ? (
        <ButtonLink size="small" to={addFundsAddress(forOrder(hourly))}>
          {t('wizard.price.add')}
        </ButtonLink>
      ) : (
        <PayButton
          amount={missing}
          label={t('billing.saving.add', { amount: money(missing, { rounding: 'needed' }) })}
          filled={filled}
          orMore
          {...forOrder(hourly)}
        />
      )}
    </div>
  );
}

function Reason({
  refusal: { code, needed, available, owed, detail, message_code, facts },
  missing,
}: {
  refusal: Refusal;
  missing: number;
}) {
  const t = useText();
  switch (code) {
    case 'BALANCE_OWED':
      return t('wizard.price.owed', { owed: money(owed, { rounding: 'needed' }) });
    case 'BALANCE_TOO_LOW':
      return t('wizard.price.too_low_text', {
        needed: money(needed, { rounding: 'needed' }),
        available: money(available, { rounding: 'balance' }),
        missing: money(missing, { rounding: 'needed' }),
      });
    case 'CREDIT_ONLY_LIMIT':
      return messageText({ code: message_code, facts, detail });
  }
}
