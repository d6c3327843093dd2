import { describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MARA, open, serveApi } from './testing';

const linksIn = (box: HTMLElement): (string | null)[] =>
  within(box)
    .getAllByRole('link')
    .map((link) => link.textContent);
const header = (): HTMLElement => screen.getByRole('banner');

describe('header of a public page', () => {
  it('links visitors to the dashboard, beside the login and in the phone menu', async () => {
    serveApi({});
    open('/pricing');
    const dashboard = await within(header()).findByRole('link', { name: 'Dashboard' });
    expect(dashboard).toHaveAttribute('href', '/dashboard');
    expect(within(header()).getByRole('link', { name: 'Login' })).toBeInTheDocument();
    const opener = within(header()).getByRole('button', { name: 'Open menu' });
    await userEvent.click(opener);
    const menu = opener.nextElementSibling as HTMLElement;
    expect(linksIn(menu)).toEqual(['Dashboard', 'Pricing', 'Login', 'Sign Up']);
    expect(within(menu).getByRole('group', { name: 'Theme' })).toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
    expect(menu).not.toBeInTheDocument();
    expect(opener).toHaveFocus();
  });

  it('shows the account of a logged-in user and marks administrators', async () => {
    serveApi({ 'GET /auth/me': () => ({ body: { ...MARA, is_admin: true } }) });
    open('/pricing', { as: { ...MARA, is_admin: true } });
    expect(await within(header()).findByText('Admin')).toBeInTheDocument();
    await userEvent.click(within(header()).getByRole('button', { name: `Account menu of ${MARA.username}` }));
    expect(within(header()).getByText(MARA.email)).toBeInTheDocument();
    expect(within(header()).getByRole('link', { name: 'Referral Management' })).toBeInTheDocument();
    expect(within(header()).queryByRole('link', { name: 'Login' })).not.toBeInTheDocument();
  });

  it('changes theme and language in a single list', async () => {
    serveApi({});
    open('/pricing');
    const opener = await screen.findByRole('button', { name: 'Theme and language' });
    await userEvent.click(opener);
    await userEvent.click(screen.getByRole('button', { name: 'Dark' }));
    expect(document.documentElement.dataset.theme).toBe('dark');
    await userEvent.click(opener);
    await userEvent.click(screen.getByRole('button', { name: 'Light' }));
    expect(document.documentElement.dataset.theme).toBe('light');
  });
});
