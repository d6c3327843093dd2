import { CONSTANTS } from '@moorage/domain';
import { useEffect } from 'react';
import { useFormContext } from 'react-hook-form';
import { useLocation } from 'react-router-dom';
import { useConsoleSettings } from '../../data/brand';
import { useText } from '../../texts/console-i18n';
import { TextControl } from '../../ui/form/text-control';
import { useFormInput } from '../../ui/form/use-form-input';
import { useProposedValue } from '../../ui/form/use-proposed-value';
import { type Funds, hasFractions, readAmount } from './funds';

/** Field for the amount. It shows the proposed amount until the user changes it. */
export function AmountInput({
  proposed,
  isPlaced,
  refusal,
}: {
  proposed: string;
  isPlaced: boolean;
  /** Reason why the server rejected the amount, or null. */
  refusal: string | null;
}) {
  const t = useText();
  const { checkout_max: max } = useConsoleSettings();
  const { setValue } = useFormContext<Funds>();
  const { onChange, problem, ...input } = useFormInput<string, Funds>({
    source: 'amount',
    isEager: true,
    validate: (typed) => {
      if (readAmount(typed, max) !== null) return null;
      return hasFractions(typed)
        ? t('billing.add.decimals')
        : t('billing.add.range', { max: max.toLocaleString('en-US') });
    },
  });
  useProposedValue('amount', proposed);
  useRequestedFocus(isPlaced);
  return (
    <TextControl
      {...input}
      problem={problem ?? refusal}
      label={t('billing.add.amount')}
      type="number"
      prefix="$"
      inputMode="decimal"
      autoComplete="off"
      min={CONSTANTS.addFundsMinUnits}
      max={max}
      step={CONSTANTS.addFundsStepUnits}
      onChange={(event) => {
        // A typed amount is no longer tied to a date.
        setValue('until', '');
        onChange(event);
      }}
    />
  );
}

/** Focuses the amount for `/billing#add`, once the layout has settled. */
function useRequestedFocus(isPlaced: boolean): void {
  const { hash, key } = useLocation();
  const { setFocus } = useFormContext<Funds>();
  useEffect(() => {
    if (hash !== '#add' || !isPlaced) return;
    setFocus('amount', { shouldSelect: true });
    document.getElementById('add')?.scrollIntoView?.({ block: 'center' });
  }, [hash, key, setFocus, isPlaced]);
}
