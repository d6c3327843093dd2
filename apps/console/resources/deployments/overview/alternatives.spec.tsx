import { describe, expect, it } from '@jest/globals';
import { STEP_MESSAGES } from '@moorage/domain';
import type { AlternativeAnswer } from '@moorage/contracts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Replies, USER } from '../../../testing/console-fixture';
import { deploymentOf, progressOf, stepOf } from '../testing';
import { showDetails, SLOW } from '../drawer/testing';

const place = (over: Partial<AlternativeAnswer>): AlternativeAnswer => ({
  region: 'fsn1',
  region_name: 'Falkenstein',
  country_code: 'de',
  instance_type: 'cx33',
  instance_type_name: 'CX33',
  cpu: 4,
  memory: 8,
  hourly_cost: 0.016,
  daily_cost: 0.384,
  ...over,
});
const PLACES = [
  place({}),
  place({
    region: 'hel1',
    region_name: 'Helsinki',
    country_code: 'fi',
    instance_type: 'cpx22',
    instance_type_name: 'CPX22',
    hourly_cost: 0.0356,
    daily_cost: 0.8544,
  }),
];
const ALTERNATIVES = 'GET /deployments/1053/alternatives';
const RETRY = 'POST /deployments/1053/retry';
const FAILED = { status: 'FAILED', failure: STEP_MESSAGES.cloud_capacity } as const;
const more = (over: Replies): Replies => ({
  'GET /deployments/1053/progress': {
    body: progressOf([stepOf('created', 'done'), stepOf('create-server', 'failed')], { status: 'FAILED' }),
  },
  [ALTERNATIVES]: { body: PLACES },
  ...over,
});
const inHelsinki = { name: 'Order CPX22 in Helsinki for $0.85 a day' };

describe('alternatives to a sold-out size', () => {
  it('are ordered with one click at the displayed price', async () => {
    const created = deploymentOf({ id: 1054, client_name: 'the-new-one', status: 'CREATING', region: 'hel1' });
    const { part, sent } = await showDetails(
      FAILED,
      more({
        [RETRY]: { status: 201, body: created },
        'GET /deployments/1054': { body: created },
      }),
    );
    expect(await part.findByText('CX33 in Falkenstein', undefined, SLOW)).toBeInTheDocument();
    expect(part.getByText('$0.38 a day')).toBeInTheDocument();
    await userEvent.click(part.getByRole('button', inHelsinki));
    await waitFor(() => expect(sent('POST', '/retry')).toHaveLength(1));
    const [order] = sent('POST', '/retry');
    expect(order?.body).toEqual({ region: 'hel1', instance_type: 'cpx22', expected_hourly_cost: 0.0356 });
    expect(order?.headers.get('idempotency-key')).toMatch(/\S/);
    expect(await screen.findByRole('heading', { name: 'the-new-one', level: 2 }, SLOW)).toBeInTheDocument();
  });

  it('are not ordered at a changed price, and the new price is shown', async () => {
    let daily = 0.8544;
    const { part } = await showDetails(
      FAILED,
      more({
        [ALTERNATIVES]: () => ({ body: [{ ...PLACES[1], daily_cost: daily }] }),
        [RETRY]: () => {
          daily = 0.96;
          return { status: 409, body: { code: 'PRICE_CHANGED', detail: 'The price has changed from 1 to 2.' } };
        },
      }),
    );
    await userEvent.click(await part.findByRole('button', inHelsinki, SLOW));
    expect((await part.findByRole('alert', undefined, SLOW)).textContent).toBe(
      "The order didn't go through. The price has changed from 1 to 2.",
    );
    expect(await part.findByRole('button', { name: 'Order CPX22 in Helsinki for $0.96 a day' })).toBeInTheDocument();
  });

  it('link to the payment if the balance is too low', async () => {
    const { part } = await showDetails(
      FAILED,
      more({
        [RETRY]: { status: 402, body: { code: 'BALANCE_TOO_LOW', detail: 'This needs 5.00.' } },
      }),
    );
    await userEvent.click(await part.findByRole('button', inHelsinki, SLOW));
    expect(await part.findByRole('link', { name: 'Add funds' }, SLOW)).toHaveAttribute(
      'href',
      expect.stringContaining('/billing'),
    );
  });

  it('show that no alternative is available', async () => {
    const { part } = await showDetails(FAILED, more({ [ALTERNATIVES]: { body: [] } }));
    expect(
      await part.findByText('No suitable alternative is available at Hetzner right now.', undefined, SLOW),
    ).toBeInTheDocument();
    expect(part.getByRole('button', { name: 'Create again' })).toBeInTheDocument();
  });

  it.each([
    ['that failed for another reason', { ...FAILED, failure: STEP_MESSAGES.cloud_quota }, USER],
    ['of another user', FAILED, { ...USER, id: USER.id + 1, is_admin: true }],
  ])('are not offered for a deployment %s', async (_, over, user) => {
    const { part, sent } = await showDetails(over, more({}), user);
    await part.findByText("Hetzner couldn't provide this server.", undefined, SLOW);
    expect(part.queryByRole('button', inHelsinki)).not.toBeInTheDocument();
    expect(sent('GET', '/alternatives')).toHaveLength(0);
  });
});
