import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { settingsOf } from '../../testing/console-fixture';
import { goesOn, openAt } from './testing';

const SETTINGS = settingsOf({ clouds: 'sandbox', sandbox_domain: 'sandbox.localhost', allowed_zones: [''] });
const ADDRESS = /^198\.19\.(1[3-9]\d|12[89]|2\d\d)\.\d{1,3}$/;

describe('simulated own server', () => {
  it('is filled in, checked like any other, and gets a domain that leads to it', async () => {
    const wizard = await openAt('server', {
      draft: { server_type: 'vps' },
      more: {
        'GET /console/settings': { body: SETTINGS },
        'POST /servers/validate-vps': { body: { state: 'passed', message: 'Fine.', results: [], valid_until: null } },
      },
    });
    await wizard.user.click(await screen.findByRole('button', { name: 'Use a simulated server' }));
    const address = screen.getByLabelText<HTMLInputElement>('IP address').value;
    expect(address).toMatch(ADDRESS);
    await wizard.user.click(screen.getByRole('button', { name: 'Validate' }));
    expect(await screen.findByText('Fine.')).toBeInTheDocument();
    const checks = wizard.calls.filter(({ path }) => path === '/servers/validate-vps');
    expect(checks.map(({ body }) => body)).toEqual([{ ip_address: address }]);
    await goesOn(wizard, 'Configuration');
    expect(screen.getByRole('button', { name: /^Use pangolin-\d+\.sandbox\.localhost$/ })).toBeInTheDocument();
  });
});
