import { describe, expect, it } from '@jest/globals';
import type { ProviderAnswer } from '@moorage/contracts';
import { PROVIDER_MESSAGES } from '@moorage/domain';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN, type Replies, showInConsole, USER } from '../../testing/console-fixture';
import ProvidersPage from './providers-page';

const LIVE: ProviderAnswer = {
  provider: 'hetzner',
  display_name: 'Hetzner',
  mode: 'live',
  project: { id: 'project-1', pinned_at: '2026-12-01T10:00:00.000Z', confirmed_at: '2026-12-01T11:00:00.000Z' },
  access: { state: 'proven', since: '2026-12-01T10:00:00.000Z' },
  distrusted: null,
  paused_until: null,
  catalogue: {
    source: 'live',
    refreshed_at: '2026-12-01T09:00:00.000Z',
    due_at: '2026-12-01T15:00:00.000Z',
    sizes: 12,
    sold_out: 3,
  },
  check: {
    is_running: false,
    checked_at: '2026-12-01T10:00:00.000Z',
    rights: [
      { name: 'read', state: 'allowed', words: null },
      { name: 'write', state: 'missing', words: '403 token_readonly' },
    ],
    quota: [{ name: 'droplets', region: null, limit: 25, used: 20 }],
  },
  last_error: { kind: 'auth', words: '401 unauthorized', at: '2026-12-01T08:00:00.000Z' },
  credentials: { fields: ['HETZNER_TOKEN'], entered_since: null, entered: null },
  servers: 4,
  cost_daily: 2.4,
  paid_daily: 3,
  margin_daily: 0.6,
  margin_percent: 25,
};
const SIMULATED: ProviderAnswer = {
  ...LIVE,
  provider: 'aws',
  display_name: 'AWS',
  mode: 'simulated',
  project: null,
  access: null,
  check: null,
  credentials: null,
  last_error: null,
};

const show = (all: readonly ProviderAnswer[], replies: Replies = {}, user = ADMIN) =>
  showInConsole(<ProvidersPage />, { replies: { 'GET /admin/providers': { body: all }, ...replies }, user });

/** Shows one provider, which this call changes. */
function showChanging(before: ProviderAnswer, call: string, after: ProviderAnswer) {
  let current = before;
  return show([before], {
    'GET /admin/providers': () => ({ body: [current] }),
    [call]() {
      current = after;
      return { status: 202, body: after };
    },
  });
}

const card = (name: string) => screen.findByRole('region', { name });

describe('providers page', () => {
  it('shows missing permission, quota, last error, prices, servers and margin', async () => {
    show([LIVE]);
    const { textContent: text } = await card('Hetzner');
    for (const part of [
      '1 of 2 verified on',
      'Missing write',
      '403 token_readonly',
      'droplets 20 of 25 used',
      '401 unauthorized',
      'From the provider',
      '12 sizes in all regions, 3 sold out',
      '$2.40',
      '$3.00',
      '+$0.60 (25 % of the cost)',
    ])
      expect(text).toContain(part);
  });

  it('marks simulated providers and offers no actions for them', async () => {
    show([LIVE, SIMULATED]);
    expect(await screen.findByText(/Some providers are simulated/)).toBeInTheDocument();
    const aws = await card('AWS');
    expect(within(aws).getByText('Simulated')).toBeInTheDocument();
    expect(within(aws).queryAllByRole('button')).toEqual([]);
    // Simulated servers cost nothing.
    expect(screen.getByText(/4 servers at live providers cost \$2\.40 a day/)).toBeInTheDocument();
  });

  it('is for administrators only', async () => {
    show([LIVE], {}, USER);
    expect(await screen.findByRole('alert')).toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Providers' })).not.toBeInTheDocument();
  });

  it('runs a check on request and shows its progress', async () => {
    const running = { ...LIVE, check: { is_running: true, checked_at: null, rights: null, quota: null } };
    const { calls } = showChanging(LIVE, 'POST /admin/providers/hetzner/check', running);
    await userEvent.click(await screen.findByRole('button', { name: 'Check now' }));
    expect(await screen.findByRole('button', { name: 'Checking...' })).toBeDisabled();
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

describe('unconfirmed project', () => {
  const project = { id: 'project-9', pinned_at: '2026-12-01T10:00:00.000Z', confirmed_at: null };

  it('is confirmed as displayed, after an explanation of the consequence', async () => {
    const { calls } = showChanging({ ...LIVE, project }, 'POST /admin/providers/hetzner/confirm', LIVE);
    await userEvent.click(await screen.findByRole('button', { name: 'Confirm project' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog.textContent).toContain('project-9');
    expect(dialog.textContent).toContain('which cost real money');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Confirm project' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ project_id: 'project-9' });
    expect(screen.queryByText(/This project hasn't been confirmed/)).not.toBeInTheDocument();
  });

  it('is not confirmed if it has changed in the meantime, and the reason is shown', async () => {
    const { detail, code, facts } = PROVIDER_MESSAGES.project_changed;
    show([{ ...LIVE, project }], {
      'POST /admin/providers/hetzner/confirm': {
        status: 409,
        body: { detail, code: 'PROVIDER_STATE', message_code: code, facts },
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Confirm project' }));
    await userEvent.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Confirm project' }),
    );
    expect(await screen.findByText(detail)).toBeInTheDocument();
  });
});

describe('credentials', () => {
  const testing = { state: 'testing', at: '2026-12-01T10:00:00.000Z', reason: null, words: null } as const;

  it('are entered by setting name, sent once and never displayed', async () => {
    const answer = { ...LIVE, credentials: { fields: ['HETZNER_TOKEN'], entered_since: null, entered: testing } };
    const { calls } = showChanging(LIVE, 'PUT /admin/providers/hetzner/credentials', answer);
    await userEvent.click(await screen.findByRole('button', { name: 'Enter credentials' }));
    const dialog = await screen.findByRole('alertdialog');
    const submit = within(dialog).getByRole('button', { name: 'Test and use' });
    expect(submit).toBeDisabled();
    const field = within(dialog).getByLabelText('HETZNER_TOKEN');
    expect(field).toHaveAttribute('type', 'password');
    await userEvent.type(field, 'token-1');
    await userEvent.click(submit);
    expect(await screen.findByText(/New credentials are being tested/)).toBeInTheDocument();
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ values: { HETZNER_TOKEN: 'token-1' } });
    await waitFor(() => expect(document.body.textContent).not.toContain('token-1'));
  });

  it('show why they were rejected, and that the current ones stay', async () => {
    const entered = { ...testing, state: 'refused', reason: 'rights_missing', words: 'write' } as const;
    show([{ ...LIVE, credentials: { fields: ['HETZNER_TOKEN'], entered_since: null, entered } }]);
    expect(
      await screen.findByText(/The new credentials lack permissions. The current ones stay in use./),
    ).toBeInTheDocument();
  });

  it('are removed after a confirmation when in use', async () => {
    const since = '2026-12-01T10:00:00.000Z';
    const { calls } = showChanging(
      { ...LIVE, credentials: { fields: ['HETZNER_TOKEN'], entered_since: since, entered: null } },
      'DELETE /admin/providers/hetzner/credentials',
      LIVE,
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Remove' }));
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText(/From the settings of the provisioner/)).toBeInTheDocument();
    expect(calls.some(({ method }) => method === 'DELETE')).toBe(true);
  });
});
