import { expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { settingsOf } from '../../testing/console-fixture';
import { openAt } from './testing';

const provider = (name: string, display_name: string, over: object) => ({
  name,
  display_name,
  simulated: false,
  prices: 'live',
  priced_at: null,
  from_daily: 0.5,
  ...over,
});
const SETTINGS = settingsOf({
  clouds: 'mixed',
  sandbox_domain: 'sandbox.localhost',
  allowed_zones: ['sandbox.localhost'],
});

it('marks each simulated provider and each with outdated prices', async () => {
  await openAt('cloud', {
    more: {
      'GET /console/settings': { body: SETTINGS },
      'GET /deployments/cloud-providers': {
        body: [
          provider('hetzner', 'Hetzner', {}),
          provider('linode', 'Linode', { simulated: true, prices: 'built_in' }),
          provider('vultr', 'Vultr', { prices: 'built_in', priced_at: '2026-11-19T08:00:00.000Z' }),
          provider('gcp', 'Google Cloud', { from_daily: null }),
        ],
      },
    },
  });
  const card = async (title: string) => (await screen.findByText(title)).closest('label')?.textContent ?? '';
  await waitFor(async () => expect(await card('Linode')).toContain('simulated'));
  expect(await card('Hetzner')).not.toMatch(/simulated|no prices/);
  expect(await card('Vultr')).toContain('No prices from Vultr since 19 Nov 2026');
  expect(await card('Google Cloud')).toContain('Nothing suitable is available');
  expect(await card('Linode')).not.toContain('no prices');
  expect(screen.queryByText('These servers are simulated.')).not.toBeInTheDocument();
});

it('shows that no provider is offered', async () => {
  await openAt('cloud', { more: { 'GET /deployments/cloud-providers': { body: [] } } });
  await screen.findByText(/No cloud provider is available here/);
  expect(document.querySelectorAll('.opt')).toHaveLength(0);
});
