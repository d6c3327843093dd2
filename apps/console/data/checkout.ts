const KEY = 'moorage:checkout';

/** What a person is about to pay for; the pages that they come back to go on from it. */
export interface Checkout {
  /** Currency units. */
  readonly amount: number;
  /** The page on which they are led back to what needed the money. */
  readonly returnTo?: 'order' | undefined;
  /** Of the order that needed it, per hour, in currency units. */
  readonly orderHourly?: number | undefined;
}

/** Kept for this browser session: a checkout that is cancelled is tried again with what was typed. */
export function rememberCheckout(checkout: Checkout): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(checkout));
  } catch {
    // storage is switched off: trying again begins anew
  }
}

/** The last one that was begun here; null where there is none. */
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

const BILLING = '/billing';
const FORM = '#add';

/** The form that adds funds; with an amount, in whole currency units from there up, and what is to be paid with it. */
export function addFundsAddress({ amount, returnTo, orderHourly }: Partial<Checkout> = {}): string {
  const query = new URLSearchParams({
    ...(amount === undefined ? {} : { amount: String(Math.ceil(amount)) }),
    ...(returnTo === undefined ? {} : { return_to: returnTo }),
    ...(orderHourly === undefined ? {} : { order_hourly: String(orderHourly) }),
  });
  return `${BILLING}${query.size === 0 ? '' : `?${query.toString()}`}${FORM}`;
}

/** The form with what was typed, if that was typed in this browser. */
export function againAddress(isForOrder: boolean): string {
  const checkout = rememberedCheckout();
  if (checkout === null && !isForOrder) return '/billing';
  return addFundsAddress({ ...checkout, returnTo: isForOrder ? 'order' : undefined });
}

/** What an address of `addFundsAddress` says; what is written by hand counts as left out. */
export function askedFunds(query: URLSearchParams): Partial<Checkout> {
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
