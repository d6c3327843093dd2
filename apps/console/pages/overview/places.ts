import type { AttentionAnswer } from '@moorage/contracts';
import type { AlertKind, AttentionKind } from '@moorage/domain';

/** Page on which a matter is dealt with, and what is done there. */
export interface Place {
  readonly to: string;
  readonly act: 'answer' | 'review' | 'decide' | 'show';
}

const place = (to: string, act: Place['act'] = 'review'): Place => ({ to, act });

const filtered = (path: string, filter: Readonly<Record<string, string>>): string =>
  `${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`;

export const FAILED_DEPLOYMENTS = filtered('/admin-deployments', { status: 'FAILED' });

const PLACES: Readonly<Record<Exclude<AttentionKind, 'alert'>, Place>> = {
  replies: place('/support-inbox', 'answer'),
  incidents: place('/admin-incidents', 'show'),
  failed_deployments: place(FAILED_DEPLOYMENTS, 'show'),
  unpaid_deployments: place(filtered('/admin-deployments', { group: 'needs_you' }), 'show'),
  payment_differences: place('/payments'),
  leaks: place('/providers#leaks', 'decide'),
  credit_requests: place('/admin-referrals/credit-requests', 'decide'),
  referrals: place('/admin-referrals/referrals', 'decide'),
  low_balances: place(filtered('/users', { low_balance: 'true' }), 'show'),
};

/** Alerts with a page. All others are dealt with outside the console, and their advice says how. */
const ALERT_PLACES: Readonly<Partial<Record<AlertKind, Place>>> = {
  deployment_stuck: place('/admin-deployments', 'show'),
  provider_distrusted: place('/providers'),
  provider_silent: place('/providers', 'show'),
  provider_quota: place('/providers', 'show'),
  provider_refused: place('/providers'),
  place_refused: place('/providers', 'show'),
  provider_rules: place('/providers', 'show'),
  server_reappeared: place('/providers#leaks', 'decide'),
  server_without_owner: place('/providers#leaks', 'decide'),
  leaks_cost: place('/providers#leaks', 'decide'),
  payment_differences: place('/payments'),
  payment_disputed: place(filtered('/payments', { problem: 'disputed' })),
  closed_account_paid: place('/payments'),
  refund_not_made: place(filtered('/payments', { problem: 'refunded' })),
  backups_stale: place('/admin-deployments', 'show'),
  release_stopped: place('/releases', 'decide'),
  image_newer: place('/releases', 'show'),
  image_withdrawn: place('/releases'),
  image_moved: place('/releases', 'show'),
};

/** Returns where a matter is dealt with, or null if the console has no page for it. */
export function placeOf({ kind, alert }: Pick<AttentionAnswer, 'kind' | 'alert'>): Place | null {
  if (kind !== 'alert') return PLACES[kind];
  const name = alert?.kind ?? '';
  return Object.hasOwn(ALERT_PLACES, name) ? (ALERT_PLACES[name as AlertKind] ?? null) : null;
}
