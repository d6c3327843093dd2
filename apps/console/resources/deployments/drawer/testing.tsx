import type { DeploymentAnswer } from '@moorage/contracts';
import { screen, within } from '@testing-library/react';
import { type Replies, showInConsole, USER } from '../../../testing/console-fixture';
import Dashboard from '../list';
import { deploymentOf, repliesFor } from '../testing';

export const SLOW = { timeout: 10_000 };
export const NAME = 'maralind-pangolin-915204';

/** Renders the dashboard with the details of its only deployment, number 1053, open. */
export async function showDetails(over: Partial<DeploymentAnswer>, more: Replies = {}, user = USER) {
  const fixture = showInConsole(<Dashboard />, {
    replies: repliesFor([deploymentOf(over)], more),
    at: '/dashboard?deployment=1053',
    user,
  });
  await screen.findByRole('heading', { name: NAME, level: 2 }, SLOW);
  const drawer = document.querySelector('.drawer') as HTMLElement;
  const sent = (method: string, path: string) => fixture.requested(method, `/deployments/1053${path}`);
  return { ...fixture, drawer, part: within(drawer), sent };
}
