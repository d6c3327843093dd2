import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ACCESS_MESSAGES } from '@moorage/domain';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { pages } from '../../data/navigation';
import { ConsoleBar } from '../../app/layout/console-bar';
import { ADMIN, type Replies, settingsOf, showInConsole, USER } from '../../testing/console-fixture';
import { leaveConsole } from '../../testing/leave-console';
import { loadConsoleSettings } from '../../data/brand';
import QueuesPage from './queues-page';

const SETTINGS = settingsOf({ mode: 'production', has_queue_board: true });
const OPENED = { body: { path: '/api/admin/queues/', expires_at: '2026-11-20T10:10:00.000Z' } };

/** Fake of the tab that `window.open` returns. Records what happens to it, in order. */
function newTab() {
  const happened: string[] = [];
  const tab = {
    opener: window as unknown,
    location: { replace: (to: string) => void happened.push(`replace ${to}`) },
    close: () => void happened.push('close'),
  };
  const open = jest.spyOn(window, 'open').mockImplementation(() => tab as unknown as Window);
  return { tab, happened, open };
}

describe('queues page before the capabilities of the installation are known', () => {
  it('has no menu entry and shows that there are no queues', async () => {
    showInConsole(<ConsoleBar />, { replies: {}, user: ADMIN });
    await userEvent.click(await screen.findByRole('button', { name: /menu/i }));
    expect(within(await screen.findByRole('menu')).queryByRole('menuitem', { name: 'Queues' })).not.toBeInTheDocument();
    leaveConsole();
    showInConsole(<QueuesPage />, { replies: {}, user: ADMIN });
    expect(
      await screen.findByText('This installation uses PostgreSQL for background work, so there are no queues to show.'),
    ).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /Open queues/ })).not.toBeInTheDocument();
  });
});

describe('queues page of an installation with Bull', () => {
  // Loaded once for the lifetime of the page.
  beforeAll(async () => {
    showInConsole(<p />, { replies: { 'GET /console/settings': { body: SETTINGS } } });
    await act(async () => void (await loadConsoleSettings()));
    leaveConsole();
  });

  const show = (reply: Replies[string]) =>
    showInConsole(<QueuesPage />, { replies: { 'POST /admin/queues/session': reply }, at: '/queues', user: ADMIN });
  const open = async () => userEvent.click(await screen.findByRole('button', { name: 'Open queues (in a new tab)' }));

  it('is in the menu for administrators only', async () => {
    for (const user of [ADMIN, USER]) {
      showInConsole(<ConsoleBar />, { replies: {}, user });
      await userEvent.click(await screen.findByRole('button', { name: /menu/i }));
      const item = within(await screen.findByRole('menu')).queryByRole('menuitem', { name: 'Queues' });
      expect(item?.getAttribute('href')).toBe(user.is_admin ? '/queues' : undefined);
      leaveConsole();
    }
  });

  it('opens the board in its own tab without data of this tab', async () => {
    const { tab, happened, open: opened } = newTab();
    const { calls } = show(OPENED);
    await open();
    await waitFor(() => expect(happened).toEqual(['replace /api/admin/queues/']));
    expect([tab.opener, opened.mock.calls]).toEqual([null, [['', '_blank']]]);
    expect(calls.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual(['/admin/queues/session']);
  });

  it('opens the board in place of the console if the browser opens no tab', async () => {
    jest.spyOn(window, 'open').mockImplementation(() => null);
    const load = jest.spyOn(pages, 'load').mockImplementation(() => undefined);
    show(OPENED);
    await open();
    await waitFor(() => expect(load.mock.calls).toEqual([['/api/admin/queues/']]));
  });

  it('shows a rejection and leaves no empty tab', async () => {
    const { happened } = newTab();
    const { detail, code, facts } = ACCESS_MESSAGES.two_factor_first;
    show({ status: 403, body: { detail, code: 'TWO_FACTOR_REQUIRED', message_code: code, facts } });
    await open();
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain(detail);
    expect(within(alert).getByRole('link')).toHaveAttribute('href', '/account#two-factor');
    expect(happened).toEqual(['close']);
  });

  it('is for administrators only', async () => {
    showInConsole(<QueuesPage />, { replies: {}, user: USER });
    expect(await screen.findByRole('alert')).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Queues' })).not.toBeInTheDocument();
  });
});
