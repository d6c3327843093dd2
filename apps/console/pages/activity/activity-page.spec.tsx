import { describe, expect, it, jest } from '@jest/globals';
import type { ActivityAnswer } from '@moorage/contracts';
import { ACCOUNT_MESSAGES, USERS_MESSAGES } from '@moorage/domain';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { keysOf } from '../../data/live-hints';
import { type Replies, showInConsole } from '../../testing/console-fixture';
import ActivityPage from './activity-page';

const entry = (id: number, change: Partial<ActivityAnswer> = {}): ActivityAnswer => ({
  id,
  what: ACCOUNT_MESSAGES.both_missing,
  at: '2026-11-25T08:00:00.000Z',
  deployment: null,
  by: 'you',
  token: null,
  reason: null,
  ip_address: '203.0.113.9',
  browser: 'Firefox',
  system: 'Linux',
  ...change,
});
const pageOf = (activity: readonly ActivityAnswer[], current_page = 1, total_pages = 1) => ({
  body: { activity, current_page, total_pages, has_next: current_page < total_pages, has_previous: current_page > 1 },
});

const show = (replies: Replies, at = '/activity') => showInConsole(<ActivityPage />, { replies, at });

describe('activity', () => {
  it('shows the actor, device and time of each entry', async () => {
    show({
      'GET /users/self/activity': pageOf([
        entry(2, { by: 'token', token: 'ci', deployment: { id: 1047, name: 'harbour' }, ip_address: null }),
        entry(1, { reason: 'Asked by phone.' }),
      ]),
    });
    const table = within(await screen.findByRole('table', { name: 'Activity' }));
    const rows = table.getAllByRole('row').slice(1);
    expect(rows.map((row) => [...row.children].slice(1).map(({ textContent }) => textContent))).toEqual([
      ['API token "ci"', 'N/A', 'Wed 25 Nov, 08:00 UTC'],
      ['You', 'Firefox on Linux 203.0.113.9', 'Wed 25 Nov, 08:00 UTC'],
    ]);
    expect(table.getByRole('link', { name: 'harbour' })).toHaveAttribute('href', '/deployments/1047');
    expect(table.getByText(/Asked by phone\./)).toBeInTheDocument();
  });

  it('keeps kind and page in the address', async () => {
    const { calls, address } = show({
      'GET /users/self/activity': ({ query }) => pageOf([entry(1)], Number(query.page), 3),
    });
    await userEvent.selectOptions(await screen.findByLabelText('Show'), 'Money');
    await userEvent.click(await screen.findByRole('link', { name: 'Page 2' }));
    await waitFor(() => expect(calls.at(-1)?.query).toEqual({ kind: 'money', page: '2' }));
    expect(address()).toBe('/activity?kind=money&page=2');
  });

  it('shows why it is refused, without a retry', async () => {
    const { code, detail } = USERS_MESSAGES.view_private;
    show({ 'GET /users/self/activity': { status: 403, body: { code: 'FORBIDDEN', detail, message_code: code } } });
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Only the account owner can see this\./);
    expect(screen.queryAllByRole('button')).toEqual([]);
  });

  it('reloads after a hint about the account', async () => {
    const { queryClient, reply } = show({ 'GET /users/self/activity': pageOf([]) });
    expect(await screen.findByText('Nothing was recorded yet.')).toBeInTheDocument();
    reply({ 'GET /users/self/activity': pageOf([entry(1)]) });
    for (const queryKey of keysOf({ kind: 'account', id: 7, version: 1 }))
      void queryClient.invalidateQueries({ queryKey });
    expect(await screen.findByRole('table', { name: 'Activity' })).toBeInTheDocument();
  });

  it('exports all pages', async () => {
    const saved: Blob[] = [];
    URL.createObjectURL = (file) => {
      saved.push(file as Blob);
      return 'blob:x';
    };
    URL.revokeObjectURL = () => undefined;
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const { calls } = show({
      'GET /users/self/activity': ({ query }) => pageOf([entry(Number(query.page))], Number(query.page), 2),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Export as CSV' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(calls.filter(({ query }) => 'per_page' in query).map(({ query }) => query)).toEqual([
      { page: '1', per_page: '100' },
      { page: '2', per_page: '100' },
    ]);
  });
});
