import type { Arrival } from './use-arrival';

/** State to display. `paid`, and `arriving` while it may still be confirmed, both report the payment as successful. */
export type PaymentState =
  'signed_out' | 'no_session' | 'asking' | 'unsure' | 'unknown' | 'arriving' | 'paid' | 'open' | 'failed' | 'expired';

/** Returns the state of the payment to display. */
export function paymentStateOf({ known, waiting }: Pick<Arrival, 'known' | 'waiting'>): PaymentState {
  if (typeof known === 'string') return known === 'unsure' && waiting ? 'asking' : known;
  switch (known.status) {
    case 'paid':
      return 'paid';
    case 'open':
      return waiting ? 'arriving' : 'open';
    case 'failed':
      return 'failed';
    case 'cancelled':
    case 'expired':
      return 'expired';
  }
}

/** Returns whether the payment succeeded, even if its confirmation has not arrived. */
export const isSuccess = (state: PaymentState): state is 'paid' | 'arriving' =>
  state === 'paid' || state === 'arriving';
