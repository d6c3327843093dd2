/**
 * Names of what the console loads and changes. Every query key begins with one, so that a change reloads everything
 * about its resource.
 */
export type ResourceName =
  | 'account'
  | 'activity'
  | 'admin-deployments'
  | 'admin-incidents'
  | 'billing'
  | 'catalogue'
  | 'conversations'
  | 'credit-requests'
  | 'deployments'
  | 'mailbox'
  | 'own-referrals'
  | 'own-user'
  | 'payments'
  | 'platform'
  | 'providers'
  | 'queues'
  | 'referral-credits'
  | 'referrals'
  | 'releases'
  | 'servers'
  | 'support'
  | 'users';
