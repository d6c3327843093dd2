import { describe, expect, it } from '@jest/globals';
import type { AdminUserAnswer, DeactivationCheck } from '@moorage/contracts';
import { ACCOUNT_MESSAGES, asStored, type Message, USERS_MESSAGES } from '@moorage/domain';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN, dialog, later, press, type Replies, showInConsole, USER } from '../../testing/console-fixture';
import { onPhone } from '../../testing/screen-size';
import { showLocale } from '../../texts/locale';
import UserList from './list';

const person = (over: Partial<AdminUserAnswer>): AdminUserAnswer => ({
  ...USER,
  total_balance: 39.95,
  active_deployments: 2,
  deactivated_at: null,
  low_balance_days: null,
  ...over,
});
const ERIK = person({ id: 1, username: 'erik.kovac', is_admin: true, balance: 0 });
const MARA = person({ id: 7, balance: 34.996 });
const LENA = person({ id: 9, username: 'lena', is_admin: true, balance: 0 });
const GONE = person({
  id: 24,
  username: 'deactivated_24_seaglass',
  balance: 0,
  deactivated_at: '2026-11-01T00:00:00.000Z',
});
const list = (...rows: readonly AdminUserAnswer[]) => ({
  body: rows,
  headers: { 'x-total-count': String(rows.length) },
});
const EVERYBODY = list(ERIK, MARA, LENA, GONE);
const sent = ({ code, facts, detail }: Message) => ({ body: { message: detail, code, facts } });
const refused = ({ code, facts, detail }: Message, { status = 409, error = 'ACCOUNT_STATE' } = {}) => ({
  status,
  body: { detail, code: error, message_code: code, facts },
});
const BROKEN = { status: 500, body: { detail: 'x', code: 'INTERNAL' } };
const show = (more: Replies = {}, { at = '/users' } = {}) =>
  showInConsole(<UserList />, { replies: { 'GET /users': EVERYBODY, ...more }, at, user: ADMIN });
type Shown = ReturnType<typeof show>;
const listLoads = ({ requested }: Shown): number => requested('GET', '/users').length;

const type = async (label: string | RegExp, text: string): Promise<void> =>
  userEvent.type(screen.getByLabelText(label), text);
const menuOf = async (name: string) => {
  await press(`More actions for ${name}`);
  return within(await screen.findByRole('menu'));
};
const choose = async (name: string, item: string): Promise<void> =>
  userEvent.click((await menuOf(name)).getByRole('menuitem', { name: item }));
const form = async (name: string) => within(await screen.findByRole('dialog', { name }));
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const isGone = (name: string) =>
  waitFor(() => expect(screen.queryByRole('alertdialog', { name })).not.toBeInTheDocument());

describe('filters of the user list', () => {
  it.each([
    ['Administrators', { is_admin: 'true' }],
    ['Unverified', { is_verified: 'false' }],
    ['Low balance', { low_balance: 'true' }],
  ])('%s filters the list, is stored in the URL, and is cleared by All', async (name, query) => {
    const shown = show();
    await press(name);
    await waitFor(() => expect(shown.requested('GET', '/users').at(-1)?.query).toMatchObject(query));
    expect(decodeURIComponent(shown.address())).toContain(Object.keys(query)[0]);
    expect(button(name)).toHaveAttribute('aria-pressed', 'true');
    await press('All');
    await waitFor(() => expect(decodeURIComponent(shown.address())).not.toContain(Object.keys(query)[0]));
    await waitFor(() => expect(button(name)).toHaveAttribute('aria-pressed', 'false'));
  });

  it('replaces another filter and keeps deactivated users visible', async () => {
    const shown = show(
      {},
      { at: '/users?filter=%7B%22is_admin%22%3A%22true%22%2C%22show_deactivated%22%3A%22true%22%7D' },
    );
    await screen.findByRole('table');
    expect(button('Administrators')).toHaveAttribute('aria-pressed', 'true');
    await press('Unverified');
    await waitFor(() =>
      expect(shown.requested('GET', '/users').at(-1)?.query).toMatchObject({
        is_verified: 'false',
        show_deactivated: 'true',
      }),
    );
    expect(shown.requested('GET', '/users').at(-1)?.query).not.toHaveProperty('is_admin');
  });
});

describe('administrator switch', () => {
  const flip = async (name: string): Promise<void> =>
    userEvent.click(await screen.findByRole('switch', { name: `Admin, ${name}` }));

  it('shows who is an administrator', async () => {
    show();
    await screen.findByRole('table');
    const isOn = (name: string) => screen.getByRole<HTMLInputElement>('switch', { name: `Admin, ${name}` }).checked;
    expect([isOn('erik.kovac'), isOn('mara.lindqvist'), isOn('lena')]).toEqual([true, false, true]);
  });

  it('grants the role after a confirmation and shows it', async () => {
    const shown = show({ 'PATCH /users/7/make-admin': { body: { ...MARA, is_admin: true } } });
    await flip('mara.lindqvist');
    expect(shown.requested('PATCH', '/users/7/make-admin')).toHaveLength(0);
    const asking = await dialog('Make mara.lindqvist an administrator?');
    expect(asking.getByText(/view and manage all deployments, users and balances/)).toBeInTheDocument();
    shown.reply({ 'GET /users': list(ERIK, { ...MARA, is_admin: true }) });
    await press('Make administrator');
    expect(await screen.findByText('mara.lindqvist is now an administrator.')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('switch', { name: 'Admin, mara.lindqvist' })).toBeChecked());
  });

  it('warns that removing the role ends the sessions, and removes it', async () => {
    const shown = show({ 'PATCH /users/9/remove-admin': { body: { ...LENA, is_admin: false } } });
    await flip('lena');
    expect(
      (await dialog("Remove lena's administrator role?")).getByText(/logged out everywhere at once/),
    ).toBeInTheDocument();
    await press('Remove role');
    expect(await screen.findByText('lena is no longer an administrator.')).toBeInTheDocument();
    expect(shown.requested('PATCH', '/users/9/remove-admin')).toHaveLength(1);
  });

  it('changes nothing when cancelled', async () => {
    const shown = show();
    await flip('lena');
    await press('Cancel');
    await isGone("Remove lena's administrator role?");
    expect(shown.calls.filter(({ method }) => method === 'PATCH')).toEqual([]);
    expect(screen.getByRole('switch', { name: 'Admin, lena' })).toHaveFocus();
  });

  it('shows the rejection of an outdated page and reloads the list', async () => {
    const shown = show({ 'PATCH /users/9/remove-admin': refused(USERS_MESSAGES.admin_last) });
    await flip('lena');
    const before = listLoads(shown);
    await press('Remove role');
    expect(await screen.findByText(USERS_MESSAGES.admin_last.detail)).toBeInTheDocument();
    await isGone("Remove lena's administrator role?");
    await waitFor(() => expect(listLoads(shown)).toBe(before + 1));
  });

  it('stays open with a default message when the server sends none', async () => {
    const shown = show({ 'PATCH /users/7/make-admin': BROKEN });
    await flip('mara.lindqvist');
    await press('Make administrator');
    expect(await screen.findByText('Failed to update admin status')).toBeInTheDocument();
    shown.reply({ 'PATCH /users/7/make-admin': { body: { ...MARA, is_admin: true } } });
    await press('Make administrator');
    expect(await screen.findByText('mara.lindqvist is now an administrator.')).toBeInTheDocument();
  });

  it.each([
    ['erik.kovac', "You can't change your own administrator role. Ask another administrator."],
    ['deactivated_24_seaglass', "A deactivated account can't become an administrator."],
  ])('is disabled for %s with a reason', async (name, why) => {
    show();
    await flip(name);
    const locked = screen.getByRole('switch', { name: `Admin, ${name}`, description: why });
    expect(locked).toHaveAttribute('aria-disabled', 'true');
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    await userEvent.hover(locked);
    expect((await screen.findByRole('tooltip')).textContent).toBe(why);
  });
});

describe('user menu', () => {
  const items = async (name: string): Promise<readonly (string | null)[]> =>
    (await menuOf(name)).getAllByRole('menuitem').map(({ textContent }) => textContent);

  it('offers the actions that the account state allows', async () => {
    show();
    expect(await items('mara.lindqvist')).toEqual(['Adjust Balance', 'View as', 'Deactivate']);
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('menu')).not.toBeInTheDocument());
    expect(await items('deactivated_24_seaglass')).toEqual(['Adjust Balance', 'Reactivate', 'Delete']);
  });

  it('offers no view of administrators', async () => {
    show();
    expect(await items('erik.kovac')).toEqual(['Adjust Balance', 'Deactivate']);
  });

  it('disables deactivating the own account and explains why', async () => {
    const shown = show();
    const entry = (await menuOf('erik.kovac')).getByRole('menuitem', { name: 'Deactivate' });
    expect(entry).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(entry);
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(shown.requested('GET', '/users/1/deactivation-check')).toEqual([]);
    await userEvent.hover(entry);
    expect((await screen.findByRole('tooltip')).textContent).toBe(
      "You can't deactivate yourself. Ask another administrator.",
    );
  });

  it('opens by keyboard and regains the focus when its dialog closes', async () => {
    show();
    const opener = await screen.findByRole('button', { name: 'More actions for mara.lindqvist' });
    act(() => opener.focus());
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('menu');
    await userEvent.keyboard('{Enter}');
    await form('Adjust the balance of mara.lindqvist');
    await waitFor(() => expect(screen.getByLabelText('Amount in USD')).toHaveFocus());
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await waitFor(() => expect(opener).toHaveFocus());
  });

  it('is on the phone cards, together with the switch', async () => {
    onPhone();
    show();
    await screen.findByText('mara.lindqvist');
    expect(screen.queryByRole('table')).not.toBeInTheDocument();
    expect(screen.getByRole('switch', { name: 'Admin, mara.lindqvist' })).toBeInTheDocument();
    expect((await menuOf('mara.lindqvist')).getAllByRole('menuitem')).toHaveLength(3);
  });
});

describe('new user', () => {
  const open = async (): Promise<void> => {
    await press('Create New User');
    await form('Create New User');
  };
  const fill = async (): Promise<void> => {
    await type('Username', 'tobi');
    await type('Email', 'tobi@example.net');
    await type('Password', 'harbour light');
  };
  const TOBI = person({ id: 31, username: 'tobi', email: 'tobi@example.net', balance: 0 });

  it('is created once name, address and password are filled in, and is listed', async () => {
    const waiting = later({ body: TOBI });
    const shown = show({ 'POST /users/admin-create': waiting.reply });
    await open();
    expect(screen.getByLabelText('Username')).toHaveFocus();
    expect(button('Create User')).toBeDisabled();
    await type('Username', 'tobi');
    await type('Email', 'tobi@example.net');
    expect(button('Create User')).toBeDisabled();
    await type('Password', 'harbour light');
    expect(screen.getByText('Good')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('switch', { name: 'Administrator' }));
    await userEvent.click(button('Create User'));
    expect(button('Creating...')).toBeDisabled();
    shown.reply({ 'GET /users': list(TOBI) });
    waiting.answer();
    expect(await screen.findByText('User tobi created successfully')).toBeInTheDocument();
    expect(shown.requested('POST', '/users/admin-create').map(({ body }) => body)).toEqual([
      { username: 'tobi', email: 'tobi@example.net', password: 'harbour light', is_admin: true },
    ]);
    expect(await screen.findByText('tobi@example.net')).toBeInTheDocument();
    await waitFor(() => expect(shown.requested('GET', '/users').at(-1)?.query).toMatchObject({ search: 'tobi' }));
    expect(screen.getByRole('searchbox')).toHaveValue('tobi');
    expect(button('Create New User')).toHaveFocus();
  });

  it('is no administrator by default', async () => {
    const shown = show({ 'POST /users/admin-create': { body: TOBI } });
    await open();
    await fill();
    await press('Create User');
    await screen.findByText('User tobi created successfully');
    expect(shown.requested('POST', '/users/admin-create')[0]?.body).toMatchObject({ is_admin: false });
  });

  it('is not requested with an invalid name', async () => {
    const shown = show();
    await open();
    await fill();
    await userEvent.clear(screen.getByLabelText('Username'));
    await type('Username', '!');
    await press('Create User');
    expect(await screen.findByText(ACCOUNT_MESSAGES.username_letters.detail)).toBeInTheDocument();
    expect(shown.calls.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('shows a rejected field beside that field', async () => {
    const { code, facts, detail: message } = asStored('Nothing can be sent to this address.');
    show({
      'POST /users/admin-create': {
        status: 422,
        body: {
          detail: 'Some fields are wrong.',
          code: 'FIELDS_INVALID',
          errors: [{ path: 'email', message, code, facts }],
        },
      },
    });
    await open();
    await fill();
    await press('Create User');
    expect(await screen.findByText(message)).toBeInTheDocument();
    expect(screen.getByLabelText('Email')).toHaveFocus();
    expect(screen.queryByText('Some fields are wrong.')).not.toBeInTheDocument();
  });

  it.each([
    [
      'the message of the server',
      refused(asStored('There is such an account.'), { error: 'ACCOUNT_EXISTS' }),
      'There is such an account.',
    ],
    ['a default message if the server sends none', BROKEN, 'Failed to create user'],
  ])('shows %s and keeps the input when rejected', async (_, reply, sentence) => {
    show({ 'POST /users/admin-create': reply });
    await open();
    await fill();
    await press('Create User');
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(screen.getByLabelText('Password')).toHaveValue('harbour light');
  });
});

describe('balance adjustment', () => {
  const ADJUST = 'POST /billing/admin/users/7/adjust-balance';
  const open = async (): Promise<void> => choose('mara.lindqvist', 'Adjust Balance');
  const adjusted = (shown: Shown) => shown.requested('POST', '/billing/admin/users/7/adjust-balance');
  const amount = async (text: string): Promise<void> => {
    await userEvent.clear(screen.getByLabelText('Amount in USD'));
    if (text !== '') await type('Amount in USD', text);
  };
  const after = (): string | undefined => screen.getByText('New balance').nextElementSibling?.textContent ?? undefined;

  it('defaults to ten dollars and has a description', async () => {
    const shown = show({ [ADJUST]: { body: {} } });
    await open();
    expect(screen.getByLabelText('Amount in USD')).toHaveValue(10);
    expect([screen.getByText('Current balance').nextElementSibling?.textContent, after()]).toEqual([
      '$34.99',
      '$44.99',
    ]);
    await type(/^Description/, 'for the outage');
    const before = listLoads(shown);
    await press('Save');
    expect(await screen.findByText('Balance adjusted successfully')).toBeInTheDocument();
    expect(adjusted(shown).map(({ body }) => body)).toEqual([{ amount: 10, description: 'for the outage' }]);
    await waitFor(() => expect(listLoads(shown)).toBe(before + 1));
  });

  it('reduces the balance by a negative amount and shows that in the dialog', async () => {
    const shown = show({ [ADJUST]: { body: {} } });
    await open();
    expect(screen.getByText(/Use a negative amount to deduct/)).toBeInTheDocument();
    await amount('-4.5');
    expect(after()).toBe('$30.49');
    // The owner is notified of the reason.
    expect(button('Save')).toBeDisabled();
    await type(/^Description/, 'booked twice');
    await press('Save');
    await screen.findByText('Balance adjusted successfully');
    expect(adjusted(shown)[0]?.body).toEqual({ amount: -4.5, description: 'booked twice' });
  });

  it.each(['', '0', '-'])('rejects "%s"', async (text) => {
    show();
    await open();
    await amount(text);
    expect(button('Save')).toBeDisabled();
  });

  it('is posted once after a double click', async () => {
    const waiting = later({ body: {} });
    const shown = show({ [ADJUST]: waiting.reply });
    await open();
    await userEvent.dblClick(button('Save'));
    waiting.answer();
    await screen.findByText('Balance adjusted successfully');
    expect(adjusted(shown)).toHaveLength(1);
  });

  it('reuses its key after a failure and gets another key for another amount', async () => {
    const shown = show({ [ADJUST]: BROKEN });
    await open();
    await press('Save');
    expect(await screen.findByText('Failed to adjust balance')).toBeInTheDocument();
    expect(screen.getByText(/It will be booked only once/)).toBeInTheDocument();
    await press('Save');
    await waitFor(() => expect(adjusted(shown)).toHaveLength(2));
    await waitFor(() => expect(button('Save')).toBeEnabled());
    await amount('20');
    await press('Save');
    await waitFor(() => expect(adjusted(shown)).toHaveLength(3));
    const [first, second, third] = adjusted(shown).map(({ headers }) => headers.get('idempotency-key'));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('repeats the same request when the dialog is reopened after a lost response', async () => {
    const shown = show({ [ADJUST]: BROKEN });
    await open();
    await amount('-5');
    await type(/^Description/, 'booked twice');
    await press('Save');
    await screen.findByText('Failed to adjust balance');
    await press('Cancel');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    shown.reply({ [ADJUST]: { body: {} } });
    await open();
    expect(screen.getByLabelText('Amount in USD')).toHaveValue(-5);
    expect(screen.getByText(/^You sent this request for −\$5\.00 at .+ but got no response\./)).toBeInTheDocument();
    await press('Save');
    await screen.findByText('Balance adjusted successfully');
    const sent = adjusted(shown);
    expect(sent.map(({ body }) => body)).toEqual(Array(2).fill({ amount: -5, description: 'booked twice' }));
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    // An identical request afterwards is a second adjustment.
    await open();
    await amount('-5');
    expect(screen.getByText(/it was accepted\. This would be a second one\.$/)).toBeInTheDocument();
  });

  it('shows the rejection of a negative balance and reloads the list', async () => {
    const below = asStored('The balance would fall below zero.');
    const shown = show({ [ADJUST]: refused(below, { error: 'BALANCE_WOULD_BE_NEGATIVE' }) });
    await open();
    await amount('-50');
    await type(/^Description/, 'booked twice');
    expect(after()).toBe('−$15.01');
    expect(screen.getByText('The regular balance is 34.99. This would leave -15.01.')).toBeInTheDocument();
    const before = listLoads(shown);
    await press('Save');
    const adjusting = await form('Adjust the balance of mara.lindqvist');
    expect(await adjusting.findByText(below.detail)).toBeInTheDocument();
    await waitFor(() => expect(listLoads(shown)).toBe(before + 1));
    expect(button('Save')).toBeEnabled();
  });
});

describe('deactivating a user', () => {
  const CHECK = 'GET /users/7/deactivation-check';
  const TITLE = 'Deactivate mara.lindqvist?';
  const open = async () => {
    await choose('mara.lindqvist', 'Deactivate');
    return dialog(TITLE);
  };
  const free: DeactivationCheck = {
    can_deactivate: true,
    issues: { has_active_deployments: false, has_positive_balance: false },
    active_deployment_count: 0,
    leaving_deployment_count: 0,
    user: { id: 7, username: 'mara.lindqvist', balance: 0 },
    refusal: null,
  };
  const blocked = (count: number, balance: number, refusal: Message): DeactivationCheck => ({
    ...free,
    can_deactivate: false,
    issues: { has_active_deployments: count > 0, has_positive_balance: balance > 0 },
    active_deployment_count: count,
    user: { ...free.user, balance },
    refusal,
  });
  const BOTH = blocked(
    2,
    34.996,
    USERS_MESSAGES.deactivate_both({ name: 'mara.lindqvist', count: 2, balance: '$34.99' }),
  );
  const BALANCE = blocked(0, 36.2, USERS_MESSAGES.deactivate_balance({ name: 'mara.lindqvist', balance: '$36.20' }));

  it('explains the consequence and deactivates the account', async () => {
    const shown = show({
      [CHECK]: { body: free },
      'POST /users/7/deactivate': sent(USERS_MESSAGES.deactivated({ name: 'mara.lindqvist' })),
    });
    const asking = await open();
    expect(await asking.findByText(/logged out everywhere at once, their API tokens stop working/)).toBeInTheDocument();
    expect(asking.getByText(/ledger and transactions are kept.*deactivated_.*can be reactivated/)).toBeInTheDocument();
    shown.reply({ 'GET /users': list(ERIK, LENA) });
    await press('Deactivate');
    expect(await screen.findByText('mara.lindqvist has been deactivated.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('link', { name: 'mara.lindqvist' })).not.toBeInTheDocument());
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  });

  it('lists what blocks it and offers no button', async () => {
    show({ [CHECK]: { body: BOTH } });
    const asking = await open();
    expect((await asking.findAllByRole('alert')).map(({ textContent }) => textContent)).toContain(BOTH.refusal?.detail);
    expect(asking.getByText('2 active deployments')).toBeInTheDocument();
    expect(asking.getByText('A positive balance of $34.99')).toBeInTheDocument();
    expect(asking.getByRole('link', { name: 'View Deployments' })).toHaveAttribute(
      'href',
      '/dashboard?user=mara.lindqvist',
    );
    expect(asking.queryByRole('button', { name: 'Deactivate' })).not.toBeInTheDocument();
    expect(asking.getByRole('button', { name: 'Close' })).toBeInTheDocument();
  });

  it('shows that the last administrator cannot be deactivated', async () => {
    show({ [CHECK]: { body: { ...free, can_deactivate: false, refusal: USERS_MESSAGES.admin_last } } });
    expect(await (await open()).findByText(USERS_MESSAGES.admin_last.detail)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Deactivate' })).not.toBeInTheDocument();
  });

  it('removes all deployments once the name is typed, then shows what is left', async () => {
    const shown = show({
      [CHECK]: { body: BOTH },
      'POST /users/7/prepare-deletion': { body: { removing: 2, refunded_amount: 1.204, check: BALANCE } },
    });
    const asking = await open();
    await userEvent.click(await asking.findByRole('button', { name: 'Remove all deployments' }));
    const removal = await dialog('Remove all deployments of mara.lindqvist?');
    for (const sentence of [
      /deletes their servers and everything on them/,
      /on the user's own servers stays there/,
      /are refunded to the balance/,
    ])
      expect(removal.getByText(sentence)).toBeInTheDocument();
    expect(button('Remove all')).toBeDisabled();
    await type(/To confirm, type/, 'mara.lindqvist');
    await type(/^Reason/, 'They asked for it.');
    shown.reply({ [CHECK]: { body: { ...BALANCE, leaving_deployment_count: 2 } } });
    await press('Remove all');
    const left = await dialog(TITLE);
    expect(await left.findByText('Removing 2 deployments; $1.20 refunded.')).toBeInTheDocument();
    expect(left.queryByText('2 active deployments')).not.toBeInTheDocument();
    expect(left.getByText('A positive balance of $36.20')).toBeInTheDocument();
    expect(
      await left.findByText(/2 more deployments are still being removed .* don't prevent deactivation/),
    ).toBeInTheDocument();
    expect(shown.requested('POST', '/users/7/prepare-deletion')[0]?.body).toEqual({ reason: 'They asked for it.' });
    expect(shown.requested('POST', '/users/7/deactivate')).toEqual([]);
  });

  it('removes the exact balance first, then can be completed', async () => {
    const shown = show({
      [CHECK]: { body: BALANCE },
      'POST /billing/admin/users/7/adjust-balance': { body: {} },
    });
    const asking = await open();
    await userEvent.click(await asking.findByRole('button', { name: 'Adjust Balance' }));
    await form('Adjust the balance of mara.lindqvist');
    await type(/^Description/, 'paid back by bank transfer');
    shown.reply({ [CHECK]: { body: free } });
    await press('Save');
    expect((await dialog(TITLE)).queryByText(/A positive balance/)).not.toBeInTheDocument();
    expect(await screen.findByRole('button', { name: 'Deactivate' })).toBeInTheDocument();
    expect(shown.requested('POST', '/billing/admin/users/7/adjust-balance')[0]?.body).toMatchObject({ amount: -36.2 });
    expect(shown.requested('POST', '/users/7/deactivate')).toEqual([]);
  });

  it('shows that the check failed and checks again', async () => {
    const shown = show({ [CHECK]: BROKEN });
    const asking = await open();
    expect(await asking.findByText('Failed to check whether the account can be deactivated')).toBeInTheDocument();
    shown.reply({ [CHECK]: { body: free } });
    await press('Try again now');
    expect(await asking.findByRole('button', { name: 'Deactivate' })).toBeInTheDocument();
  });

  it('shows that another administrator was faster and reloads the list', async () => {
    const shown = show({
      [CHECK]: { body: free },
      'POST /users/7/deactivate': refused(USERS_MESSAGES.deactivated_already),
    });
    await open();
    const before = listLoads(shown);
    await press('Deactivate');
    expect(await screen.findByText(USERS_MESSAGES.deactivated_already.detail)).toBeInTheDocument();
    await isGone(TITLE);
    await waitFor(() => expect(listLoads(shown)).toBe(before + 1));
  });

  it('shows a failure in its dialog', async () => {
    show({ [CHECK]: { body: free }, 'POST /users/7/deactivate': BROKEN });
    const asking = await open();
    await press('Deactivate');
    expect(await asking.findByText('Failed to deactivate user')).toBeInTheDocument();
  });
});

describe('deactivated account', () => {
  const NAME = GONE.username;
  const DELETE = 'DELETE /users/24';
  const openDelete = async () => {
    await choose(NAME, 'Delete');
    return dialog(`Delete ${NAME} permanently?`);
  };
  const confirm = async (): Promise<void> => {
    await type(/To confirm, type/, 'DELETE');
    await press('Delete');
  };

  it('is reactivated after a confirmation', async () => {
    const shown = show({ 'POST /users/24/reactivate': sent(USERS_MESSAGES.reactivated({ name: 'seaglass' })) });
    await choose(NAME, 'Reactivate');
    await dialog(`Reactivate ${NAME}?`);
    const before = listLoads(shown);
    await press('Reactivate');
    expect(await screen.findByText('seaglass can log in again.')).toBeInTheDocument();
    await waitFor(() => expect(listLoads(shown)).toBe(before + 1));
  });

  it('stays deactivated if its name has been taken', async () => {
    const taken = USERS_MESSAGES.reactivate_taken({ name: 'seaglass' });
    show({ 'POST /users/24/reactivate': refused(taken, { error: 'ACCOUNT_EXISTS' }) });
    await choose(NAME, 'Reactivate');
    await press('Reactivate');
    expect(await screen.findByText(taken.detail)).toBeInTheDocument();
  });

  it('is deleted once DELETE is typed, and keeps its ledger', async () => {
    const shown = show({ [DELETE]: sent(USERS_MESSAGES.erased) });
    const asking = await openDelete();
    expect(asking.getByText(/all other personal data are deleted/)).toBeInTheDocument();
    expect(asking.getByText(/Transactions and payments are kept/)).toBeInTheDocument();
    expect(asking.queryByText(/left behind/)).not.toBeInTheDocument();
    await type(/To confirm, type/, 'delete');
    expect(button('Delete')).toBeDisabled();
    await userEvent.clear(screen.getByLabelText(/To confirm, type/));
    await confirm();
    expect(await screen.findByText(USERS_MESSAGES.erased.detail)).toBeInTheDocument();
    expect(shown.requested('DELETE', '/users/24')).toHaveLength(1);
  });

  it('shows the balance that remains on deletion', async () => {
    show({ 'GET /users': list(ERIK, { ...GONE, balance: 4.999 }) });
    expect((await openDelete()).getByText('The remaining balance of $4.99 is not paid out.')).toBeInTheDocument();
  });

  it.each([
    [
      'its deployments still exist',
      refused(USERS_MESSAGES.erase_deployments({ name: NAME, count: 1 })),
      USERS_MESSAGES.erase_deployments({ name: NAME, count: 1 }).detail,
    ],
    ['it was reactivated in the meantime', refused(USERS_MESSAGES.erase_active), USERS_MESSAGES.erase_active.detail],
    ['the server gives no reason', BROKEN, 'Failed to delete user'],
  ])('is not deleted when %s', async (_, reply, sentence) => {
    show({ [DELETE]: reply });
    await openDelete();
    await confirm();
    expect(await screen.findByText(sentence)).toBeInTheDocument();
  });
});

describe('German user list', () => {
  it('translates the dialogs but not the word to type', async () => {
    await showLocale('de', { persist: true });
    show();
    await userEvent.click(await screen.findByRole('button', { name: `Weitere Aktionen für ${GONE.username}` }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Löschen' }));
    const asking = await dialog(`${GONE.username} endgültig löschen?`);
    expect(asking.getByText(/Das lässt sich nicht rückgängig machen/)).toBeInTheDocument();
    expect(asking.getByText('DELETE')).toBeInTheDocument();
  });
});
