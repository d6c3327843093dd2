import { CONSTANTS } from '@moorage/domain';
import { useFormContext, useWatch } from 'react-hook-form';
import { useConsoleSettings } from '../../data/brand';

/** Values of the top-up form. */
export interface Funds {
  /** Currency units, as entered. */
  amount: string;
  /** UTC day until which everything should run, or empty. */
  until: string;
  saveCard: boolean;
}

/** Parses currency units, in whole cents, between 1 and the maximum top-up. Returns null for anything else. */
export function readAmount(typed: string, max: number): number | null {
  if (!/^\d{1,6}(\.\d{1,2})?$/.test(typed.trim())) return null;
  const amount = Number(typed);
  return amount >= CONSTANTS.addFundsMinUnits && amount <= max ? amount : null;
}

/** Returns whether an entered amount has fractions of a cent. */
export const hasFractions = (typed: string): boolean => /^\d+[.,]\d{3,}$/.test(typed.trim());

/** Formats an entered amount, with cents only if it has some. */
export const amountText = (amount: number): string => (Number.isInteger(amount) ? String(amount) : amount.toFixed(2));

/** Returns the entered amount, or null if it is not valid. */
export function useAmount(): number | null {
  const { checkout_max: max } = useConsoleSettings();
  return readAmount(useWatch<Funds, 'amount'>({ name: 'amount' }), max);
}

/** Returns a function that replaces the amount, which is then no longer tied to a date. */
export function useSetAmount(): (amount: number) => void {
  const { setValue } = useFormContext<Funds>();
  return (amount) => {
    setValue('until', '');
    setValue('amount', String(amount));
  };
}
