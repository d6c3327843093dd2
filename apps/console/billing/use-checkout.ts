import { useState } from 'react';
import { useNotify } from 'react-admin';
import { ApiError } from '../data/api';
import { beginCheckout, type TopUp } from '../data/billing';
import { rememberCheckout } from '../data/checkout';
import { sendOnce } from '../data/request-key';
import { currentLocale, messageText } from '../texts/locale';
import { useConsoleSettings } from '../ui/brand';

export interface Checkout {
  /** Begins a top-up; the browser leaves for the checkout. `orderHourly`: of the order that needs it. */
  begin(topUp: TopUp & { orderHourly?: number | undefined }): Promise<void>;
  readonly busy: boolean;
  /** Why the server refused the amount. */
  readonly refused: string | null;
  forget(): void;
}

/** The way to the card. What goes wrong is also said in a toast. */
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

/** The test checkout is a page of this installation: opened where the person is, localhost or 127.0.0.1, in their language. */
function testPage(url: string): string {
  const page = new URL(url, location.origin);
  if (currentLocale() !== 'en') page.searchParams.set('locale', currentLocale());
  return page.pathname + page.search + page.hash;
}
