import { lazy } from 'react';

export const users = {
  name: 'users',
  list: lazy(() => import('./list')),
  show: lazy(() => import('./show')),
  recordRepresentation: 'username',
};
