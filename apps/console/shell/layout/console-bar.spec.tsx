import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { leaveConsole, showInConsole, USER } from '../../testing/console-fixture';
import { runwayOf } from '../../billing/testing';
import { ConsoleBar } from './console-bar';

afterEach(leaveConsole);

const REPLIES = { 'GET /billing/runway': { body: runwayOf() } };
const openMenu = async (): Promise<HTMLElement> => {
  await userEvent.click(await screen.findByRole('button', { name: /menu/i }));
  return screen.findByRole('menu');
};

describe('the account menu', () => {
  it('leads administrators to everybody’s deployments', async () => {
    showInConsole(<ConsoleBar />, { replies: REPLIES, at: '/dashboard', user: { ...USER, is_admin: true } });
    const link = within(await openMenu()).getByRole('menuitem', { name: 'All Deployments' });
    expect(link.getAttribute('href')).toBe('/deployments');
  });

  it('has no such way for anybody else', async () => {
    showInConsole(<ConsoleBar />, { replies: REPLIES, at: '/dashboard', user: USER });
    const menu = within(await openMenu());
    expect(menu.getByRole('menuitem', { name: 'Logout' })).toBeTruthy();
    expect(menu.queryByRole('menuitem', { name: 'All Deployments' })).toBeNull();
    expect(menu.queryByRole('menuitem', { name: 'Users' })).toBeNull();
  });
});
