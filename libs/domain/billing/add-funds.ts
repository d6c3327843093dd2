import type { Money } from '../money';

/** Parameters of the link to the top-up form, named as in its query. */
interface AddFunds {
  /** Currency units. */
  readonly amount?: string | undefined;
  readonly return_to?: 'order' | undefined;
  readonly order_hourly?: string | undefined;
}

/** Returns the path of the top-up form with these values in it. Emails and the console use the same links. */
export function addFundsPath(values: AddFunds = {}): string {
  const query = Object.entries<string | undefined>({ ...values }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `/billing${query.length === 0 ? '' : `?${query.join('&')}`}#add`;
}

/** Returns the path of the top-up form with the amount of a top-up, in whole cents. */
export const topUpPath = (amount: Money): string => addFundsPath({ amount: amount.toDisplay('needed') });
