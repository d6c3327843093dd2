import { lazy } from 'react';

export const adminDeployments = {
  name: 'deployments',
  list: lazy(() => import('./list')),
  show: lazy(() => import('./show')),
  recordRepresentation: 'client_name',
};
