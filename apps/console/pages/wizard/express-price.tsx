import { useText } from '../../texts/console-i18n';
import { ErrorAlert } from '../../ui/error-alert';
import { money } from '../../ui/money';
import { choiceErrorText } from './loaded-choices';
import { BalanceEffect } from './price/balance-effect';
import type { Forward } from './use-forward';
import { useWizard } from './wizard-context';
import { ForwardButton, Why } from './wizard-nav';

/** Price of an express order, how long the balance then lasts, and the button that creates it. */
export function ExpressPrice({ forward }: { forward: Forward }) {
  const t = useText();
  const { shownPrice: pricing, priceFailed, refetchPrice } = useWizard();
  return (
    <div className="pay-row">
      <div className="figure">
        <strong>{pricing === null ? '\u00a0' : money(pricing.daily_cost, { rounding: 'price' })}</strong>
        <span className="small soft">{t('wizard.a_day')}</span>
      </div>
      {priceFailed === null ? (
        <BalanceEffect pricing={pricing} review />
      ) : (
        <ErrorAlert text={t('wizard.failed.pricing')} detail={choiceErrorText(priceFailed)} onRetry={refetchPrice} />
      )}
      <div className="go">
        <ForwardButton {...forward} />
        {forward.whyNot === null ? null : <Why {...forward} />}
      </div>
    </div>
  );
}
