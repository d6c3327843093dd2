import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { CreditAnswer } from '@moorage/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Replies, showInConsole } from '../../testing/console-fixture';
import ReferralsPage from './referrals-page';

const URL = 'https://moorage.example/signup?ref=ABC234';
const PRICES = {
  minBalanceToDeploy: 5,
  minBalanceFirstDeployment: 4.99,
  byovpsDailyFee: 0.12,
  supportLevel2Daily: 1.76,
  supportLevel3Daily: 6.7,
  referrals_enabled: true,
};
const credit = (id: number, change: Partial<CreditAnswer> = {}): CreditAnswer => ({
  id,
  credit_type: 'referrer',
  amount: 4.99,
  used_amount: 0,
  remaining_amount: 4.99,
  created_at: '2026-11-20T08:00:00.000Z',
  expires_at: '2026-12-20T08:00:00.000Z',
  is_usable: true,
  is_expired: false,
  display_currency: 'EUR',
  ...change,
});
const REPLIES: Replies = {
  'GET /pricing': { body: PRICES },
  'GET /referrals/my-link': { body: { referral_url: URL, referral_code: 'ABC234' } },
  'GET /referrals/stats': { body: { referred_count: 3, verified_count: 2, earned_amount: 4.99, waiting_count: 1 } },
  'GET /referrals/credits': { body: [credit(2)] },
  'GET /signup-credits': { body: [] },
};

const show = (replies: Replies = {}) =>
  showInConsole(<ReferralsPage />, { at: '/referrals', replies: { ...REPLIES, ...replies } });
const region = async (name: string) => within(await screen.findByRole('region', { name }));
const shareWith = (share: unknown): void => {
  Object.defineProperty(navigator, 'share', { value: share, configurable: true });
};

describe('referral link', () => {
  let copied: string[] = [];
  beforeEach(() => {
    copied = [];
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: (text: string) => Promise.resolve(void copied.push(text)) },
    });
    shareWith(undefined);
  });

  it('is displayed with its code and can be copied', async () => {
    show();
    expect(await screen.findByText('Loading referral data...')).toBeInTheDocument();
    const card = await region('Your referral link');
    const field = card.getByRole<HTMLInputElement>('textbox');
    expect([field.value, field.readOnly]).toEqual([URL, true]);
    card.getByRole('button', { name: 'Copy' }).click();
    expect(await card.findByText('Copied to clipboard!')).toBeInTheDocument();
    card.getByRole('button', { name: 'Copy Referral code' }).click();
    await waitFor(() => expect(copied).toEqual([URL, 'ABC234']));
    expect(card.getByText('Referral credits unlock only once your account holds at least $5.00.')).toBeInTheDocument();
  });

  it('is shared with the share sheet, and closing that sheet is no error', async () => {
    const share = jest.fn((_shared: object) => Promise.reject(new DOMException('closed', 'AbortError')));
    shareWith(share);
    show();
    (await region('Your referral link')).getByRole('button', { name: 'Share' }).click();
    expect(share).toHaveBeenCalledWith(expect.objectContaining({ url: URL, title: 'Moorage' }));
    expect(copied).toEqual([]);
    expect(screen.queryByText('Copied to clipboard!')).not.toBeInTheDocument();
  });

  it.each([
    ['is copied if the device has no share sheet', undefined],
    ['is copied if the share sheet does not open', () => Promise.reject(new DOMException('no', 'NotAllowedError'))],
  ])('%s', async (_, share) => {
    shareWith(share);
    show();
    const card = await region('Your referral link');
    card.getByRole('button', { name: 'Share' }).click();
    expect(await card.findByText('Copied to clipboard!')).toBeInTheDocument();
    expect(copied).toEqual([URL]);
  });

  it('is hidden when referrals are off, while code entry and credits stay', async () => {
    show({ 'GET /pricing': { body: { ...PRICES, referrals_enabled: false } } });
    expect(
      await screen.findByText('Referrals are turned off here. You keep the credits that you have.'),
    ).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Your referral link' })).not.toBeInTheDocument();
    expect(await screen.findByRole('region', { name: 'A code for free credits' })).toBeInTheDocument();
    expect((await region('Your credits')).getByText('Referral credit, referrer')).toBeInTheDocument();
  });

  it.each([
    [{ status: 429, body: { detail: 'Try again in a moment.', code: 'RATE_LIMITED' } }, 'Try again in a moment.'],
    [() => Promise.reject(new Error('away')), 'Failed to load referral data'],
  ])('shows a load error and recovers on the next attempt', async (reply, sentence) => {
    const { reply: answer } = show({ 'GET /referrals/stats': reply });
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    answer(REPLIES);
    await userEvent.click(screen.getByRole('button', { name: 'Try again now' }));
    expect(await screen.findByRole('region', { name: 'Your referral link' })).toBeInTheDocument();
  });
});

describe('referral results', () => {
  const numbers = async () =>
    [...(await screen.findByRole('region', { name: 'Your results' })).querySelectorAll('dl > div')].map(
      ({ textContent }) => textContent,
    );

  it('list pending reviews and explain them', async () => {
    show();
    expect(await numbers()).toEqual(['Signed up3', 'Verified2', 'You earned$4.99', 'In review1']);
    expect(screen.getByText(/We review some referrals before we grant the credits/)).toBeInTheDocument();
  });

  it('do not mention reviews when none is pending', async () => {
    show({
      'GET /referrals/stats': { body: { referred_count: 0, verified_count: 0, earned_amount: 0, waiting_count: 0 } },
    });
    expect(await numbers()).toEqual(['Signed up0', 'Verified0', 'You earned$0.00']);
    expect(screen.queryByText(/We review some referrals/)).not.toBeInTheDocument();
  });
});

describe('own credits', () => {
  it('show the granted amount, the remainder, and whether it is spendable', async () => {
    show({
      'GET /referrals/credits': {
        body: [
          credit(1, {
            is_usable: false,
            is_expired: true,
            remaining_amount: 0,
            expires_at: '2026-11-01T08:00:00.000Z',
          }),
          credit(2, { is_usable: false, used_amount: 1, remaining_amount: 3.99 }),
        ],
      },
      'GET /signup-credits': { body: [credit(3, { credit_type: 'signup', expires_at: '2026-12-09T08:00:00.000Z' })] },
    });
    const card = await region('Your credits');
    await card.findByText('Signup credit');
    const rows = card.getAllByRole('row').slice(1);
    const cells = rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
    expect(cells.map(([kind, offered, used, left, , status]) => [kind, offered, used, left, status])).toEqual([
      ['Signup credit', '€4.99', '$0.00', '$4.99', 'Active'],
      ['Referral credit, referrer', '€4.99', '$1.00', '$3.99', 'Inactive'],
      ['Referral credit, referrer', '€4.99', '$0.00', '$0.00', 'Expired'],
    ]);
  });

  it('show five at first and all after a click', async () => {
    show({ 'GET /referrals/credits': { body: Array.from({ length: 7 }, (_, n) => credit(n + 1)) } });
    const card = await region('Your credits');
    await userEvent.click(await card.findByRole('button', { name: 'Show all 7' }));
    expect(card.getAllByRole('row')).toHaveLength(8);
  });
});

describe('code for free credits', () => {
  const enter = async (code: string) => {
    const card = await region('A code for free credits');
    if (code !== '') await userEvent.type(card.getByLabelText('Code'), code);
    await userEvent.click(card.getByRole('button', { name: 'Redeem' }));
    return card;
  };

  it('becomes a credit and reloads the displayed credits', async () => {
    const { calls, reply } = show({
      'POST /signup-credits/redeem': { status: 201, body: credit(9, { credit_type: 'signup' }) },
    });
    await (await region('Your credits')).findByText('Referral credit, referrer');
    reply({ 'GET /signup-credits': { body: [credit(9, { credit_type: 'signup' })] } });
    await enter(' FREE2345 ');
    expect(await screen.findByText('A credit of €4.99 was added.')).toBeInTheDocument();
    expect(calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([{ code: 'FREE2345' }]);
    expect(await (await region('Your credits')).findByText('Signup credit')).toBeInTheDocument();
    expect((await region('A code for free credits')).getByLabelText('Code')).toHaveValue('');
  });

  it('shows a rejection beside the field', async () => {
    const message = 'This code has already been used.';
    show({
      'POST /signup-credits/redeem': {
        status: 422,
        body: {
          detail: 'Check the fields.',
          code: 'FIELDS_INVALID',
          errors: [{ path: 'code', message, code: 'credits.code_used', facts: {} }],
        },
      },
    });
    const card = await enter('FREE2345');
    expect(await card.findByText(message)).toBeInTheDocument();
    expect(card.getByLabelText('Code')).toHaveAttribute('aria-invalid', 'true');
  });

  it('is required', async () => {
    const { calls } = show();
    expect(await (await enter('')).findByText('Enter the code from our email.')).toBeInTheDocument();
    expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('can be requested here, which does not submit the code', async () => {
    const { calls } = show({ 'POST /support/referral-request': { body: { message: 'ok', code: 'x', facts: {} } } });
    const card = await region('A code for free credits');
    await userEvent.type(card.getByLabelText('Code'), 'FREE2345');
    await userEvent.click(card.getByRole('button', { name: 'Request Free Credits' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Request Free Credits' }));
    await userEvent.type(dialog.getByLabelText('Reason'), 'To try it.');
    await userEvent.click(dialog.getByRole('button', { name: 'Submit request' }));
    expect(await dialog.findByText('ok')).toBeInTheDocument();
    expect(calls.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
      '/support/referral-request',
    ]);
  });
});
