import type { Route } from '@moorage/contracts';
import { ACCOUNT } from './actions/account';
import { CONVERSATIONS } from './actions/conversations';
import { DEPLOYMENTS } from './actions/deployments';
import { OWN_REFERRALS } from './actions/own-referrals';
import { PAYMENTS } from './actions/payments';
import { PROVIDERS } from './actions/providers';
import { QUEUES } from './actions/queues';
import { RELEASES } from './actions/releases';
import { CREDIT_REQUESTS, REFERRAL_CREDITS, REFERRALS } from './actions/reviews';
import { SUPPORT } from './actions/support';
import { BILLING } from './actions/billing';
import { USERS } from './actions/users';

/** Every action beyond react-admin's create, read, update and delete, by its resource and name. */
export const ACTIONS = {
  account: ACCOUNT,
  conversations: CONVERSATIONS,
  'credit-requests': CREDIT_REQUESTS,
  deployments: DEPLOYMENTS,
  'own-referrals': OWN_REFERRALS,
  payments: PAYMENTS,
  providers: PROVIDERS,
  queues: QUEUES,
  'referral-credits': REFERRAL_CREDITS,
  referrals: REFERRALS,
  releases: RELEASES,
  support: SUPPORT,
  billing: BILLING,
  users: USERS,
} as const;

type Table = typeof ACTIONS;
export type ActionResource = keyof Table;
export type ActionName<N extends ActionResource> = keyof Table[N] & string;
export type ActionRoute<N extends ActionResource, A extends ActionName<N>> = Table[N][A] extends {
  readonly route: infer R extends Route;
}
  ? R
  : never;
