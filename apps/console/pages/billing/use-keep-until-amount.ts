import { useEffect, useRef } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useKeepUntil } from '../../data/billing';
import { useConsoleSettings } from '../../data/brand';
import { useText } from '../../texts/console-i18n';
import type { Funds } from './funds';

/**
 * Enters the amount that keeps everything running until the end of the chosen day, and the previous amount again if
 * there is none. Returns the problem if there is no such amount.
 */
export function useKeepUntilAmount(orderHourly: number | undefined): { isPending: boolean; problem: string | null } {
  const t = useText();
  const { checkout_max: max } = useConsoleSettings();
  const { getValues, setValue } = useFormContext<Funds>();
  const entered = useRef<{ readonly amount: string; readonly before: string } | null>(null);
  const until = useWatch<Funds, 'until'>({ name: 'until' });
  const { data, isError } = useKeepUntil(until === '' ? null : until, orderHourly);
  const kept = until === '' ? undefined : data?.keep_until;
  const amount = kept?.amount ?? 0;
  const isPending = until !== '' && data === undefined && !isError;
  useEffect(() => {
    if (isPending) return;
    const current = getValues('amount');
    const before = entered.current?.amount === current ? entered.current.before : current;
    entered.current = amount > 0 ? { amount: String(Math.ceil(amount)), before } : null;
    setValue('amount', entered.current?.amount ?? before);
  }, [until, amount, isPending, getValues, setValue]);
  const problem = (): string | null => {
    if (until === '') return null;
    if (isError) return t('billing.add.keep_failed');
    if (kept === null) return t('billing.add.keep_too_much', { max: max.toLocaleString('en-US') });
    return kept?.amount === 0 ? t('billing.add.keep_anyway') : null;
  };
  return { isPending, problem: problem() };
}
