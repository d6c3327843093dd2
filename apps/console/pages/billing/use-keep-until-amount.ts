import { useEffect } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useKeepUntil } from '../../data/billing';
import { useConsoleSettings } from '../../data/brand';
import { useText } from '../../texts/console-i18n';
import type { Funds } from './funds';

/**
 * Enters the amount that keeps everything running until the end of the chosen day. Returns why there is none.
 */
export function useKeepUntilAmount(orderHourly: number | undefined): { isPending: boolean; problem: string | null } {
  const t = useText();
  const { checkout_max: max } = useConsoleSettings();
  const { setValue } = useFormContext<Funds>();
  const until = useWatch<Funds, 'until'>({ name: 'until' });
  const { data, isError } = useKeepUntil(until === '' ? null : until, orderHourly);
  const kept = until === '' ? undefined : data?.keep_until;
  const amount = kept?.amount ?? 0;
  useEffect(() => {
    if (amount > 0) setValue('amount', String(Math.ceil(amount)));
  }, [until, amount, setValue]);
  const problem = (): string | null => {
    if (until === '') return null;
    if (isError) return t('billing.add.keep_failed');
    if (kept === null) return t('billing.add.keep_too_much', { max: max.toLocaleString('en-US') });
    return kept?.amount === 0 ? t('billing.add.keep_anyway') : null;
  };
  return { isPending: until !== '' && data === undefined && !isError, problem: problem() };
}
