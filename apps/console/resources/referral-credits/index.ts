import { lazy } from 'react';

export const referralCredits = {
  name: 'referral-credits',
  list: lazy(() => import('./list')),
};
