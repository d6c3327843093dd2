import { describe, expect, it } from '@jest/globals';
import type { AdminCounts } from '@moorage/contracts';
import { onlineManager } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { settingsOf, showInConsole, USER } from '../../testing/console-fixture';
import { leaveConsole } from '../../testing/leave-console';
import { onNarrowScreen } from '../../testing/screen-size';
import { closeSupport, useSupportDesk } from '../../parts/support/support-desk';
import { runwayOf } from '../../pages/billing/testing';
import { ConsoleBar } from './console-bar';

const COUNTS: AdminCounts = {
  urgent: 0,
  alerts: 0,
  conversations: { open: 0, overdue: 0 },
  reviews: 0,
  failed_deployments: 0,
  incidents: 0,
  payment_differences: 0,
};
const REPLIES = { 'GET /billing/runway': { body: runwayOf() }, 'GET /admin/counts': { body: COUNTS } };
const ADMIN = { ...USER, is_admin: true };
const openMenu = async (): Promise<HTMLElement> => {
  await userEvent.click(await screen.findByRole('button', { name: /menu/i }));
  return screen.findByRole('menu');
};

describe('destinations in the bar', () => {
  it.each([
    ['/deployments/1053', 'true'],
    ['/deployments/1053/settings', 'true'],
    ['/deployments/1053/show', null],
  ])('mark the dashboard at %s: %s', async (at, current) => {
    showInConsole(<ConsoleBar />, { replies: REPLIES, at, user: USER });
    const dashboard = await screen.findByRole('link', { name: 'Dashboard' });
    expect(dashboard.getAttribute('aria-current')).toBe(current);
  });
});

describe("administrators' places", () => {
  const links = () =>
    within(screen.getByRole('navigation', { name: 'Main' }))
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')]);

  it("are in their bar instead of the customers', which are in the menu", async () => {
    showInConsole(<ConsoleBar />, { replies: REPLIES, at: '/admin', user: ADMIN });
    await screen.findByRole('navigation');
    expect(links()).toEqual([
      ['Operations', '/admin'],
      ['Deployments', '/admin-deployments'],
      ['Users', '/users'],
      ['Payments', '/payments'],
      ['Inbox', '/support-inbox'],
    ]);
    const menu = within(await openMenu());
    expect(menu.getByRole('menuitem', { name: 'Dashboard' })).toBeInTheDocument();
    expect(menu.getByRole('menuitem', { name: 'Billing' })).toBeInTheDocument();
  });

  it('have the number of what waits there', async () => {
    const counts = {
      urgent: 3,
      alerts: 1,
      conversations: { open: 4, overdue: 1 },
      reviews: 2,
      failed_deployments: 5,
      incidents: 6,
      payment_differences: 1,
    };
    const replies = { ...REPLIES, 'GET /admin/counts': { body: counts } };
    showInConsole(<ConsoleBar />, { replies, at: '/admin', user: ADMIN });
    expect(await screen.findByRole('link', { name: 'Operations 3 need attention' })).toBeInTheDocument();
    for (const name of ['Deployments 5 failed', 'Payments 1 differs', 'Inbox 4 waiting, 1 overdue'])
      expect(screen.getByRole('link', { name })).toBeInTheDocument();
    expect(within(await openMenu()).getByRole('menuitem', { name: 'Incidents 6 open' })).toBeInTheDocument();
  });

  it('are in the menu on narrow screens, before those of customers', async () => {
    onNarrowScreen();
    showInConsole(<ConsoleBar />, { replies: REPLIES, at: '/admin', user: ADMIN });
    const items = within(await openMenu()).getAllByRole('menuitem');
    const names = items.map(({ textContent }) => textContent);
    expect(names.slice(1, 6)).toEqual(['Operations', 'All Deployments', 'Users', 'Payments', 'Support Inbox']);
    expect(names).toContain('Dashboard');
  });

  it('leave out how long nothing runs', async () => {
    showInConsole(<ConsoleBar />, {
      replies: { ...REPLIES, 'GET /billing/runway': { body: runwayOf({ running: 0 }) } },
      at: '/admin',
      user: ADMIN,
    });
    await screen.findByRole('navigation');
    expect(screen.queryByText('No charges today')).not.toBeInTheDocument();
  });
});

describe('account menu', () => {
  it('shows the account, and the administrator role in the bar', async () => {
    showInConsole(<ConsoleBar />, { replies: REPLIES, at: '/dashboard', user: ADMIN });
    await screen.findByRole('button', { name: /menu/i });
    expect(screen.getByText('Admin')).toBeInTheDocument();
    expect(within(await openMenu()).getByText(USER.email)).toBeInTheDocument();
    leaveConsole();
    showInConsole(<ConsoleBar />, { replies: REPLIES, at: '/dashboard', user: USER });
    await screen.findByRole('button', { name: /menu/i });
    expect(screen.queryByText('Admin')).not.toBeInTheDocument();
  });

  it('has no administrator link for other users', async () => {
    showInConsole(<ConsoleBar />, { replies: REPLIES, at: '/dashboard', user: USER });
    const menu = within(await openMenu());
    expect(menu.getByRole('menuitem', { name: 'Logout' })).toBeInTheDocument();
    expect(menu.getByRole('menuitem', { name: 'Support' })).toHaveAttribute('href', '/support');
    expect(menu.queryByRole('menuitem', { name: 'Referral Management' })).not.toBeInTheDocument();
    expect(menu.queryByRole('menuitem', { name: 'Users' })).not.toBeInTheDocument();
  });

  it('shows administrators the number of pending requests, and sends that request for no other user', async () => {
    const replies = { ...REPLIES, 'GET /admin/counts': { body: { ...COUNTS, reviews: 3 } } };
    showInConsole(<ConsoleBar />, { replies, at: '/dashboard', user: ADMIN });
    const menu = within(await openMenu());
    expect(await menu.findByRole('menuitem', { name: /^Referral Management.*3 waiting$/ })).toBeInTheDocument();
    leaveConsole();
    const { calls } = showInConsole(<ConsoleBar />, { replies, at: '/dashboard', user: USER });
    await openMenu();
    expect(calls.some(({ path }) => path.startsWith('/admin'))).toBe(false);
  });

  it.each([true, false])('links to referrals when they are on: %s', async (isOn) => {
    const replies = { ...REPLIES, 'GET /pricing': { body: { referrals_enabled: isOn } } };
    showInConsole(<ConsoleBar />, { replies, at: '/dashboard', user: USER });
    const menu = within(await openMenu());
    await waitFor(() => expect(menu.queryByRole('menuitem', { name: 'Referrals' }) !== null).toBe(isOn));
  });
});

describe('pages that only the owner can read', () => {
  const replies = { ...REPLIES, 'GET /console/settings': { body: settingsOf({ mails: 'kept' }) } };

  it('are in the menu', async () => {
    showInConsole(<ConsoleBar />, { replies, at: '/dashboard', user: USER });
    const menu = within(await openMenu());
    for (const name of ['Activity', 'Mailbox']) expect(await menu.findByRole('menuitem', { name })).toBeInTheDocument();
  });

  it('are left out during impersonation', async () => {
    const impersonation = { token: 'another-token', user: USER, expiresAt: '2026-11-25T09:00:00.000Z' };
    showInConsole(<ConsoleBar />, { replies, at: '/dashboard', user: ADMIN, impersonation });
    const menu = within(await openMenu());
    expect(menu.getByRole('menuitem', { name: 'Account' })).toBeInTheDocument();
    for (const name of ['Activity', 'Mailbox']) expect(menu.queryByRole('menuitem', { name })).not.toBeInTheDocument();
  });
});

describe('without a connection', () => {
  it('shows a line until it returns', async () => {
    showInConsole(<ConsoleBar />, { replies: REPLIES, at: '/dashboard', user: USER });
    await screen.findByRole('button', { name: /menu/i });
    expect(screen.queryByText(/^You're offline/)).not.toBeInTheDocument();
    act(() => onlineManager.setOnline(false));
    expect(screen.getByText(/^You're offline/)).toBeInTheDocument();
    act(() => onlineManager.setOnline(true));
    expect(screen.queryByText(/^You're offline/)).not.toBeInTheDocument();
  });
});

describe('support', () => {
  const support = () => screen.queryByRole('button', { name: 'Support' });

  it('is a button in the bar', async () => {
    showInConsole(<ConsoleBar />, { replies: REPLIES, at: '/dashboard', user: USER });
    await screen.findByRole('button', { name: /menu/i });
    expect(support()).toBeInTheDocument();
  });

  it('is in the menu on narrow screens', async () => {
    onNarrowScreen();
    showInConsole(<ConsoleBar />, { replies: REPLIES, at: '/dashboard', user: USER });
    const menu = within(await openMenu());
    expect(support()).not.toBeInTheDocument();
    await userEvent.click(menu.getByRole('menuitem', { name: 'Contact support' }));
    expect(useSupportDesk.getState().open).toBe(true);
    closeSupport();
  });

  it('is not offered to administrators', async () => {
    showInConsole(<ConsoleBar />, { replies: REPLIES, at: '/dashboard', user: ADMIN });
    await screen.findByRole('button', { name: /menu/i });
    expect(support()).not.toBeInTheDocument();
  });
});

describe('theme and language', () => {
  it('are lists behind a single button, which close with Escape', async () => {
    showInConsole(<ConsoleBar />, { replies: REPLIES, at: '/dashboard', user: USER });
    const opener = await screen.findByRole('button', { name: 'Theme and language' });
    await userEvent.click(opener);
    const theme = within(screen.getByRole('group', { name: 'Theme' }));
    const chosen = () => theme.getAllByRole('button').map((each) => [each.textContent, each.ariaPressed]);
    expect(chosen()).toEqual([
      ['Light', 'true'],
      ['Dark', 'false'],
      ['System', 'false'],
    ]);
    await userEvent.click(theme.getByRole('button', { name: 'Dark' }));
    expect(document.documentElement.dataset.theme).toBe('dark');
    expect(screen.queryByRole('group', { name: 'Theme' })).not.toBeInTheDocument();

    await userEvent.click(opener);
    expect(screen.getByRole('button', { name: 'Dark', pressed: true })).toBeInTheDocument();
    expect(
      within(screen.getByRole('group', { name: 'Language' })).getByRole('button', { name: 'English' }),
    ).toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('group', { name: 'Language' })).not.toBeInTheDocument();
    expect(opener).toHaveFocus();
    await userEvent.click(opener);
    await userEvent.click(screen.getByRole('button', { name: 'Light' }));
  });
});
