import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { USER } from '../../testing/console-fixture';
import { leavePage } from '../../testing/leave-console';
import { chooses, chosenIn, configOf, fills, forward, heading, openAt, openWizard } from './testing';

const SECRET = 'Very-Secret-2026!';
const input = (name: string) => document.querySelector<HTMLInputElement>(`input[name="${name}"]`);

describe('wizard draft', () => {
  it('is restored after a reload without its secrets, and states that', async () => {
    const wizard = await openAt('config');
    await fills(wizard, 'Domain', 'harbour.example');
    await fills(wizard, 'Admin Password', SECRET);
    expect(input('admin_password')?.type).toBe('password');
    leavePage();
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain(SECRET);
    openWizard();
    await screen.findByText('Configuration', { selector: 'h1' });
    await waitFor(() => expect(input('domain')).toHaveValue('harbour.example'));
    expect(input('admin_password')).toHaveValue('');
    expect(screen.getByText(/we didn't save these: Admin Password\./)).toBeInTheDocument();
    await waitFor(() => expect(chosenIn('Instance Type')).toBe('MIDDLE'));
  });

  it('opens at the lost secrets after a reload', async () => {
    const wizard = await openAt('config');
    await fills(wizard, 'Domain', 'harbour.example');
    await fills(wizard, 'Letsencrypt Email', 'mara@northsea.example');
    await fills(wizard, 'Admin Password', SECRET);
    await wizard.user.click(forward());
    await screen.findByText('Choose a support level');
    leavePage();
    openWizard();
    await screen.findByText('Configuration', { selector: 'h1' });
    await waitFor(() => expect(input('admin_email')).toHaveValue('mara@northsea.example'));
  });

  it('keeps the input when going back and forth', async () => {
    const wizard = await openAt('config');
    await fills(wizard, 'Domain', 'harbour.example');
    await fills(wizard, 'Admin Password', SECRET);
    await wizard.user.click(screen.getByText('Back'));
    expect(heading()).toBe('Choose an instance type');
    await wizard.user.click(forward());
    expect(input('domain')).toHaveValue('harbour.example');
    expect(input('admin_password')).toHaveValue(SECRET);
  });

  it('belongs to its account', async () => {
    await openAt('config');
    leavePage();
    openWizard({ user: { ...USER, id: 8 } });
    expect(await screen.findByText('Choose a package')).toBeInTheDocument();
    expect(chosenIn('Package')).toBeNull();
  });

  it('starts afresh if it is unreadable', async () => {
    sessionStorage.setItem('draft', '{"version":1,"owner":7,"draft":null,"step":"nowhere"');
    openWizard();
    expect(await screen.findByText('Choose a package')).toBeInTheDocument();
  });

  it('can be started over', async () => {
    const wizard = await openAt('region');
    await wizard.user.click(screen.getByText('Start over'));
    expect(await screen.findByText('Choose a package')).toBeInTheDocument();
    expect(chosenIn('Package')).toBeNull();
  });

  it('is discarded by Cancel only after a confirmation', async () => {
    const wizard = await openAt('region');
    await wizard.user.click(screen.getByText('Cancel'));
    await screen.findByText('Discard this draft?');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Keep it'));
    await wizard.user.click(screen.getByText('Keep it'));
    expect(heading()).toBe('Choose a region');
    await waitFor(() => expect(screen.queryByText('Discard this draft?')).not.toBeInTheDocument());
    await wizard.user.click(screen.getByText('Cancel'));
    await wizard.user.click(await screen.findByText('Discard draft'));
    await waitFor(() => expect(wizard.address()).toBe('/dashboard'));
    expect(sessionStorage.getItem('draft')).toBeNull();
  });

  it('is left without a confirmation while nothing is selected', async () => {
    const wizard = openWizard();
    await wizard.user.click(await screen.findByText('Cancel'));
    await waitFor(() => expect(wizard.address()).toBe('/dashboard'));
  });
});

describe('suggestions', () => {
  it('offer the same address for the sign-in if it is required', async () => {
    const {
      details: [part],
      ...config
    } = configOf('pangolin', { admin_name: 'email' });
    const details = part === undefined ? [] : [{ ...part, required_env: ['ADMIN_USERNAME'], optional_env: [] }];
    const wizard = await openAt('config', {
      more: { 'GET /deployments/packages/pangolin/config': { body: { ...config, details } } },
    });
    await wizard.user.click(await screen.findByText(`Use ${USER.email}`));
    expect(input('admin_username')).toHaveValue(USER.email);
  });

  it('fill in the email of the user with a click', async () => {
    const wizard = await openAt('config');
    await wizard.user.click(await screen.findByText(`Use ${USER.email}`));
    expect(input('admin_email')).toHaveValue(USER.email);
  });

  it('reveals masked values', async () => {
    const wizard = await openAt('config');
    await fills(wizard, 'Admin Password', SECRET);
    await wizard.user.click(screen.getByLabelText('Show Admin Password'));
    expect(input('admin_password')?.type).toBe('text');
    await wizard.user.click(screen.getByLabelText('Hide Admin Password'));
    expect(input('admin_password')?.type).toBe('password');
  });
});

describe('Request Package', () => {
  const open = async (more = {}) => {
    const wizard = openWizard({ more });
    await wizard.user.click(await screen.findByText('Request Package'));
    await screen.findByText('Submit request');
    return wizard;
  };
  const submit = () => screen.getByText('Submit request');

  it('requires both fields and trims them', async () => {
    const wizard = await open();
    expect(submit()).toHaveAttribute('aria-disabled', 'true');
    await fills(wizard, 'Package name', 'Umami');
    await fills(wizard, 'Reason', '   ');
    await wizard.user.click(submit());
    expect(screen.getByText('Please fill in both fields')).toBeInTheDocument();
    expect(wizard.calls.some(({ path }) => path === '/deployments/package-request')).toBe(false);
  });

  it('is sent and confirmed with the message of the server or a default', async () => {
    const wizard = await open({ 'POST /deployments/package-request': { status: 201, body: {} } });
    await fills(wizard, 'Package name', ' Umami ');
    await fills(wizard, 'Reason', 'Counting visitors');
    expect(submit()).toHaveAttribute('aria-disabled', 'false');
    await wizard.user.click(submit());
    expect(await screen.findByText('Request submitted successfully!')).toBeInTheDocument();
    const call = wizard.calls.find(({ path }) => path === '/deployments/package-request');
    expect(call?.body).toEqual({ package_name: 'Umami', reason: 'Counting visitors' });
    await waitFor(() => expect(screen.queryByText('Submit request')).not.toBeInTheDocument());
  });

  it('keeps the input on a failure', async () => {
    const wizard = await open({ 'POST /deployments/package-request': { status: 503, body: { detail: 'x' } } });
    await fills(wizard, 'Package name', 'Umami');
    await fills(wizard, 'Reason', 'Counting visitors');
    await wizard.user.click(submit());
    expect(await screen.findByText('Failed to submit request. Please try again.')).toBeInTheDocument();
    expect(screen.getByDisplayValue('Umami')).toBeInTheDocument();
  });

  it('can be opened again later', async () => {
    const wizard = await open();
    await wizard.user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByText('Submit request')).not.toBeInTheDocument());
    await chooses(wizard, 'Pangolin');
  });
});
