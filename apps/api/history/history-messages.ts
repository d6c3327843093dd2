import { asStored, HISTORY_MESSAGES, type Message, Money } from '@moorage/domain';

/** Facts shown for an action. Each action has its own. */
export interface HistoryFacts {
  readonly reason?: string;
  readonly count?: number;
  readonly amount_micros?: string;
  readonly before_micros?: string;
  readonly name?: string;
  readonly package?: string;
  readonly version?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Returns the message for the owner of the account, without details that are internal to the staff. */
export function ownerMessage(action: string, facts: HistoryFacts): Message {
  switch (action) {
    case 'account.viewed':
      return HISTORY_MESSAGES.account_viewed_by_support;
    case 'payment.refund_requested':
      return HISTORY_MESSAGES.payment_refund_to_card({ amount: dollars(facts.amount_micros ?? '0') });
    case 'referral.rejected':
      return HISTORY_MESSAGES.referral_declined;
  }
  return historyMessage(action, facts);
}

/** Returns the message for administrators. */
export function historyMessage(
  action: string,
  {
    reason = '',
    count = 0,
    amount_micros = '0',
    before_micros = '0',
    name = '',
    from = '',
    to = '',
    ...facts
  }: HistoryFacts,
): Message {
  switch (action) {
    case 'account.viewed':
      return HISTORY_MESSAGES.account_viewed({ reason });
    case 'account.prepared':
      return HISTORY_MESSAGES.account_prepared({ count });
    case 'balance.adjusted':
      return HISTORY_MESSAGES.balance_adjusted({ amount: dollars(amount_micros) });
    case 'credit.adjusted':
      return HISTORY_MESSAGES.credit_adjusted({ before: dollars(before_micros), amount: dollars(amount_micros) });
    case 'payment.refund_requested':
      return HISTORY_MESSAGES.payment_refund_requested({ amount: dollars(amount_micros), reason });
    case 'payment.refund_refused':
      return HISTORY_MESSAGES.payment_refund_refused({ amount: dollars(amount_micros), reason });
    case 'free_credits.rejected':
      return HISTORY_MESSAGES.free_credits_rejected({ reason });
    case 'referral.rejected':
      return HISTORY_MESSAGES.referral_rejected({ reason });
    case 'deployment.container_restarted':
      return HISTORY_MESSAGES.deployment_container_restarted({ name });
    case 'deployment.updated':
      return HISTORY_MESSAGES.deployment_updated({ version: facts.version ?? '' });
    case 'deployment.update_done':
      return HISTORY_MESSAGES.deployment_update_done({ from, to });
    case 'deployment.update_undone':
      return HISTORY_MESSAGES.deployment_update_undone({ from, to });
    case 'deployment.update_not_begun':
      return HISTORY_MESSAGES.deployment_update_not_begun({ from, to });
    case 'deployment.update_not_undone':
      return HISTORY_MESSAGES.deployment_update_not_undone({ to });
    case 'release.decided':
      return HISTORY_MESSAGES.release_decided({ package: facts.package ?? '', version: facts.version ?? '' });
    case 'deployment.ssh_key_added':
      return HISTORY_MESSAGES.deployment_ssh_key_added({ name });
    case 'deployment.ssh_key_removed':
      return HISTORY_MESSAGES.deployment_ssh_key_removed({ name });
  }
  const message = ACTIONS.get(action.replace('.', '_'));
  // An action of another version, or of the whole installation.
  return typeof message === 'object' ? message : asStored(action);
}

const ACTIONS = new Map(Object.entries(HISTORY_MESSAGES));

/** Formats an amount as `$5.00` or `-$2.50`. */
function dollars(micros: string): string {
  const amount = Money.fromMicrosText(micros);
  return amount.isNegative ? `-$${amount.negated().toDisplay('price')}` : `$${amount.toDisplay('price')}`;
}
