import { describe, expect, it } from '@jest/globals';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { card, showPage } from '../page/testing';
import { deploymentOf } from '../testing';

const quote = {
  ...{ support_level: 2, daily_cost: 2.4984, hourly_cost: 0.1041, today: 0.685, needed: 3.2, available: 30 },
  runs_until: { now: '2026-12-01T00:00:00.000Z', then: '2026-11-26T00:00:00.000Z' },
};

async function chooser() {
  const shown = showPage({}, { tab: '/settings', more: { 'GET /deployments/1053/support-level': { body: quote } } });
  const part = await card('Support level');
  await userEvent.click(part.getByRole('button', { name: 'Change' }));
  return { ...shown, part };
}

describe('changing the support level', () => {
  it('shows the new price and the charge of today before another level is saved', async () => {
    const { part, calls, reply } = await chooser();
    expect(calls.some(({ path }) => path.endsWith('/support-level'))).toBe(false);
    await userEvent.click(part.getByRole('radio', { name: /Professional \(Level 2\)/ }));
    expect(await part.findByText('$2.50')).toBeInTheDocument();
    expect(part.getByText('Charged now for today')).toBeInTheDocument();
    expect(part.getByText('\u2212$0.69')).toBeInTheDocument();
    expect(part.getByText('Thu 26 Nov, 00:00 UTC')).toBeInTheDocument();
    expect(calls.some(({ method }) => method === 'PATCH')).toBe(false);
    const after = deploymentOf({ support_level: 2, hourly_cost: 0.1041 });
    reply({ 'PATCH /deployments/1053': { body: after }, 'GET /deployments/1053': { body: after } });
    await userEvent.click(part.getByRole('button', { name: 'Change to Level 2' }));
    expect(await screen.findByText('Support level changed to Professional (Level 2)')).toBeInTheDocument();
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ support_level: 2 });
    await waitFor(async () =>
      expect((await card('Support level')).getByText('Professional (Level 2)')).toBeInTheDocument(),
    );
  });

  it('does not offer a level that the balance does not cover', async () => {
    const { part, reply } = await chooser();
    reply({ 'GET /deployments/1053/support-level': { body: { ...quote, needed: 3.201, available: 1.009 } } });
    await userEvent.click(part.getByRole('radio', { name: /Professional/ }));
    expect((await part.findByRole('alert')).textContent).toBe(
      'You need $3.21 for this: $0.69 for the rest of today and $2.52 for the next daily charge. You have $1.00 available.',
    );
    expect(part.getByText('Tue 1 Dec, 00:00 UTC').tagName).toBe('S');
    expect(part.getByText('Thu 26 Nov, 00:00 UTC').parentElement?.textContent).toMatch(/with \$2\.20 more$/);
    expect(part.getByRole('button', { name: 'Change to Level 2' })).toBeDisabled();
    expect(part.getByRole('button', { name: 'Add $2.20' })).toBeInTheDocument();
    expect(part.getByRole('link', { name: 'Other amount' })).toHaveAttribute('href', '/billing?amount=3#add');
  });

  it('is still chosen after a payment for it, until it is cancelled', async () => {
    const { part, reply } = await chooser();
    reply({ 'GET /deployments/1053/support-level': { body: { ...quote, needed: 3.201, available: 1.009 } } });
    await userEvent.click(part.getByRole('radio', { name: /Professional/ }));
    await part.findByRole('button', { name: 'Add $2.20' });
    cleanup();
    showPage({}, { tab: '/settings', more: { 'GET /deployments/1053/support-level': { body: quote } } });
    const again = await card('Support level');
    expect(again.getByRole('radio', { name: /Professional/ })).toBeChecked();
    expect(await again.findByRole('button', { name: 'Change to Level 2' })).toBeEnabled();
    await userEvent.click(again.getByRole('button', { name: 'Cancel' }));
    await userEvent.click(again.getByRole('button', { name: 'Change' }));
    expect(again.getByRole('radio', { name: /Community|Level 1/ })).toBeChecked();
  });

  it('shows in place why a change was rejected', async () => {
    const { part, calls, reply } = await chooser();
    const detail = 'The support level can change once an hour.';
    reply({ 'PATCH /deployments/1053': { status: 429, body: { detail, code: 'RATE_LIMITED' } } });
    await userEvent.click(part.getByRole('radio', { name: /Enterprise/ }));
    await userEvent.click(await part.findByRole('button', { name: 'Change to Level 3' }));
    expect((await part.findByRole('alert')).textContent).toBe(detail);
    // A retry is the same change. Another level is another change.
    await userEvent.click(part.getByRole('button', { name: 'Change to Level 3' }));
    await userEvent.click(part.getByRole('radio', { name: /Professional/ }));
    await userEvent.click(await part.findByRole('button', { name: 'Change to Level 2' }));
    await waitFor(() => expect(calls.filter(({ method }) => method === 'PATCH')).toHaveLength(3));
    const [first, second, third] = calls
      .filter(({ method }) => method === 'PATCH')
      .map(({ headers }) => headers.get('idempotency-key'));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect([second === first, third === first]).toEqual([true, false]);
  });
});
