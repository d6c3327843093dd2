import { lazy } from 'react';

export const payments = {
  name: 'payments',
  list: lazy(() => import('./list')),
  show: lazy(() => import('./show')),
  recordRepresentation: 'id',
};
