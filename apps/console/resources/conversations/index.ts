import { lazy } from 'react';

export const conversations = {
  name: 'conversations',
  list: lazy(() => import('./list')),
  show: lazy(() => import('./show')),
};
