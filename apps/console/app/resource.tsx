import type { ReactNode } from 'react';
import { Resource, ResourceContextProvider } from 'react-admin';
import { Route } from 'react-router-dom';
import { listAddress, type ResourceScreens } from './screens';

/** Builds a resource at the addresses that react-admin assigns. */
export const resourceOf = ({ resource }: ResourceScreens) => <Resource key={resource.name} {...resource} />;

/** Builds the routes of a resource whose list has an address of its own. */
export function routesOf(screens: ResourceScreens) {
  const { name, list: List, show: Show } = screens.resource;
  const path = listAddress(screens);
  const inContext = (page: ReactNode) => <ResourceContextProvider value={name}>{page}</ResourceContextProvider>;
  return [
    <Route key={path} path={path} element={inContext(<List />)} />,
    ...(Show === undefined ? [] : [<Route key={`${path}/:id`} path={`${path}/:id`} element={inContext(<Show />)} />]),
  ];
}
