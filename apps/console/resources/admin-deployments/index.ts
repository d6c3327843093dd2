import { lazy } from 'react';

export const adminDeployments = {
  name: 'admin-deployments',
  list: lazy(() => import('./list')),
  show: lazy(() => import('./show')),
  recordRepresentation: 'client_name',
};
