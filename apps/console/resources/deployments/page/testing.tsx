import { lazy } from 'react';
import { Route, Routes } from 'react-router-dom';
import DeploymentShow from '../show';
import { TABS } from '../tabs';

const PAGES = TABS.map(({ path, load }) => ({ path, Tab: lazy(load) }));

/** The page of a deployment at its addresses, and a dashboard to go to. */
export function DeploymentRoutes() {
  return (
    <Routes>
      <Route path="/deployments/:id" element={<DeploymentShow />}>
        {PAGES.map(({ path, Tab }) =>
          path === '' ? (
            <Route key={path} index element={<Tab />} />
          ) : (
            <Route key={path} path={path} element={<Tab />} />
          ),
        )}
      </Route>
      <Route path="/dashboard" element={<h1>Manage Resources</h1>} />
    </Routes>
  );
}
