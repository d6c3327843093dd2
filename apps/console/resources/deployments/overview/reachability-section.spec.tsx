import { describe, expect, it } from '@jest/globals';
import type { ReachabilityAnswer } from '@moorage/contracts';
import { REACHABILITY_STATES } from '@moorage/domain';
import { screen } from '@testing-library/react';
import { deploymentsTexts as german } from '../../../texts/de/deployments';
import { deploymentsTexts as english } from '../../../texts/en/deployments';
import { showDetails, SLOW } from '../drawer/testing';
import { card, showPage } from '../page/testing';

const REACHABLE: ReachabilityAnswer = {
  state: 'reachable',
  since: '2026-11-21T14:16:00.000Z',
  checked_at: '2026-11-21T14:16:00.000Z',
  outages: [],
};
const OUTAGES = [20, 19, 18, 17].map((day) => ({
  from: `2026-11-${day}T08:00:00.000Z`,
  to: `2026-11-${day}T08:25:00.000Z`,
}));

/** Returns the text of the card, or null if there is none. */
async function onPage(reachability: ReachabilityAnswer | null): Promise<string | null> {
  showPage({ reachability });
  await card('Cost');
  return document.querySelector('.reachability')?.textContent ?? null;
}

describe('reachability of a deployment', () => {
  it('shows that the deployment is reachable and when that was checked', async () => {
    expect(await onPage(REACHABLE)).toBe('MonitoringReachablechecked 2 min ago');
  });

  it('shows since when it is unreachable and what helps, and lists that outage only once', async () => {
    const from = '2026-11-21T14:10:00.000Z';
    const text = await onPage({ ...REACHABLE, state: 'unreachable', since: from, outages: [{ from, to: null }] });
    expect(text).toMatch(/^MonitoringNot reachable since Sat 21 Nov, 14:10 UTCchecked 2 min ago/);
    expect(text).toContain('Restarting the stack often helps');
    expect(text).not.toContain('Recent outages');
  });

  it('lists the last three outages with their duration', async () => {
    expect(await onPage({ ...REACHABLE, outages: OUTAGES })).toMatch(
      /Recent outagesFri 20 Nov, 08:00 UTC for 25 minThu 19 Nov, 08:00 UTC for 25 minWed 18 Nov, 08:00 UTC for 25 min$/,
    );
  });

  it('shows that the first check is pending', async () => {
    const unknown: ReachabilityAnswer = { state: 'unknown', since: null, checked_at: null, outages: [] };
    expect(await onPage(unknown)).toBe('MonitoringNot checked yet');
  });

  it('shows nothing if nothing is known', async () => {
    expect(await onPage(null)).toBeNull();
  });
});

describe('reachability in the details', () => {
  it('shows the current state without past outages', async () => {
    const { part, drawer } = await showDetails({ status: 'READY', reachability: { ...REACHABLE, outages: OUTAGES } });
    await part.findByText('Reachable', undefined, SLOW);
    expect(drawer.querySelector('.reachability')?.textContent).toBe('MonitoringReachablechecked 2 min ago');
    expect(screen.getByText("It's running.")).toBeInTheDocument();
  });

  it('does not call a deployment well that does not respond', async () => {
    const since = '2026-11-21T14:10:00.000Z';
    const reachability: ReachabilityAnswer = { ...REACHABLE, state: 'unreachable', since };
    await showDetails({ status: 'READY', reachability });
    expect(await screen.findByText("It's running, but not responding.", undefined, SLOW)).toBeInTheDocument();
    expect(screen.queryByText("It's running.")).not.toBeInTheDocument();
  });
});

it.each([
  ['English', english],
  ['German', german],
])('has a text for every state in %s', (_, { reachability }) => {
  expect(REACHABILITY_STATES.filter((state) => reachability.state[state].trim() === '')).toEqual([]);
});
