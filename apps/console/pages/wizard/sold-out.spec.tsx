import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { openAt, size, whyOff } from './testing';

const SIZES = 'GET /deployments/instance-types/hetzner/fsn1';
const row = (name: string) => {
  const found = screen.getByText(name, { selector: '.size b' }).closest('tr');
  if (found === null) throw new Error('no row');
  return found;
};

describe('sold-out size', () => {
  const sizes = [
    { ...size('small', 1, 2), display_name: 'SMALL (often sold out)', available: false, nearest: 'middle' },
    size('middle', 2, 4),
    size('large', 4, 8),
  ];

  it('is marked, cannot be selected, and offers the nearest size with a click', async () => {
    const { user } = await openAt('instance', { more: { [SIZES]: { body: sizes } } });
    await screen.findByText('SMALL', { selector: '.size b' });
    expect(row('SMALL').querySelector('.tag')?.textContent).toBe('Sold out');
    expect(row('SMALL').textContent).not.toContain('often sold out');
    expect(row('SMALL').querySelector('input')).toBeDisabled();
    await user.click(row('SMALL'));
    expect(document.querySelector('.sizes tr.sel')).not.toBeInTheDocument();
    // The cheapest size is sold out, so another is recommended.
    expect(row('MIDDLE').textContent).toContain('Recommended');
    await user.click(screen.getByRole('button', { name: 'Choose MIDDLE instead' }));
    expect(row('MIDDLE')).toHaveClass('sel');
    await waitFor(() => expect(whyOff()).toBeNull());
  });

  it('offers nothing if no size is left', async () => {
    await openAt('instance', { more: { [SIZES]: { body: [{ ...sizes[0], nearest: null }] } } });
    await screen.findByText('SMALL', { selector: '.size b' });
    expect(screen.queryByRole('button', { name: /instead/ })).not.toBeInTheDocument();
  });

  it('is no longer ordered if it was selected before', async () => {
    await openAt('review', {
      more: {
        [SIZES]: { body: [{ ...size('middle', 2, 4), available: false, nearest: 'large' }, size('large', 4, 8)] },
      },
    });
    await waitFor(() => expect(whyOff()).toBe('MIDDLE is sold out in this region. Choose another instance type.'));
  });
});

it('disables a region without a suitable size and explains why', async () => {
  const region = (name: string, from_daily: number | null) => ({
    name,
    display_name: name.toUpperCase(),
    country_code: 'de',
    from_daily,
  });
  await openAt('region', {
    more: { 'GET /deployments/regions/hetzner': { body: [region('fsn1', null), region('nbg1', 0.5)] } },
  });
  const card = (await screen.findByText('FSN1')).closest('label');
  expect(card?.textContent).toContain('Nothing suitable is available here right now.');
  expect(card?.querySelector('input')).toBeDisabled();
  expect(screen.getByText('NBG1').closest('label')?.querySelector('input')).toBeEnabled();
});

describe('fallback prices of a provider', () => {
  const provider = (over: object) => ({
    'GET /deployments/cloud-providers': {
      body: [{ name: 'hetzner', display_name: 'Hetzner', simulated: false, prices: 'built_in', ...over }],
    },
  });
  const SINCE = 'No prices from Hetzner since 19 Nov 2026, 08:00:00 UTC. These are from our own list.';

  it.each(['instance', 'review'] as const)('are marked on the step %s with their date', async (step) => {
    await openAt(step, { more: provider({ priced_at: '2026-11-19T08:00:00.000Z' }) });
    expect(await screen.findByText(SINCE)).toBeInTheDocument();
  });

  it('are marked if there were never any others', async () => {
    await openAt('instance', { more: provider({ priced_at: null }) });
    expect(await screen.findByText('No prices from Hetzner yet. These are from our own list.')).toBeInTheDocument();
  });

  it.each([
    ["the provider's current prices", { prices: 'live', priced_at: '2026-11-21T08:00:00.000Z' }],
    ['those of a simulated provider', { simulated: true, priced_at: null }],
  ])('are not marked if they are %s', async (_, over) => {
    await openAt('review', { more: provider(over) });
    expect(await screen.findByText('New server at Hetzner')).toBeInTheDocument();
    expect(screen.queryByText(/from our own list/)).not.toBeInTheDocument();
  });
});
