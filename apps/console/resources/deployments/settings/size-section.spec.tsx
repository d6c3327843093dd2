import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RESIZE_MESSAGES } from '@moorage/domain';
import { card, showPage } from '../page/testing';
import { deploymentOf, progressOf, stepOf } from '../testing';

const size = (name: string, cpu: number, disk_gb: number, hourly_cost: number) => ({
  ...{ name, display_name: name.toUpperCase(), cpu, memory: cpu * 2, disk_gb, hourly_cost },
  ...{ daily_cost: hourly_cost * 24, refusal: null },
});
const sizes = {
  ...{ instance_type: 'cpx22', disk_gb: 80, disk: 'optional' },
  sizes: [
    {
      ...size('cpx12', 1, 40, 0.0203),
      refusal: RESIZE_MESSAGES.smaller_disk({ disk: 80, size_disk: 40, size: 'CPX12' }),
    },
    { ...size('cpx22', 2, 80, 0.0356), refusal: RESIZE_MESSAGES.same_size },
    size('cpx32', 4, 160, 0.0612),
  ],
};
const quote = {
  ...{ instance_type: 'cpx32', hourly_cost: 0.0612, daily_cost: 1.4688, today: 0.2304, needed: 1.6992, available: 30 },
  ...{ backs_up: false, unreachable_s: 120, address_may_change: false, disk_gb: 80, way_back: true },
  runs_until: { now: '2026-12-18T00:00:00.000Z', then: '2026-12-13T00:00:00.000Z' },
};

async function chooser() {
  const more = {
    'GET /deployments/1053/sizes': { body: sizes },
    'GET /deployments/1053/resize': { body: quote },
  };
  const shown = showPage({}, { tab: '/settings', more });
  const part = await card('Size and place');
  await userEvent.click(part.getByRole('button', { name: 'Change size' }));
  await part.findByRole('radio', { name: /CPX32/ });
  return { ...shown, part };
}

describe('changing the size', () => {
  it('shows the price and the consequences before the resize starts', async () => {
    const { part, calls, reply } = await chooser();
    expect(part.getByRole('radio', { name: /CPX12.*can't be reduced to the 40 GB.*Move/ })).toBeDisabled();
    await userEvent.click(part.getByRole('radio', { name: /CPX32/ }));
    expect(await part.findByText('$0.85 to $1.47')).toBeInTheDocument();
    expect(part.getByText('$0.23 charged when the new size is confirmed')).toBeInTheDocument();
    expect(part.getByText('about 2 min')).toBeInTheDocument();
    expect(part.getByText('To CPX22 at any time')).toBeInTheDocument();
    expect(part.getByText('Fri 18 Dec, 00:00 UTC').tagName).toBe('S');
    expect(part.getByText('Sun 13 Dec, 00:00 UTC')).toBeInTheDocument();
    expect(calls.some(({ method }) => method === 'POST')).toBe(false);
    reply({ 'POST /deployments/1053/resize': { body: deploymentOf({ status: 'RESTARTING' }) } });
    await userEvent.click(part.getByRole('button', { name: 'Resize to CPX32' }));
    expect(await screen.findByText('The server is changing to CPX32')).toBeInTheDocument();
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      instance_type: 'cpx32',
      grow_disk: false,
      expected_hourly_cost: 0.0612,
    });
  });

  it('asks for the price again when the disk grows too, and says that there is no way back', async () => {
    const { part, calls, reply } = await chooser();
    await userEvent.click(part.getByRole('radio', { name: /CPX32/ }));
    await part.findByText('To CPX22 at any time');
    reply({ 'GET /deployments/1053/resize': { body: { ...quote, disk_gb: 160, way_back: false } } });
    await userEvent.click(part.getByRole('checkbox', { name: /Enlarge the disk to 160 GB/ }));
    expect(await part.findByText(/None\. To return to CPX22/)).toBeInTheDocument();
    expect(calls.filter(({ path }) => path.endsWith('/resize'))).toHaveLength(2);
  });

  it('does not offer a size that the balance does not cover, but a smaller one always', async () => {
    const { part, reply } = await chooser();
    reply({ 'GET /deployments/1053/resize': { body: { ...quote, available: 1.2 } } });
    await userEvent.click(part.getByRole('radio', { name: /CPX32/ }));
    expect((await part.findByRole('alert')).textContent).toBe(
      'You need $1.70 for this: $0.24 for the rest of today and $1.46 for the next daily charge. You have $1.20 available.',
    );
    expect(part.getByRole('button', { name: 'Resize to CPX32' })).toBeDisabled();
  });

  it('shows in place why it was refused', async () => {
    const { part, reply } = await chooser();
    const detail = 'You can change the size once per clock hour.';
    reply({ 'POST /deployments/1053/resize': { status: 429, body: { detail, code: 'RATE_LIMITED' } } });
    await userEvent.click(part.getByRole('radio', { name: /CPX32/ }));
    await waitFor(() => expect(part.getByRole('button', { name: 'Resize to CPX32' })).toBeEnabled());
    await userEvent.click(part.getByRole('button', { name: 'Resize to CPX32' }));
    expect((await part.findByRole('alert')).textContent).toBe(detail);
  });
});

describe('size and place', () => {
  it('shows the steps while the size changes', async () => {
    const progress = progressOf([stepOf('resize-server', 'running')], { run: 'resize', status: 'RESTARTING' });
    showPage(
      { status: 'RESTARTING' },
      { tab: '/settings', more: { 'GET /deployments/1053/progress': { body: progress } } },
    );
    const part = await card('Size and place');
    expect(await part.findByText('Changing the size at Hetzner')).toBeInTheDocument();
    expect(part.queryByRole('button', { name: 'Change size' })).not.toBeInTheDocument();
  });

  it("shows only the place of a customer's own server", async () => {
    showPage(
      { server_type: 'vps', cloud_provider: null, region: null, instance_type: null, vps_ip_address: '192.0.2.7' },
      { tab: '/settings' },
    );
    const part = await card('Size and place');
    expect(part.getByText('192.0.2.7')).toBeInTheDocument();
    expect(part.queryByRole('button')).not.toBeInTheDocument();
  });
});
