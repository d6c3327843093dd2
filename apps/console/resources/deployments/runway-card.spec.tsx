import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { type Replies, showInConsole } from '../../testing/console-fixture';
import { leaveConsole } from '../../testing/leave-console';
import { GracePeriodBanner } from '../../parts/money/grace-period-banner';
import { RunwayCard } from './runway-card';
import { NOTHING_RUNS, runwayOf } from '../../pages/billing/testing';

const show = (body: unknown, more: Replies = {}) =>
  showInConsole(
    <>
      <GracePeriodBanner />
      <RunwayCard />
    </>,
    { replies: { 'GET /billing/runway': { body }, ...more } },
  );

describe('runway on the dashboard', () => {
  it('shows until when everything runs, the balance and the daily cost', async () => {
    show(runwayOf());
    expect(await screen.findByText('Tue 1 Dec, 00:00 UTC')).toBeInTheDocument();
    expect(screen.getByText('Everything runs until')).toBeInTheDocument();
    expect(screen.getByText('in 9 days 9 hours, at $4.15 a day')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Add funds' })).toHaveAttribute('href', '/billing#add');
  });

  it('draws a box per day, fills paid days, and pins each deployment where it stops', async () => {
    show(runwayOf());
    const bar = await screen.findByRole('img');
    expect(bar).toHaveAttribute(
      'aria-label',
      'Everything is paid until Tue 1 Dec, 00:00 UTC, for another 9 days 9 hours. coolify-402118 and pangolin-338851 will stop first.',
    );
    expect(bar.querySelectorAll('li.p')).toHaveLength(10);
    expect(bar.querySelectorAll('li.u')).toHaveLength(4);
    expect([...bar.querySelectorAll('li')].map((day) => day.textContent).slice(0, 3)).toEqual(['Today', '22', '23']);
    expect(bar.querySelectorAll('li')[10]?.textContent).toBe('1 Dec');
    expect(bar.querySelector('.pin')?.textContent).toBe('2 deployments stop');
    expect((bar.querySelector('.pin') as HTMLElement).style.width).toBe('71.43%');
    // 14:18 in the first of fourteen boxes.
    expect((bar.querySelector('.now') as HTMLElement).style.left).toBe('4.26%');
  });

  it('names the deployment that stops', async () => {
    show(runwayOf({ stops: [{ deployment_id: 3, client_name: 'coolify-402118' }] }));
    expect((await screen.findByRole('img')).querySelector('.pin')?.textContent).toBe('coolify-402118 stops');
  });

  it('shows more than 7 days as plain text without a banner', async () => {
    show(runwayOf({}, 8));
    expect(await screen.findByText('Sun 29 Nov, 00:00 UTC')).toHaveClass('calm', { exact: true });
    expect(document.querySelector('.note')).not.toBeInTheDocument();
  });

  it('turns brass and warns at 7 days or less', async () => {
    show(runwayOf({}, 6));
    expect(await screen.findByText('Fri 27 Nov, 00:00 UTC')).toHaveClass('week', { exact: true });
    const note = document.querySelector('.note.brass');
    expect(note?.textContent).toContain('The balance lasts until Fri 27 Nov, 00:00 UTC.');
    expect(note?.textContent).not.toContain('coolify-402118');
  });

  it('turns port red and names the first deployment to stop at 3 days or less', async () => {
    show(runwayOf({}, 3));
    expect(await screen.findByText('Tue 24 Nov, 00:00 UTC')).toHaveClass('days', { exact: true });
    expect(document.querySelector('.note.port')?.textContent).toContain(
      'On Tue 24 Nov, 00:00 UTC, coolify-402118 and pangolin-338851 will stop first.',
    );
  });

  it('points out the last day', async () => {
    show(runwayOf({}, 1));
    expect((await screen.findByText('Less than a day is left.')).tagName).toBe('B');
    leaveConsole();
    show(runwayOf({}, 2));
    await screen.findByText('Mon 23 Nov, 00:00 UTC');
    expect(screen.queryByText('Less than a day is left.')).not.toBeInTheDocument();
  });

  it.each([
    [1_000, 'button', /1,000/],
    [1_000.01, 'link', 'Add funds'],
  ])('offers %d as the %s, within the largest payment of this installation', async (amount, role, name) => {
    show(runwayOf({ saving: { amount, runs_until: '2026-12-01T00:00:00.000Z' } }, 3));
    const note = await waitFor(() => document.querySelector<HTMLElement>('.note.port') ?? Promise.reject(new Error()));
    expect(within(note).getByRole(role, { name })).toBeInTheDocument();
  });

  it('shows which credits do not apply', async () => {
    show(runwayOf({ locked_credits: 4.996 }, 3));
    expect((await screen.findByText(/in referral credits won't help/)).textContent).toBe(
      "$4.99 in referral credits won't help. They need a regular balance of $5.00 or more.",
    );
  });

  it('shows no date while nothing runs', async () => {
    show(NOTHING_RUNS);
    expect(await screen.findByText('No further charges')).toBeInTheDocument();
    expect(screen.queryByRole('img')).not.toBeInTheDocument();
    expect(screen.queryByText(/UTC/)).not.toBeInTheDocument();
  });

  it('draws no pin when the end is beyond the bar', async () => {
    show(runwayOf({ ends_at: '2027-02-01T00:00:00.000Z' }, 14));
    const bar = await screen.findByRole('img');
    expect(bar.querySelector('.pin')).not.toBeInTheDocument();
    expect(bar.querySelectorAll('li.p')).toHaveLength(14);
  });

  it('keeps its layout while loading', async () => {
    show(undefined, { 'GET /billing/runway': () => new Promise<never>(() => undefined) });
    await waitFor(() => expect(document.querySelector('.runbox')).toHaveAttribute('aria-busy', 'true'));
    expect(document.querySelectorAll('.runbox .scale li')).toHaveLength(14);
    expect(document.querySelectorAll('.runbox .skel').length).toBeGreaterThan(3);
  });

  it('shows a load error and retries', async () => {
    const fixture = show(undefined, { 'GET /billing/runway': { status: 500, body: { detail: 'x' } } });
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to load billing data');
    fixture.reply({ 'GET /billing/runway': { body: runwayOf() } });
    screen.getByRole('button', { name: 'Try again now' }).click();
    expect(await screen.findByText('Tue 1 Dec, 00:00 UTC')).toBeInTheDocument();
  });

  it('shows when payment became overdue, and the amount and deadline in the banner during a grace period', async () => {
    show(
      runwayOf(
        {
          ends_at: '2026-11-21T00:00:00.000Z',
          grace_periods: [
            {
              deployment_id: 3,
              client_name: 'coolify-402118',
              amount: 0.8544,
              needed: 0.414401,
              grace_period_ends_at: '2026-11-21T15:00:00.000Z',
            },
          ],
        },
        0,
      ),
    );
    const banner = await screen.findByRole('alert');
    expect(within(banner).getByText('Payment due: the balance does not cover a charge')).toBeInTheDocument();
    expect(banner.textContent).toContain(
      'coolify-402118: $0.86 is due. Add at least $0.42 by Sat 21 Nov, 15:00 UTC, or it is deleted automatically.',
    );
    expect(within(banner).getByRole('link', { name: 'Add funds' })).toHaveAttribute('href', '/billing#add');
    expect(screen.getByText('Payment overdue since')).toBeInTheDocument();
    expect(screen.getByRole('img')).toHaveAttribute('aria-label', 'Payment overdue since Sat 21 Nov, 00:00 UTC.');
  });

  it('shows no banner while every charge is covered', async () => {
    show(runwayOf());
    await screen.findByText('Tue 1 Dec, 00:00 UTC');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});
