import { LANGUAGES } from '@moorage/domain';
import { type Checkout, rememberCheckout } from '../../data/checkout';
import { refusalOf } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { currentLocale } from '../../texts/locale';
import { useConsoleSettings } from '../../data/brand';

interface TopUp extends Checkout {
  /** Save the card for automatic top-ups. */
  readonly saveCard?: boolean;
}

/** Starts checkouts. Busy until the browser has left for the checkout. */
export function useCheckout() {
  const { payments } = useConsoleSettings();
  const start = useAction('billing', 'startCheckout');
  const busy = start.isPending || start.isSuccess;
  const begin = async ({ saveCard = false, ...checkout }: TopUp): Promise<void> => {
    if (busy) return;
    const { amount, returnTo } = checkout;
    const { url } = await start.mutateAsync({
      body: {
        amount_cents: centsOf(amount),
        ...(saveCard ? { save_card: true } : {}),
        ...(returnTo === undefined ? {} : { return_to: returnTo }),
      },
    });
    rememberCheckout(checkout);
    location.assign(payments === 'test' ? testPage(url) : url);
  };
  return {
    begin,
    busy,
    /** Returns why the server refused a top-up of this amount, or null. */
    refusalFor: (amount: number | null): string | null =>
      amount !== null && start.variables?.body.amount_cents === centsOf(amount) ? refusalOf(start.error) : null,
  };
}

const centsOf = (amount: number): number => Math.round(amount * 100);

/**
 * Returns the address of the test checkout, which is a page of this installation, on the current host and in the user's
 * language.
 */
function testPage(url: string): string {
  const page = new URL(url, location.origin);
  if (currentLocale() !== LANGUAGES[0]) page.searchParams.set('locale', currentLocale());
  return page.pathname + page.search + page.hash;
}
