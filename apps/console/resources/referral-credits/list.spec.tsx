import { describe, expect, it } from '@jest/globals';
import type { AdminCreditAnswer } from '@moorage/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { ADMIN, cells, press, type Replies, showInConsole, USER } from '../../testing/console-fixture';
import Clusters from './clusters';
import ReferralCreditList from './list';

const PAGE = { total_pages: 1, current_page: 1, has_next: false, has_previous: false };
const CREDIT: AdminCreditAnswer = {
  id: 11,
  credit_type: 'referrer',
  amount: 4.99,
  used_amount: 1,
  remaining_amount: 3.99,
  created_at: '2026-11-20T08:00:00.000Z',
  expires_at: '2026-12-20T08:00:00.000Z',
  is_usable: true,
  is_expired: false,
  display_currency: 'EUR',
  user_id: 7,
  user_username: 'mara',
  user_email: 'mara@northsea.example',
  ip_address: '203.0.113.9',
  referral_user_username: 'kit',
  referral_user_email: 'kit@example.org',
};
const REPLIES: Replies = {
  'GET /referrals/admin/waiting': { body: { referrals: 2, requests: 3, overdue_requests: 1 } },
  'GET /referrals/admin/credits': { body: { credits: [CREDIT], ...PAGE } },
};

function show(query = '', more: Replies = {}, user = ADMIN) {
  return showInConsole(
    <Routes>
      <Route path="/admin-referrals" element={<ReferralCreditList />} />
      <Route path="/admin-referrals/clusters" element={<Clusters />} />
      <Route path="/dashboard" element={null} />
    </Routes>,
    {
      at: `/admin-referrals${query}`,
      replies: { ...REPLIES, ...more },
      user,
    },
  );
}
const filteredBy = (filters: Readonly<Record<string, string>>): string =>
  `?filter=${encodeURIComponent(JSON.stringify(filters))}`;
const CREDITS = '/referrals/admin/credits';

describe('administration of referrals', () => {
  it('tells other users that it is for administrators and redirects them', async () => {
    const { calls, address } = show('', {}, USER);
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Access DeniedYou must be an administrator to view this page.',
    );
    await waitFor(() => expect(address()).toBe('/dashboard'));
    expect(calls.filter(({ path }) => path.includes('admin'))).toEqual([]);
  });

  it('shows the number of pending items beside its tabs', async () => {
    show();
    expect(await screen.findByRole('link', { name: 'Referrals 2' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Free credit requests 3' })).toBeInTheDocument();
  });
});

describe('credits', () => {
  it('shows user, amount, origin and accounts at the same origin', async () => {
    show('', {
      'GET /referrals/admin/credits': {
        body: {
          credits: [
            CREDIT,
            {
              ...CREDIT,
              id: 12,
              credit_type: 'signup',
              is_usable: false,
              ip_address: null,
              referral_user_username: null,
              referral_user_email: null,
            },
            { ...CREDIT, id: 13, is_usable: false, is_expired: true },
          ],
          ...PAGE,
        },
      },
    });
    const rows = await cells('Credits');
    expect(rows.map(([, user, type, ...others]) => [user, type, ...others.slice(0, 6)])).toEqual([
      [
        'maramara@northsea.example',
        'Referrer',
        '€4.99',
        '$1.00',
        '$3.99',
        '203.0.113.9',
        'kitkit@example.org',
        'Active',
      ],
      ['maramara@northsea.example', 'Signup', '€4.99', '$1.00', '$3.99', 'N/A', 'N/A', 'Inactive'],
      [
        'maramara@northsea.example',
        'Referrer',
        '€4.99',
        '$1.00',
        '$3.99',
        '203.0.113.9',
        'kitkit@example.org',
        'Expired',
      ],
    ]);
    expect(screen.getAllByRole('link', { name: 'mara' })[0]).toHaveAttribute('href', '/users/7/show');
  });

  it('sorts a new column descending, reverses the current one, and starts at the first page', async () => {
    const { requested, address } = show('?page=3', {
      'GET /referrals/admin/credits': { body: { credits: [CREDIT], ...PAGE, total_pages: 9, current_page: 3 } },
    });
    const last = () => requested('GET', CREDITS).at(-1)?.query;
    await waitFor(() =>
      expect(last()).toEqual({ page: '3', per_page: '50', sort_by: 'created_at', sort_order: 'desc' }),
    );
    const heading = (name: string) =>
      screen.getByRole('columnheader', { name: new RegExp(`${name}`, 'i') }).getAttribute('aria-sort');
    for (const [name, sort_by, order] of [
      ['IP Address', 'ip_address', 'desc'],
      ['IP Address', 'ip_address', 'asc'],
      ['Amount', 'amount', 'desc'],
      ['User', 'user_email', 'desc'],
      ['Date', 'created_at', 'desc'],
      ['Date', 'created_at', 'asc'],
    ] as const) {
      await press(new RegExp(`^Sort by ${name} `, 'i'));
      await waitFor(() => expect(last()).toEqual({ page: '1', per_page: '50', sort_by, sort_order: order }));
      await waitFor(() => expect(heading(name)).toBe(order === 'asc' ? 'ascending' : 'descending'));
    }
    expect(heading('User')).toBe('none');
    expect(address()).toContain('order=ASC');
  });

  it('pages with five page numbers and keeps the order', async () => {
    const { requested } = show('?sort=amount&order=DESC', {
      'GET /referrals/admin/credits': { body: { credits: [CREDIT], ...PAGE, total_pages: 9, has_next: true } },
    });
    const pages = within(await screen.findByRole('navigation', { name: 'Pages' }));
    expect(pages.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['1', '2', '3', '4', '5', '']);
    await userEvent.click(pages.getByRole('link', { name: 'Next page' }));
    await waitFor(() =>
      expect(requested('GET', CREDITS).at(-1)?.query).toEqual({
        page: '2',
        per_page: '50',
        sort_by: 'amount',
        sort_order: 'desc',
      }),
    );
  });

  it('hides paging for a single page and shows an empty message without credits', async () => {
    show('', { 'GET /referrals/admin/credits': { body: { credits: [], ...PAGE } } });
    expect(await screen.findByText('No referral credits found.')).toBeInTheDocument();
    expect(screen.queryByRole('navigation', { name: 'Pages' })).not.toBeInTheDocument();
  });

  it('shows a load error and recovers on the next attempt', async () => {
    const { reply } = show('', { 'GET /referrals/admin/credits': { status: 500, body: { detail: 'x' } } });
    expect(await screen.findByText('Failed to load referral credits')).toBeInTheDocument();
    reply(REPLIES);
    await press('Try again now');
    expect(await screen.findByRole('table', { name: 'Credits' })).toBeInTheDocument();
  });

  it('filters by origin until all are requested', async () => {
    const { requested, address } = show(filteredBy({ network: '203.0.113.0/24' }));
    await waitFor(() => expect(requested('GET', CREDITS).at(-1)?.query.network).toBe('203.0.113.0/24'));
    await press(/^Network 203\.0\.113\.0\/24/);
    await waitFor(() => expect(requested('GET', CREDITS).at(-1)?.query.network).toBeUndefined());
    expect(address()).not.toContain('network');
  });
});

describe('credit adjustment', () => {
  const ADJUST = '/referrals/admin/credits/11/adjust';
  const field = () => screen.findByLabelText('Amount of the credit of mara');
  async function adjust(amount: string): Promise<void> {
    await press('Adjust the credit of mara');
    await userEvent.clear(await field());
    if (amount !== '') await userEvent.type(await field(), amount);
    await press('Save');
  }

  it('saves the amount, closes, and reloads the list', async () => {
    const { requested, reply } = show('', { [`PATCH ${ADJUST}`]: { body: { ...CREDIT, amount: 2.5 } } });
    await press('Adjust the credit of mara');
    const input = await field();
    expect(input).toHaveFocus();
    expect(input).toHaveAttribute('step', '0.01');
    expect(input).toHaveAttribute('min', '0');
    reply({ 'GET /referrals/admin/credits': { body: { credits: [{ ...CREDIT, amount: 2.5 }], ...PAGE } } });
    await userEvent.clear(input);
    await userEvent.type(input, '2.5{Enter}');
    expect(await screen.findByText('Credit adjusted successfully')).toBeInTheDocument();
    expect(requested('PATCH', ADJUST).map(({ body }) => body)).toEqual([{ amount: 2.5 }]);
    expect(await screen.findByText('€2.50')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Adjust the credit of mara' })).toHaveFocus();
  });

  it.each(['', '-1'])('rejects %j without a request', async (amount) => {
    const { requested } = show();
    await adjust(amount);
    expect(await screen.findByText('Please enter a valid amount')).toBeInTheDocument();
    expect(requested('PATCH', ADJUST)).toEqual([]);
  });

  it.each([
    [
      { status: 409, body: { detail: 'It cannot go below what is used.', code: 'CREDIT_STATE' } },
      'It cannot go below what is used.',
    ],
    [{ status: 500, body: { detail: 'x', code: 'INTERNAL_ERROR' } }, 'Failed to adjust credit'],
  ])('shows the error for %j and keeps the input', async (reply, sentence) => {
    show('', { [`PATCH ${ADJUST}`]: reply });
    await adjust('0.5');
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(await field()).toHaveValue(0.5);
  });

  it('closes with Cancel and with Escape', async () => {
    show();
    await press('Adjust the credit of mara');
    await press('Cancel');
    expect(screen.getByRole('button', { name: 'Adjust the credit of mara' })).toHaveFocus();
    await press('Adjust the credit of mara');
    await userEvent.type(await field(), '{Escape}');
    expect(await screen.findByRole('button', { name: 'Adjust the credit of mara' })).toBeInTheDocument();
    expect(screen.queryByLabelText('Amount of the credit of mara')).not.toBeInTheDocument();
  });
});

describe('clusters', () => {
  const BY: Replies = {
    'GET /referrals/admin/clusters': ({ query }) => ({
      body:
        query.by === 'network'
          ? [
              {
                key: '203.0.113.0/24',
                accounts: 9,
                waiting: 8,
                granted_amount: 9.98,
                newest_at: '2026-11-20T08:00:00.000Z',
              },
            ]
          : [],
    }),
  };

  it('link to the credits of an origin', async () => {
    const { address, requested } = show('/clusters', BY);
    const [[key, accounts, waiting, granted] = []] = await cells('Clusters');
    expect([key, accounts, waiting, granted]).toEqual(['203.0.113.0/24', '9', '8', '$9.98']);
    await userEvent.click(screen.getByRole('link', { name: '203.0.113.0/24' }));
    expect(address()).toBe(`/admin-referrals${filteredBy({ network: '203.0.113.0/24' })}`);
    await waitFor(() => expect(requested('GET', CREDITS).at(-1)?.query.network).toBe('203.0.113.0/24'));
  });

  it('group by email domain and show a message when there are none', async () => {
    show('/clusters', BY);
    await press('Email domain');
    expect(await screen.findByText('No two accounts with credits have the same origin.')).toBeInTheDocument();
  });
});
