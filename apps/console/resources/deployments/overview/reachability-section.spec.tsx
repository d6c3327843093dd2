import { describe, expect, it } from '@jest/globals';
import type { DeploymentAnswer, ReachabilityAnswer } from '@moorage/contracts';
import { REACHABILITY_STATES } from '@moorage/domain';
import { screen, within } from '@testing-library/react';
import { showInConsole } from '../../../testing/console-fixture';
import { deploymentsTexts as german } from '../../../texts/de/deployments';
import { deploymentsTexts as english } from '../../../texts/en/deployments';
import Dashboard from '../list';
import { deploymentOf, repliesFor } from '../testing';

const SLOW = { timeout: 10_000 };
const REACHABLE: ReachabilityAnswer = {
  state: 'reachable',
  since: '2026-11-21T14:16:00.000Z',
  checked_at: '2026-11-21T14:16:00.000Z',
  outages: [],
};

/** Returns the text of the section, or null if there is none. */
async function show(over: Partial<DeploymentAnswer>): Promise<string | null> {
  const deployment = deploymentOf({ status: 'READY', ...over });
  showInConsole(<Dashboard />, { replies: repliesFor([deployment]), at: '/dashboard?deployment=1053' });
  await screen.findByRole('heading', { name: deployment.client_name, level: 2 }, SLOW);
  const drawer = document.querySelector('.drawer') as HTMLElement;
  await within(drawer).findByRole('heading', { name: english.facts.title, level: 3 }, SLOW);
  return drawer.querySelector('.reachability')?.textContent ?? null;
}

describe('reachability in the details', () => {
  it('shows that the deployment is reachable and when that was checked', async () => {
    expect(await show({ reachability: REACHABLE })).toBe('MonitoringReachablechecked 2 min ago');
  });

  it('shows since when it is unreachable and what helps, and lists that outage only once', async () => {
    const from = '2026-11-21T14:10:00.000Z';
    const text = await show({
      reachability: { ...REACHABLE, state: 'unreachable', since: from, outages: [{ from, to: null }] },
    });
    expect(text).toMatch(/^MonitoringNot reachable since Sat 21 Nov, 14:10 UTCchecked 2 min ago/);
    expect(text).toContain('Restarting the stack often helps');
    expect(text).not.toContain('Recent outages');
    expect(screen.getByText("It's running, but not responding.")).toBeInTheDocument();
    expect(screen.queryByText("It's running.")).not.toBeInTheDocument();
  });

  it('lists the last three outages with their duration', async () => {
    const outages = [20, 19, 18, 17].map((day) => ({
      from: `2026-11-${day}T08:00:00.000Z`,
      to: `2026-11-${day}T08:25:00.000Z`,
    }));
    expect(await show({ reachability: { ...REACHABLE, outages } })).toMatch(
      /Recent outagesFri 20 Nov, 08:00 UTC for 25 minThu 19 Nov, 08:00 UTC for 25 minWed 18 Nov, 08:00 UTC for 25 min$/,
    );
  });

  it('shows that the first check is pending', async () => {
    const unknown: ReachabilityAnswer = { state: 'unknown', since: null, checked_at: null, outages: [] };
    expect(await show({ reachability: unknown })).toBe('MonitoringNot checked yet');
  });

  it('shows nothing if nothing is known', async () => {
    expect(await show({ reachability: null })).toBeNull();
  });
});

it.each([
  ['English', english],
  ['German', german],
])('has a text for every state in %s', (_, { reachability }) => {
  expect(REACHABILITY_STATES.filter((state) => reachability.state[state].trim() === '')).toEqual([]);
});
