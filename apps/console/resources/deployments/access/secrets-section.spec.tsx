import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN } from '../../../testing/console-fixture';
import { card, showPage } from '../page/testing';
import { DASHBOARD_LOGIN } from '../testing';

const SHOW = { name: 'Show secrets' };
const more = {
  'POST /deployments/1053/reveal-secrets': {
    body: {
      secrets: [
        { name: 'ADMIN_PASSWORD', label: 'Admin Password', value: 'hunter2-hunter2' },
        { name: 'SETUP_TOKEN', label: 'Setup Token', value: 'used-up' },
      ],
    },
  },
};

describe('secrets of a deployment', () => {
  it('are shown to the owner on demand, state that this is audited, and are hidden when the tab is left', async () => {
    const { calls } = showPage({}, { tab: '/access', more });
    const secrets = await card('Secrets');
    expect(secrets.getByText(/Viewing them is logged/)).toBeInTheDocument();
    expect(calls.some(({ path }) => path.endsWith('/reveal-secrets'))).toBe(false);
    await userEvent.click(secrets.getByRole('button', SHOW));
    expect(await secrets.findByText('hunter2-hunter2')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('link', { name: 'Settings' }));
    await card('Protection');
    await userEvent.click(screen.getByRole('link', { name: 'Access' }));
    expect((await card('Secrets')).getByRole('button', SHOW)).toBeInTheDocument();
    expect(document.body.textContent).not.toContain('hunter2-hunter2');
    expect(calls.filter(({ path }) => path.endsWith('/reveal-secrets'))).toHaveLength(1);
  });

  it('leave a password to the login that it belongs to', async () => {
    showPage({ sign_in: [DASHBOARD_LOGIN] }, { tab: '/access', more });
    const secrets = await card('Secrets');
    await userEvent.click(secrets.getByRole('button', SHOW));
    expect(await secrets.findByText('used-up')).toBeInTheDocument();
    expect(document.body.textContent).not.toContain('hunter2-hunter2');
  });

  it('are hidden from administrators', async () => {
    showPage({ user_id: 99 }, { tab: '/access', user: ADMIN });
    await card('Addresses');
    expect(screen.queryByRole('button', SHOW)).not.toBeInTheDocument();
  });
});
