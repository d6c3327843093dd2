import { lazy } from 'react';

export const referrals = {
  name: 'referrals',
  list: lazy(() => import('./list')),
};
