import { useState } from 'react';
import { useNotify } from 'react-admin';
import { ApiError } from '../../data/errors';
import { beginCheckout, type TopUp } from '../../data/billing';
import { rememberCheckout } from '../../data/checkout';
import { sendOnce } from '../../data/request-key';
import { currentLocale, messageText } from '../../texts/locale';
import { useConsoleSettings } from '../../data/brand';

export interface Checkout {
  /** Starts a top-up and leaves for the checkout. `orderHourly` is the price of the order that needs it. */
  begin(topUp: TopUp & { orderHourly?: number | undefined }): Promise<void>;
  readonly busy: boolean;
  /** Reason why the server rejected the amount. */
  readonly refused: string | null;
  forget(): void;
}

/** Starts checkouts. Errors are also shown as a toast. */
export function useCheckout(): Checkout {
  const notify = useNotify();
  const { payments } = useConsoleSettings();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const begin: Checkout['begin'] = async ({ orderHourly, ...topUp }) => {
    if (busy) return;
    setBusy(true);
    setRefused(null);
    try {
      const { url } = await sendOnce({ target: 'checkout', content: topUp }, (key) => beginCheckout(topUp, key));
      rememberCheckout({ amount: topUp.amount, returnTo: topUp.returnTo, orderHourly });
      location.assign(payments === 'test' ? testPage(url) : url);
    } catch (error) {
      setBusy(false);
      if (error instanceof ApiError && error.status > 0 && error.status < 500) setRefused(messageText(error.reason));
      notify('billing.add.failed', { type: 'error' });
    }
  };
  return { begin, busy, refused, forget: () => setRefused(null) };
}

/**
 * Returns the address of the test checkout, which is a page of this installation, on the current host and in the user's
 * language.
 */
function testPage(url: string): string {
  const page = new URL(url, location.origin);
  if (currentLocale() !== 'en') page.searchParams.set('locale', currentLocale());
  return page.pathname + page.search + page.hash;
}
