import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { runwayOf } from '../../pages/billing/testing';
import { UntilPill } from '../../app/layout/until-pill';
import { type Replies, showInConsole } from '../../testing/console-fixture';
import Dashboard from './list';
import { card, showPage } from './page/testing';
import { deploymentOf, repliesFor } from './testing';

const SLOW = { timeout: 10_000 };
/** 58 minutes and 12 seconds after the time of `runwayOf`. */
const UNTIL = '2026-11-21T15:17:00.000Z';
const NAME = deploymentOf().client_name;

const gracePeriod = {
  deployment_id: 1053,
  client_name: NAME,
  amount: 0.8544,
  needed: 0.4144,
  grace_period_ends_at: UNTIL,
};
const unpaid = runwayOf(
  {
    ends_at: '2026-11-21T00:00:00.000Z',
    level: 'days',
    grace_periods: [gracePeriod],
    saving: { amount: 1, runs_until: '2026-11-22T00:00:00.000Z' },
  },
  0,
);

function show(deployment: ReturnType<typeof deploymentOf>, more: Replies = {}, at = '/dashboard') {
  return showInConsole(
    <>
      <UntilPill wide />
      <Dashboard />
    </>,
    { replies: repliesFor([deployment], { 'GET /deployments/unpaid-endings': { body: [] }, ...more }), at },
  );
}

const checkouts = ({ calls }: ReturnType<typeof show>) =>
  calls.filter(({ path }) => path === '/stripe/create-checkout-session');

describe('charge in its grace period', () => {
  it('is counted down in bar, banner, list and details, and the status stays the same', async () => {
    show(
      deploymentOf({ grace_period_ends_at: UNTIL }),
      { 'GET /billing/runway': { body: unpaid } },
      '/dashboard?deployment=1053',
    );
    const details = await screen.findByRole('complementary', undefined, SLOW);
    expect(await within(details).findByText('Unpaid, 58 min left', undefined, SLOW)).toBeInTheDocument();
    const row = screen.getByRole('row', { name: new RegExp(NAME) });
    expect(within(row).getByText('Unpaid, 58 min left')).toBeInTheDocument();
    expect(within(row).getByText('Ready')).toBeInTheDocument();
    expect(document.querySelector('a.until')?.textContent).toContain('Unpaid, 58 min left');
    const countdown = document.querySelector('.note.hold .countdown')?.textContent;
    expect(countdown).toMatch(/^58 min/);
  });

  it('is paid for now or, by the only filled button, for another week', async () => {
    const fixture = show(deploymentOf({ grace_period_ends_at: UNTIL }), {
      'GET /billing/runway': {
        body: {
          ...unpaid,
          saving: { amount: 5.32, runs_until: '2026-11-23T00:00:00.000Z' },
          longer: { amount: 57.34, runs_until: '2026-11-30T00:00:00.000Z' },
        },
      },
      'POST /stripe/create-checkout-session': {
        status: 201,
        body: { url: `${location.href.split('#')[0]}#paying`, session_id: 'cs_test_1' },
      },
    });
    const button = await screen.findByRole('button', { name: 'Add $5.32 · until Mon 23 Nov' }, SLOW);
    expect([...document.querySelectorAll('.btn.primary')].map(({ textContent }) => textContent)).toEqual([
      'Add $57.34 · 7 more days',
    ]);
    await userEvent.click(button);
    await waitFor(() => expect(location.hash).toBe('#paying'));
    expect(checkouts(fixture).map(({ body }) => body)).toEqual([{ amount_cents: 532 }]);
    location.hash = '';
  });

  it('links to the form if no single top-up is enough', async () => {
    show(deploymentOf({ grace_period_ends_at: UNTIL }), {
      'GET /billing/runway': { body: { ...unpaid, saving: null } },
    });
    const banner = await screen.findByRole('alert', undefined, SLOW);
    expect(within(banner).getByRole('link', { name: 'Add funds' })).toHaveAttribute('href', '/billing#add');
  });

  it('ends once its time is over', async () => {
    const past = { ...gracePeriod, grace_period_ends_at: '2026-11-21T14:18:00.000Z' };
    show(deploymentOf({ grace_period_ends_at: past.grace_period_ends_at }), {
      'GET /billing/runway': { body: { ...unpaid, grace_periods: [past] } },
    });
    expect((await screen.findAllByText('Unpaid, ending now', undefined, SLOW)).length).toBeGreaterThan(0);
  });
});

describe('before the balance runs out', () => {
  it('shows the same date everywhere, and warns with the amount that adds a week', async () => {
    const runway = runwayOf({ saving: { amount: 29.05, runs_until: '2026-12-01T00:00:00.000Z' } }, 3);
    show(deploymentOf(), { 'GET /billing/runway': { body: runway } }, '/dashboard?deployment=1053');
    const details = await screen.findByRole('complementary', undefined, SLOW);
    const date = 'Tue 24 Nov, 00:00 UTC';
    expect(await within(details).findByText(`Your balance lasts until ${date}.`, undefined, SLOW)).toBeInTheDocument();
    expect(document.querySelector('a.until [aria-hidden=true]:last-child')?.textContent).toBe(date);
    expect(document.querySelector('.runbox strong.days')?.textContent).toBe(date);
    expect(screen.getByRole('button', { name: 'Add $29.05 and run until Tue 1 Dec' })).toBeInTheDocument();
  });

  it('shows the current and the future date when choosing a level', async () => {
    const runway = runwayOf({}, 9);
    const quote = {
      support_level: 2,
      daily_cost: 2.4984,
      today: 0.6165,
      needed: 0.6165,
      available: 34,
      runs_until: { now: runway.ends_at, then: '2026-11-28T00:00:00.000Z' },
    };
    showPage(
      {},
      {
        tab: '/settings',
        more: { 'GET /billing/runway': { body: runway }, 'GET /deployments/1053/support-level': { body: quote } },
      },
    );
    const level = await card('Support level');
    await userEvent.click(level.getByRole('button', { name: 'Change' }));
    await userEvent.click(level.getByRole('radio', { name: /Professional/ }));
    expect((await level.findByText('Mon 30 Nov, 00:00 UTC', undefined, SLOW)).tagName).toBe('S');
    expect(level.getByText('Sat 28 Nov, 00:00 UTC').tagName).toBe('B');
  });
});

describe('after the balance ran out', () => {
  const at = '2026-11-21T01:01:00.000Z';
  const gone = deploymentOf({
    status: 'DESTROYED',
    deleted_at: at,
    ended: { reason: 'unpaid', at, due: 7.43, available: 2.118 },
    ran: { from: '2026-11-20T01:00:00.000Z', to: at, cost: 7.43 },
  });
  const ending = {
    deployment_id: 1053,
    client_name: NAME,
    at,
    due: 7.43,
    available: 2.118,
    server_type: 'new',
  };

  it('shows reason, time and total cost in list and details', async () => {
    show(gone, {}, '/dashboard?deployment=1053');
    const details = within(await screen.findByRole('complementary', undefined, SLOW));
    expect(
      await details.findByText(`${NAME} was deleted on Sat 21 Nov, 01:01 UTC because your balance was too low.`),
    ).toBeInTheDocument();
    expect(
      details.getByText('$7.43 was due, but your balance was $2.11. Its server and disk were deleted.'),
    ).toBeInTheDocument();
    expect(details.getByText('Ran for 1 day. Total cost: $7.43.')).toBeInTheDocument();
    const row = screen.getByRole('row', { name: new RegExp(NAME) });
    expect(within(row).getByText('unpaid, Sat 21 Nov, 01:01 UTC')).toBeInTheDocument();
  });

  it('shows a banner until it is dismissed', async () => {
    let endings = [ending];
    const { calls } = show(gone, {
      'GET /deployments/unpaid-endings': () => ({ body: endings }),
      'POST /deployments/1053/dismiss-ending': () => {
        endings = [];
        return { body: { message: '' } };
      },
    });
    expect(
      await screen.findByText(
        `${NAME} was deleted on Sat 21 Nov, 01:01 UTC because your balance was too low.`,
        undefined,
        SLOW,
      ),
    ).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: `Dismiss the notice about ${NAME}` }));
    await waitFor(() => expect(screen.queryByText(/was deleted on/)).not.toBeInTheDocument());
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('links from the banner to the wizard, prefilled as before', async () => {
    const fixture = show(gone, { 'GET /deployments/unpaid-endings': { body: [ending] } });
    const banner = (
      await screen.findByText(
        `${NAME} was deleted on Sat 21 Nov, 01:01 UTC because your balance was too low.`,
        undefined,
        SLOW,
      )
    ).closest('.note') as HTMLElement;
    await userEvent.click(within(banner).getByRole('button', { name: 'Create again' }));
    await waitFor(() => expect(fixture.address()).toMatch(/^\/create-deployment/), SLOW);
  });

  it('shows a count for more than three deployments', async () => {
    const five = [1, 2, 3, 4, 5].map((id) => ({ ...ending, deployment_id: id, client_name: `berth-${id}` }));
    show(gone, { 'GET /deployments/unpaid-endings': { body: five } });
    expect(await screen.findByText('and 2 more', undefined, SLOW)).toBeInTheDocument();
    expect(screen.getAllByText(/was deleted on/)).toHaveLength(3);
  });
});
