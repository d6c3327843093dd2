import { describe, expect, it } from '@jest/globals';
import type { LeakAnswer, LeakPageAnswer } from '@moorage/contracts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN, type Replies, showInConsole } from '../../testing/console-fixture';
import { showLocale } from '../../texts/locale';
import { LeaksCard } from './leaks-card';

const LEAK: LeakAnswer = {
  id: 7,
  provider: 'hetzner',
  is_simulated: false,
  kind: 'disk',
  region: 'fsn1',
  provider_id: 'volumes/4711',
  name: 'left-4711',
  labels: { installation: 'i', deployment: 'abc' },
  deployment_id: null,
  cost_daily: 0.25,
  state: 'confirmed',
  first_seen_at: '2026-11-20T16:20:00.000Z',
  last_seen_at: '2026-11-20T18:20:00.000Z',
  confirmed_from: null,
  is_adoptable: false,
  decision: null,
  failure: null,
};
const page = (leaks: readonly LeakAnswer[], more: Partial<LeakPageAnswer> = {}): { body: LeakPageAnswer } => ({
  body: {
    leaks: [...leaks],
    cost_daily: 0.25,
    failures: [],
    looked_at: '2026-11-20T18:20:00.000Z',
    total_pages: 1,
    current_page: 1,
    has_next: false,
    has_previous: false,
    ...more,
  },
});
const LIST = 'GET /admin/leaks';

const show = (replies: Replies) => showInConsole(<LeaksCard />, { replies, at: '/providers', user: ADMIN });
const rows = async () =>
  within(await screen.findByRole('table'))
    .getAllByRole('row')
    .slice(1);

describe('leaks on the providers page', () => {
  it('lists kind, labels, region, first sighting and price, with the total', async () => {
    show({ [LIST]: page([LEAK]) });
    const [row] = await rows();
    expect(row?.textContent).toContain('Disk left-4711');
    expect(row?.textContent).toContain('installation=i deployment=abc');
    expect(row?.textContent).toContain('fsn1');
    expect(row?.textContent).toContain('$0.25');
    expect(screen.getByText('All undecided leaks together cost $0.25 a day.')).toBeInTheDocument();
  });

  it('shows when suspected leaks are checked again, and offers no decision on them', async () => {
    show({ [LIST]: page([{ ...LEAK, state: 'suspected', confirmed_from: '2026-11-20T17:20:00.000Z' }]) });
    const [row] = await rows();
    expect(row?.textContent).toContain('Fri 20 Nov, 17:20 UTC');
    expect(within(row as HTMLElement).queryAllByRole('button')).toEqual([]);
  });

  it('removes a leak with a reason and explains the consequence', async () => {
    const fixture = show({
      [LIST]: page([LEAK]),
      'POST /admin/leaks/7/remove': { body: { ...LEAK, state: 'removing' } },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Remove left-4711' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/can't be undone/)).toBeInTheDocument();
    await userEvent.type(dialog.getByRole('textbox'), 'Left over from a test');
    fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    await waitFor(() =>
      expect(fixture.calls.find(({ path }) => path === '/admin/leaks/7/remove')?.body).toEqual({
        reason: 'Left over from a test',
      }),
    );
  });

  it('offers adoption only if a deployment lost its server', async () => {
    show({ [LIST]: page([LEAK, { ...LEAK, id: 8, kind: 'server', name: 'restored', is_adoptable: true }]) });
    expect(await screen.findByRole('button', { name: 'Adopt restored' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Adopt left-4711' })).not.toBeInTheDocument();
  });

  it('shows why a decision failed and which provider did not respond', async () => {
    const failure = { reason: 'refused', words: '403 read only' } as const;
    show({ [LIST]: page([{ ...LEAK, failure }], { failures: [{ provider: 'vultr', words: '403 no' }] }) });
    const [row] = await rows();
    expect(row?.textContent).toContain('The provider refused.');
    expect(row?.textContent).toContain('403 read only');
    expect(screen.getByText('403 no')).toBeInTheDocument();
  });

  it('shows that there are no leaks, in German as well', async () => {
    await showLocale('de', { persist: false });
    show({ [LIST]: page([], { cost_daily: 0 }) });
    expect(await screen.findByText('Bei den Anbietern gibt es keine verwaisten Ressourcen.')).toBeInTheDocument();
  });
});
