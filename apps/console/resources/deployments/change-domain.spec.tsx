import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Replies, settingsOf, USER } from '../../testing/console-fixture';
import { leaveConsole } from '../../testing/leave-console';
import { deploymentOf, dnsOf } from './testing';
import { showDetails, SLOW } from './drawer/testing';

const CHANGE = { name: 'Change domain' };
const DNS = { 'GET /deployments/1053/dns': { body: dnsOf() } };

const SETTINGS: Replies = { 'GET /console/settings': { body: settingsOf() } };

async function opened(over = {}, more: Replies = {}) {
  const shown = await showDetails({ status: 'DNS_VALIDATION', ...over }, { ...DNS, ...more });
  await userEvent.click(await shown.part.findByRole('button', CHANGE, SLOW));
  const field = shown.part.getByRole<HTMLInputElement>('textbox', { name: 'New domain' });
  const send = async (typed: string) => {
    await userEvent.clear(field);
    await userEvent.type(field, typed);
    await userEvent.click(shown.part.getByRole('button', CHANGE));
  };
  const problem = () => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent;
  return { ...shown, field, send, problem };
}

describe('changing the domain', () => {
  it('sends the normalised domain, confirms it, and checks its records', async () => {
    const { part, sent, reply, send, drawer } = await opened();
    const changed = deploymentOf({ status: 'DNS_VALIDATION', domain: 'other-lights.example', version: 4 });
    reply({
      'PUT /deployments/1053/domain': { body: changed },
      'GET /deployments/1053': { body: changed },
      'GET /deployments/1053/dns': { body: dnsOf({ domain: 'other-lights.example', checked_at: null }) },
    });
    await send(' https://Other-Lights.example/ ');
    expect(
      await screen.findByText("Domain changed to other-lights.example. We're checking its records."),
    ).toBeInTheDocument();
    expect(sent('PUT', '/domain').map(({ body }) => body)).toEqual([{ domain: 'other-lights.example' }]);
    await waitFor(() =>
      expect(drawer.textContent).toContain('Add these at your DNS provider for other-lights.example.'),
    );
    // One answer brings the record and its DNS records from now on.
    expect(sent('GET', '/setup').length).toBeGreaterThan(0);
    expect(part.queryByRole('textbox', { name: 'New domain' })).not.toBeInTheDocument();
  });

  it.each([
    ['shop.internal', /^Names in the zone internal are reserved/],
    ['co.uk', /^Names below co\.uk are registered by other people/],
  ])('rejects %s, which cannot point to a server', async (typed, words) => {
    const { sent, send, problem } = await opened({}, SETTINGS);
    await send(typed);
    await waitFor(() => expect(problem()).toMatch(words));
    expect(sent('PUT', '/domain')).toHaveLength(0);
  });

  it.each([
    ['an invalid domain', 'harbour', 'Enter a domain you own, for example your-domain.com.'],
    ['the current domain', 'harbour-lights.example', 'The deployment already has this domain.'],
  ])('refuses %s at the field without a request', async (_what, typed, words) => {
    const { sent, send, field, problem } = await opened();
    await send(typed);
    await waitFor(() => expect(problem()).toBe(words));
    expect(field).toHaveAttribute('aria-invalid', 'true');
    expect(field).toHaveFocus();
    expect(sent('PUT', '/domain')).toHaveLength(0);
  });

  it('shows the rejection of the server at the field', async () => {
    const { reply, send, problem } = await opened({ status: 'DNS_FAILED' });
    const message = 'Another deployment has this domain.';
    reply({
      'PUT /deployments/1053/domain': {
        status: 422,
        body: { detail: message, code: 'FIELDS_INVALID', errors: [{ path: 'domain', message }] },
      },
    });
    await send('other-lights.example');
    await waitFor(() => expect(problem()).toBe(message));
  });

  it('is rejected within 15 minutes with the time left', async () => {
    const { part, reply, send } = await opened();
    reply({
      'PUT /deployments/1053/domain': {
        status: 429,
        body: { detail: 'You can change the domain once every 15 minutes.', code: 'RATE_LIMITED' },
        headers: { 'retry-after': '700' },
      },
    });
    await send('other-lights.example');
    expect((await part.findByText(/^The domain was changed less than 15 minutes ago/)).textContent).toMatch(
      /Try again in 11 min (3\d|40) s\.$/,
    );
    expect(part.getByRole('button', CHANGE)).toBeDisabled();
  });

  it('is not offered while the deployment is being set up, nor to other users', async () => {
    const { part } = await showDetails({ status: 'READY', actions: ['change_domain'] }, DNS);
    await part.findAllByRole('status', undefined, SLOW);
    expect(part.queryByRole('button', CHANGE)).not.toBeInTheDocument();
    leaveConsole();
    const other = await showDetails({ status: 'DNS_FAILED', user_id: 99 }, DNS, { ...USER, is_admin: true });
    await other.part.findAllByRole('status', undefined, SLOW);
    expect(other.part.queryByRole('button', CHANGE)).not.toBeInTheDocument();
  });

  it('shows why it is disabled while the email is not verified', async () => {
    const { part } = await showDetails({ status: 'DNS_FAILED' }, DNS, { ...USER, is_verified: false });
    const button = await part.findByRole('button', CHANGE, SLOW);
    await userEvent.hover(button);
    expect((await screen.findByRole('tooltip')).textContent).toBe(
      'Verify your email to create deployments and change your account.',
    );
  });
});
