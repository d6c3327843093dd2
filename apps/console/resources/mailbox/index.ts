import { lazy } from 'react';

export const mailbox = {
  name: 'mailbox',
  list: lazy(() => import('./list')),
  show: lazy(() => import('./show')),
  recordRepresentation: 'subject',
};
