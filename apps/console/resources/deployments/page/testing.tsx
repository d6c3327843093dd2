import type { DeploymentAnswer } from '@moorage/contracts';
import { screen, within } from '@testing-library/react';
import { lazy } from 'react';
import { Route, Routes } from 'react-router-dom';
import { type Replies, showInConsole } from '../../../testing/console-fixture';
import DeploymentShow from '../show';
import { TABS } from '../tabs';
import { deploymentOf, repliesFor } from '../testing';

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

type Options = Partial<Omit<Parameters<typeof showInConsole>[1], 'replies' | 'at'>>;

/** Renders a tab of the page of deployment 1053, which runs unless `over` says otherwise. */
export function showPage(
  over: Partial<DeploymentAnswer> = {},
  { tab = '', more = {}, ...options }: { tab?: string; more?: Replies } & Options = {},
) {
  return showInConsole(<DeploymentRoutes />, {
    replies: repliesFor([deploymentOf({ status: 'READY', ...over })], more),
    at: `/deployments/1053${tab}`,
    ...options,
  });
}

/** Waits for a card of the page. */
export const card = async (name: string) => within(await screen.findByRole('region', { name }));
