import { describe, expect, it } from '@jest/globals';
import type { AutomaticTopUpAnswer } from '@moorage/contracts';
import { TOP_UP_OFF_REASONS } from '@moorage/domain';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ImpersonationSession } from '../../data/session';
import { type Replies, showInConsole, USER } from '../../testing/console-fixture';
import { showLocale } from '../../texts/locale';
import { AutomaticTopUpCard } from './automatic-top-up-card';
import { runwayOf, topUpOf } from './testing';

const ON = topUpOf({
  enabled: true,
  month_used_cents: 2_000,
  last: { status: 'paid', amount_cents: 1_000, at: '2026-11-20T13:02:00.000Z' },
});

function show(state: AutomaticTopUpAnswer, more: Replies = {}, impersonation?: ImpersonationSession) {
  return showInConsole(<AutomaticTopUpCard />, {
    replies: { 'GET /billing/automatic-top-up': { body: state }, ...more },
    ...(impersonation === undefined ? {} : { impersonation }),
  });
}
/** Replies of a server that stores the state after this change. */
function stored(
  change: 'PUT /billing/automatic-top-up' | 'DELETE /billing/card',
  from: AutomaticTopUpAnswer,
  to: AutomaticTopUpAnswer,
): Replies {
  let state = from;
  return {
    'GET /billing/automatic-top-up': () => ({ body: state }),
    [change]: () => ({ body: (state = to) }),
  };
}
const card = (): Promise<HTMLElement> => screen.findByRole('region', { name: 'Automatic top-up' });
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const facts = (within: HTMLElement) =>
  [...within.querySelectorAll('dl > div')].map((row) => [...row.children].map((cell) => cell.textContent));

describe('automatic top-up', () => {
  it('explains how to save a card and offers nothing else without one', async () => {
    show(topUpOf({ card: null }));
    expect(await screen.findByText(/^No card is saved\. Select "Save this card/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Add funds' })).toHaveAttribute('href', '/billing#add');
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });

  it('shows card, trigger, amount and past charges while on', async () => {
    show(ON);
    await screen.findByText('On');
    expect(facts(await card())).toEqual([
      ['Card', 'Visa 4242 valid until 03/2029Remove'],
      ['When', 'balance covers less than 3 days'],
      ['Amount', '$10.00'],
      ['This month', '$20.00 of at most $100.00'],
      ['Last', '$10.00 charged, Fri 20 Nov 2026'],
    ]);
  });

  it('states how often and when the card is expected to be charged, also for values being entered', async () => {
    const runway = runwayOf({ daily_cost: 6.83, ends_at: '2026-12-01T00:00:00.000Z', now: '2026-11-21T14:00:00.000Z' });
    show(ON, { 'GET /billing/runway': { body: runway } });
    expect(
      await screen.findByText(
        "About 5 charges a week at today's cost. The next one is expected on Sat 28 Nov. The monthly limit covers 14 days at today's cost.",
      ),
    ).toBeInTheDocument();
    await press('Change');
    fireEvent.change(screen.getByLabelText('Amount to charge in USD'), { target: { value: '70' } });
    expect(await screen.findByText(/^About one charge every 10 days at today's cost\./)).toBeInTheDocument();
    fireEvent.change(screen.getByLabelText('Amount to charge in USD'), { target: { value: 'much' } });
    await waitFor(() => expect(screen.queryByText(/^About one charge/)).not.toBeInTheDocument());
  });

  it.each(TOP_UP_OFF_REASONS)('explains why it was switched off (%s) and what to do', async (off_reason) => {
    show(topUpOf({ off_reason }));
    expect((await screen.findByRole('status')).textContent).toMatch(/ off\b/);
    expect(within(await card()).getByText('Off')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Turn on' })).toBeInTheDocument();
  });

  it('is turned on with the amounts of the form, in whole cents', async () => {
    const fixture = show(topUpOf(), stored('PUT /billing/automatic-top-up', topUpOf(), ON));
    await press('Turn on');
    expect(screen.getByText(/^Visa 4242 is then charged without asking you each time/)).toBeInTheDocument();
    fireEvent.change(screen.getByLabelText('Charge the card when'), { target: { value: 'amount' } });
    fireEvent.change(screen.getByLabelText('Balance below, in USD'), { target: { value: '8' } });
    fireEvent.change(screen.getByLabelText('Amount to charge in USD'), { target: { value: '12.5' } });
    await press('Turn on');
    expect(await screen.findByText('Automatic top-up is on.')).toBeInTheDocument();
    expect(fixture.calls.find(({ method }) => method === 'PUT')?.body).toEqual({
      enabled: true,
      threshold: { kind: 'amount', amount: 8 },
      amount_cents: 1_250,
      month_cap_cents: 10_000,
    });
    expect(await screen.findByText('On')).toBeInTheDocument();
  });

  it.each([
    ['Balance covers fewer days than', '31', 'Enter a whole number from 1 to 30.'],
    ['Amount to charge in USD', '0.99', 'Enter an amount from 1 to 1,000.'],
    ['Amount to charge in USD', '4,999', 'An amount has at most two decimals.'],
    ['Amount to charge in USD', 'much', 'Enter an amount from 1 to 1,000.'],
    ['Monthly limit in USD', '9.99', 'Enter at least the amount of one top-up, at most 100,000.'],
  ])('rejects the field "%s" with the value %s', async (label, value, words) => {
    const fixture = show(topUpOf());
    await press('Turn on');
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
    await press('Turn on');
    expect(await screen.findByText(words)).toBeInTheDocument();
    expect(fixture.calls.some(({ method }) => method === 'PUT')).toBe(false);
  });

  it('shows why the server rejects a change', async () => {
    const detail = 'There is no saved card to charge. Save one with your next top-up.';
    show(topUpOf(), {
      'PUT /billing/automatic-top-up': { status: 409, body: { detail, code: 'AUTOMATIC_TOP_UP_STATE' } },
    });
    await press('Turn on');
    await press('Turn on');
    expect(await screen.findByText(detail)).toBeInTheDocument();
  });

  it('is turned off at once and keeps its values', async () => {
    const fixture = show(ON, stored('PUT /billing/automatic-top-up', ON, { ...ON, enabled: false }));
    await press('Turn off');
    expect(await screen.findByText('Automatic top-up is off.')).toBeInTheDocument();
    expect(fixture.calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      enabled: false,
      threshold: { kind: 'days', days: 3 },
    });
  });

  it('removes the card only after a confirmation', async () => {
    const fixture = show(ON, stored('DELETE /billing/card', ON, topUpOf({ card: null, off_reason: 'card_removed' })));
    await press('Remove');
    const dialog = await screen.findByRole('alertdialog', { name: 'Remove Visa 4242?' });
    expect(fixture.calls.some(({ method }) => method === 'DELETE')).toBe(false);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Turned off because you removed the card.')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
  });

  it('is read-only during an impersonation', async () => {
    show(ON, {}, { token: 'a-view', user: USER, expiresAt: '2099-01-01T00:00:00.000Z' });
    await screen.findByText('On');
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });

  it('is translated to German', async () => {
    await showLocale('de', { persist: false });
    show(ON);
    expect(await screen.findByText('Guthaben reicht für weniger als 3 Tage')).toBeInTheDocument();
  });
});
