import { lazy } from 'react';

export const creditRequests = {
  name: 'credit-requests',
  list: lazy(() => import('./list')),
};
