import type { Ledger } from '@moorage/ledger';
import type { Envelope } from '@moorage/messaging';
import type { ProductEventHandlers } from '@moorage/runtime';
import type { Clock, Tx } from '@moorage/server';

/**
 * A deployment started, stopped or changed its price: the account is settled (first charge, what a lost server gives
 * back) and its runway looked at. The event only says that there is something to look at; money reads the rows.
 */
export function createBillingHandlers({ clock, ledger }: { clock: Clock; ledger: Ledger }): ProductEventHandlers {
  const look = async (tx: Tx, { data }: Envelope<{ user_id: number }>): Promise<void> => {
    const account = { userId: data.user_id, at: await clock.now(tx) };
    await ledger.settle(tx, account);
    await ledger.warnIfLow(tx, account);
  };
  return { 'deployment.status_changed': look, 'deployment.support_level_changed': look };
}
