import { describe, expect, it } from '@jest/globals';
import type { SshKeysAnswer } from '@moorage/contracts';
import { ORDER_MESSAGES, STEP_MESSAGES } from '@moorage/domain';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN } from '../../../testing/console-fixture';
import { showLocale } from '../../../texts/locale';
import { card, showPage } from '../page/testing';

const PATH = '/deployments/1053/ssh-keys';
const PUBLIC_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFDYWMdeGhfMKpIeVYAmxsFSXo9Un1aYVK9AJ+fzEEK7';
const FINGERPRINT = 'SHA256:n0Kx1Zc0p3bQy7d4mM2w8eVhT6uYrJ5sLf9gAqXoBtE';
const LAPTOP = {
  id: 3,
  name: 'Laptop',
  type: 'ssh-ed25519',
  fingerprint: FINGERPRINT,
  added_at: '2026-11-20T10:00:00.000Z',
};

const keysOf = (over: Partial<SshKeysAnswer> = {}): SshKeysAnswer => ({
  keys: [LAPTOP],
  state: 'applied',
  applied_at: '2026-11-20T10:00:05.000Z',
  failure: null,
  retry_at: null,
  keys_max: 20,
  ...over,
});

/** Shows the settings. The keys become `after` with the first change. */
function shown(keys: Partial<SshKeysAnswer> = {}, { over = {}, after = {}, more = {}, ...options }: Options = {}) {
  let current = keysOf(keys);
  const changed = (status: number) => () => ({ status, body: (current = keysOf(after)) });
  const { calls } = showPage(over, {
    tab: '/settings',
    more: {
      [`GET ${PATH}`]: () => ({ body: current }),
      [`POST ${PATH}`]: changed(201),
      [`DELETE ${PATH}/3`]: changed(200),
      ...more,
    },
    ...options,
  });
  return { sent: (method: string) => calls.filter((call) => call.method === method && call.path.startsWith(PATH)) };
}
type Options = Parameters<typeof showPage>[1] & {
  over?: Parameters<typeof showPage>[0];
  after?: Partial<SshKeysAnswer>;
};

describe('SSH keys in the settings', () => {
  it('are listed with their fingerprint and the address to log in to', async () => {
    shown();
    const keys = await card('SSH keys');
    expect(await keys.findByText('Laptop')).toBeInTheDocument();
    expect(keys.getByText('SHA256:n0Kx1Zc0…qXoBtE')).toHaveAttribute('title', FINGERPRINT);
    expect(keys.getByText(/ssh root@203\.0\.113\.41/)).toBeInTheDocument();
    expect(keys.queryByRole('status')).not.toBeInTheDocument();
  });

  it('are added in a dialog, and then shown as being applied', async () => {
    const { sent } = shown({ keys: [] }, { after: { state: 'applying', applied_at: null } });
    const keys = await card('SSH keys');
    expect(await keys.findByText(/^No key can log in yet/)).toBeInTheDocument();
    await userEvent.click(keys.getByRole('button', { name: 'Add key' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add SSH key' }));
    await userEvent.type(dialog.getByLabelText(/^Name/), ' Laptop ');
    await userEvent.type(dialog.getByLabelText(/^Public key/), `${PUBLIC_KEY} ada@laptop`);
    expect(sent('POST')).toEqual([]);
    await userEvent.click(dialog.getByRole('button', { name: 'Add key' }));
    expect(await keys.findByText('The change is being applied to the server.')).toBeInTheDocument();
    expect(sent('POST')[0]?.body).toEqual({ name: 'Laptop', public_key: `${PUBLIC_KEY} ada@laptop` });
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('show what is wrong next to the field and keep what was entered', async () => {
    const message = ORDER_MESSAGES.ssh_key_twice({ name: 'Laptop' }).detail;
    const refusal = { detail: message, code: 'FIELDS_INVALID', errors: [{ path: 'public_key', message }] };
    const { sent } = shown({}, { more: { [`POST ${PATH}`]: { status: 422, body: refusal } } });
    await userEvent.click(await (await card('SSH keys')).findByRole('button', { name: 'Add key' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.type(dialog.getByLabelText(/^Public key/), 'ssh-ed25519 AAAA');
    await userEvent.click(dialog.getByRole('button', { name: 'Add key' }));
    expect(await dialog.findByText('Use 1 to 60 characters.')).toBeInTheDocument();
    expect(dialog.getByText(/^The key is damaged/)).toBeInTheDocument();
    expect(sent('POST')).toEqual([]);
    await userEvent.type(dialog.getByLabelText(/^Name/), 'Laptop');
    await userEvent.clear(dialog.getByLabelText(/^Public key/));
    await userEvent.type(dialog.getByLabelText(/^Public key/), PUBLIC_KEY);
    await userEvent.click(dialog.getByRole('button', { name: 'Add key' }));
    expect(await dialog.findByText(message)).toBeInTheDocument();
    expect(dialog.getByLabelText(/^Public key/)).toHaveValue(PUBLIC_KEY);
  });

  it('are removed after a confirmation', async () => {
    const { sent } = shown({}, { after: { keys: [], state: 'applying', applied_at: null } });
    await userEvent.click(await (await card('SSH keys')).findByRole('button', { name: 'Remove Laptop' }));
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove SSH key' }));
    expect(dialog.getByText(/"Laptop" can then no longer log in/)).toBeInTheDocument();
    expect(sent('DELETE')).toEqual([]);
    await userEvent.click(dialog.getByRole('button', { name: 'Remove key' }));
    expect(await (await card('SSH keys')).findByText(/^No key can log in yet/)).toBeInTheDocument();
    expect(sent('DELETE')).toHaveLength(1);
  });

  it.each([
    ['2026-11-21T16:00:00.000Z', /Next attempt: .*16:00/],
    [null, /We no longer try/],
  ])('show why they could not be applied and when it is tried again (%s)', async (retry_at, next) => {
    shown({ state: 'failed', applied_at: null, failure: STEP_MESSAGES.ssh_unreachable, retry_at });
    const status = await (await card('SSH keys')).findByRole('status');
    expect(status).toHaveTextContent("The keys couldn't be applied: The server is not responding.");
    expect(status).toHaveTextContent(next);
  });

  it('cannot be changed during a restart, and say why', async () => {
    shown({}, { over: { status: 'RESTARTING' } });
    const add = await (await card('SSH keys')).findByRole('button', { name: 'Add key' });
    expect(add).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(add);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('are not shown to administrators', async () => {
    const { sent } = shown({}, { user: ADMIN });
    await screen.findByRole('region', { name: 'Name' });
    expect(screen.queryByRole('region', { name: 'SSH keys' })).not.toBeInTheDocument();
    expect(sent('GET')).toEqual([]);
  });

  it('are in German too', async () => {
    await showLocale('de', { persist: false });
    shown({ state: 'applying', applied_at: null });
    expect(await (await card('SSH-Schlüssel')).findByText(/wird gerade auf den Server übertragen/)).toBeInTheDocument();
  });
});
