import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Replies, showInConsole, USER } from '../testing/console-fixture';
import { leaveConsole } from '../testing/leave-console';
import { Welcome } from './welcome';

const TITLE = 'Welcome, Administrator!';
const administrator = (id: number) => ({ ...USER, id, is_admin: true });
const counted = (total: number) => ({ body: [], headers: { 'x-total-count': String(total) } });

const show = (user: typeof USER, replies: Replies = {}) => showInConsole(<Welcome />, { replies, user });
const dismiss = async (): Promise<void> =>
  userEvent.click(await screen.findByRole('button', { name: "Got it, let's get started!" }));
/** Waits until the only request has completed and been rendered. */
const settled = (fixture: ReturnType<typeof show>) =>
  waitFor(() => expect([fixture.calls.length, fixture.queryClient.isFetching()]).toEqual([1, 0]));

describe('administrator welcome', () => {
  it.each([1, 2])('is shown to account %d without a request, regardless of other accounts', async (id) => {
    const { calls } = show(administrator(id));
    expect(await screen.findByRole('dialog', { name: TITLE })).toBeInTheDocument();
    expect(calls).toEqual([]);
  });

  it('is shown to the only administrator', async () => {
    const { calls } = show(administrator(3), { 'GET /users': counted(1) });
    expect(await screen.findByRole('dialog', { name: TITLE })).toBeInTheDocument();
    expect(calls.map(({ query }) => query)).toEqual([{ per_page: '10', page: '1', is_admin: 'true' }]);
  });

  it('is not shown if there are two administrators', async () => {
    const fixture = show(administrator(3), { 'GET /users': counted(2) });
    await settled(fixture);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('is not shown, without an error, if the list cannot be loaded', async () => {
    const fixture = show(administrator(3), { 'GET /users': { status: 403, body: { detail: 'Not now.' } } });
    await settled(fixture);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.queryByText('Not now.')).not.toBeInTheDocument();
  });

  it('is not shown to other users and sends no request for them', async () => {
    const { calls } = show({ ...USER, id: 1 });
    await Promise.resolve();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(calls).toEqual([]);
  });

  it('explains the next steps and how to initialise the database', async () => {
    show(administrator(1));
    await screen.findByRole('dialog', { name: TITLE });
    for (const text of [
      /View and manage all deployments/,
      /Manage user accounts/,
      /Make other users administrators/,
      'npm run db:init',
      /safely run it again/,
    ])
      expect(screen.getByText(text)).toBeInTheDocument();
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/account#two-factor',
      '/users',
      '/admin-deployments',
    ]);
  });

  it('stays dismissed, but is shown to another administrator', async () => {
    show(administrator(1));
    await dismiss();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    const kept = { ...localStorage };
    leaveConsole();
    Object.assign(localStorage, kept);
    show(administrator(1));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    leaveConsole();
    Object.assign(localStorage, kept);
    show(administrator(2));
    expect(await screen.findByRole('dialog', { name: TITLE })).toBeInTheDocument();
  });

  it('is dismissed by opening a next step', async () => {
    const fixture = show(administrator(1));
    await userEvent.click(await screen.findByRole('link', { name: /create the first ones/ }));
    await waitFor(() => expect(fixture.address()).toBe('/users'));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});
