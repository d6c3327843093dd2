import { addFundsPath } from '@moorage/domain';

const KEY = 'moorage:checkout';

/** A top-up that the user is about to pay for. The pages after the payment continue from it. */
export interface Checkout {
  /** Currency units. */
  readonly amount: number;
  /** Page to return to after the payment. */
  readonly returnTo?: 'order' | undefined;
  /** Price of the order that needs the money, per hour, in currency units. */
  readonly orderHourly?: number | undefined;
}

/**
 * Remembers the checkout for this browser session, so that a cancelled checkout can be retried with the same values.
 */
export function rememberCheckout(checkout: Checkout): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(checkout));
  } catch {
    // If storage is disabled, a retry starts with an empty form.
  }
}

/** Returns the last checkout started in this browser session, or null. */
export function rememberedCheckout(): Checkout | null {
  try {
    const { amount, returnTo, orderHourly } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<
      string,
      unknown
    >;
    if (typeof amount !== 'number') return null;
    return {
      amount,
      ...(returnTo === 'order' ? { returnTo } : {}),
      ...(typeof orderHourly === 'number' ? { orderHourly } : {}),
    };
  } catch {
    return null;
  }
}

/** Returns the URL of the top-up form. An amount is rounded up to whole currency units. */
export const addFundsAddress = ({ amount, returnTo, orderHourly }: Partial<Checkout> = {}): string =>
  addFundsPath({
    amount: amount === undefined ? undefined : String(Math.ceil(amount)),
    return_to: returnTo,
    order_hourly: orderHourly === undefined ? undefined : String(orderHourly),
  });

/** Returns the URL of the form with the values that were entered in this browser, if any. */
export function againAddress(isForOrder: boolean): string {
  const checkout = rememberedCheckout();
  if (checkout === null && !isForOrder) return '/billing';
  return addFundsAddress({ ...checkout, returnTo: isForOrder ? 'order' : undefined });
}

/** Parses the query of a URL from `addFundsAddress`. Ignores malformed values. */
export function requestedFunds(query: URLSearchParams): Partial<Checkout> {
  const number = (name: string): number | undefined => {
    const text = query.get(name) ?? '';
    return /^\d{1,4}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined;
  };
  return {
    amount: number('amount'),
    returnTo: query.get('return_to') === 'order' ? 'order' : undefined,
    orderHourly: number('order_hourly'),
  };
}
