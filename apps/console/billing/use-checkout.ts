import { useState } from 'react';
import { useNotify } from 'react-admin';
import { ApiError } from '../data/api';
import { beginCheckout, useBalance } from '../data/billing';
import { rememberCheckout } from '../data/checkout';
import { useRequestKey } from '../data/request-key';
import { currentLocale, messageText } from '../texts/locale';
import { useConsoleSettings } from '../ui/brand';

export interface Checkout {
  /** Begins a top-up of this many currency units, in whole cents; the browser leaves for the checkout. */
  begin(amount: number): Promise<void>;
  readonly busy: boolean;
  /** Why the server refused the amount. */
  readonly refused: string | null;
  forget(): void;
}

/** The way to the card. What goes wrong is also said in a toast. */
export function useCheckout(): Checkout {
  const notify = useNotify();
  const { payments } = useConsoleSettings();
  const balance = useBalance().data;
  const key = useRequestKey();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const begin = async (amount: number): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setRefused(null);
    try {
      const { url, session_id: sessionId } = await beginCheckout(amount, key.of(amount));
      key.done();
      if (balance !== undefined) rememberCheckout({ sessionId, amount, balanceBefore: balance.regular_balance });
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
