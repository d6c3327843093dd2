import { describe, expect, it } from '@jest/globals';
import type { AdminCreditAnswer, AdminCreditRequestAnswer, AdminReferralAnswer } from '@moorage/contracts';
import { CREDITS_MESSAGES, doubtMessage, type Message } from '@moorage/domain';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN, cells, dialog, press, type Replies, showInConsole, USER } from '../../testing/console-fixture';
import AdminReferralsPage from './admin-referrals-page';

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
const side = (id: number, username: string) => ({
  id,
  username,
  email: `${username}@example.org`,
  is_deactivated: false,
});
const REFERRAL: AdminReferralAnswer = {
  id: 21,
  state: 'waiting',
  referred: side(31, 'kit'),
  referrer: { ...side(7, 'mara'), is_deactivated: true },
  network: '203.0.113.0/24',
  ip_address: '203.0.113.9',
  doubts: [
    { kind: 'referrer_network', text: doubtMessage('referrer_network') },
    { kind: 'monthly_cap', text: doubtMessage('monthly_cap') },
  ],
  verified_at: '2026-11-20T08:00:00.000Z',
  granted_at: null,
  decided_at: null,
  decided_by: null,
  rejection: null,
};
const REQUEST: AdminCreditRequestAnswer = {
  id: 41,
  state: 'waiting',
  email: 'visitor@example.org',
  reason: 'To try it.\nReally.',
  ip_address: null,
  created_at: '2026-11-20T08:00:00.000Z',
  due_at: '2026-11-21T08:00:00.000Z',
  is_overdue: true,
  account: null,
  had_before: false,
  code_expires_at: null,
  credited_at: null,
  decided_at: null,
  decided_by: null,
  rejection: null,
};
const DECIDED = { decided_at: '2026-11-22T08:00:00.000Z', decided_by: { id: 1, username: 'erik.kovac' } };
const refused = ({ code, facts, detail }: Message) => ({
  status: 409,
  body: { detail, code: 'CREDIT_STATE', message_code: code, facts },
});
const REPLIES: Replies = {
  'GET /referrals/admin/waiting': { body: { referrals: 2, requests: 3, overdue_requests: 1 } },
  'GET /referrals/admin/credits': { body: { credits: [CREDIT], ...PAGE } },
  'GET /referrals/admin/referrals': { body: { referrals: [REFERRAL], ...PAGE } },
  'GET /support/referral-requests': { body: { requests: [REQUEST], ...PAGE } },
};

function show(query = '', more: Replies = {}, user = ADMIN) {
  return showInConsole(<AdminReferralsPage />, {
    at: `/admin-referrals${query}`,
    replies: { ...REPLIES, ...more },
    user,
  });
}
const CREDITS = '/referrals/admin/credits';

describe('admin referrals page', () => {
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
    expect(await screen.findByRole('button', { name: 'Referrals 2' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Free credit requests 3' })).toBeInTheDocument();
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
    await waitFor(() => expect(last()).toEqual({ page: '3', sort_by: 'created_at', sort_order: 'desc' }));
    const heading = (name: string) => screen.getByRole('columnheader', { name }).getAttribute('aria-sort');
    for (const [name, sort_by, order] of [
      ['IP Address', 'ip_address', 'desc'],
      ['IP Address', 'ip_address', 'asc'],
      ['Amount', 'amount', 'desc'],
      ['User', 'user_email', 'desc'],
      ['Date', 'created_at', 'desc'],
      ['Date', 'created_at', 'asc'],
    ] as const) {
      await press(name);
      await waitFor(() => expect(last()).toEqual({ page: '1', sort_by, sort_order: order }));
      expect(heading(name)).toBe(order === 'asc' ? 'ascending' : 'descending');
    }
    expect(heading('User')).toBe('none');
    expect(address()).toContain('sort_order=asc');
  });

  it('pages with five page numbers and keeps the order', async () => {
    const { requested } = show('?sort_by=amount', {
      'GET /referrals/admin/credits': { body: { credits: [CREDIT], ...PAGE, total_pages: 9, has_next: true } },
    });
    const pages = within(await screen.findByRole('navigation', { name: 'Pages' }));
    expect(pages.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['1', '2', '3', '4', '5', '']);
    await userEvent.click(pages.getByRole('link', { name: 'Next page' }));
    await waitFor(() =>
      expect(requested('GET', CREDITS).at(-1)?.query).toEqual({ page: '2', sort_by: 'amount', sort_order: 'desc' }),
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
    const { requested, address } = show('?network=203.0.113.0%2F24');
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

describe('pending referral', () => {
  const APPROVE = 'POST /referrals/admin/referrals/21/approve';
  const REJECT = 'POST /referrals/admin/referrals/21/reject';

  it('shows referrer, referred user, origin and the reason for the review', async () => {
    show('?tab=referrals');
    const [[referred, referrer, , from, doubts] = []] = await cells('Referrals');
    expect([referred, referrer, from]).toEqual([
      'kitkit@example.org',
      'maraDeactivatedmara@example.org',
      '203.0.113.9203.0.113.0/24',
    ]);
    expect(doubts).toBe('Same network as the referrerThe referrer has already received 10 pairs of credits this month');
  });

  it('is approved after a preview of the effect', async () => {
    const { requested, reply } = show('?tab=referrals', { [APPROVE]: { body: { ...REFERRAL, state: 'granted' } } });
    await press('Approve kit');
    const question = await dialog('Grant the credits of kit and mara?');
    reply({ 'GET /referrals/admin/referrals': { body: { referrals: [], ...PAGE } } });
    await userEvent.click(question.getByRole('button', { name: 'Approve' }));
    expect(await screen.findByText('The credits were granted.')).toBeInTheDocument();
    expect(await screen.findByText('No referrals are waiting for review.')).toBeInTheDocument();
    expect(requested('POST', '/referrals/admin/referrals/21/approve')).toHaveLength(1);
  });

  it('requires a reason to be rejected', async () => {
    const { requested } = show('?tab=referrals', { [REJECT]: { body: { ...REFERRAL, state: 'rejected' } } });
    await press('Reject kit');
    const question = await dialog('Reject the referral of kit by mara?');
    expect(question.getByLabelText('Reason')).toHaveFocus();
    await userEvent.click(question.getByRole('button', { name: 'Reject' }));
    expect(await question.findByText('Enter a reason.')).toBeInTheDocument();
    await userEvent.type(question.getByLabelText('Reason'), ' One person. ');
    await userEvent.click(question.getByRole('button', { name: 'Reject' }));
    expect(await screen.findByText('The referral was rejected.')).toBeInTheDocument();
    expect(requested('POST', '/referrals/admin/referrals/21/reject').map(({ body }) => body)).toEqual([
      { reason: 'One person.' },
    ]);
  });

  it('shows that another administrator decided first and reloads the list', async () => {
    const { requested } = show('?tab=referrals', { [APPROVE]: refused(CREDITS_MESSAGES.pair_decided) });
    await press('Approve kit');
    const before = requested('GET', '/referrals/admin/referrals').length;
    await userEvent.click(
      (await dialog('Grant the credits of kit and mara?')).getByRole('button', { name: 'Approve' }),
    );
    expect(await screen.findByText('This referral has already been decided. Reload the list.')).toBeInTheDocument();
    await waitFor(() => expect(requested('GET', '/referrals/admin/referrals').length).toBeGreaterThan(before));
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  });

  it('shows who decided it and why', async () => {
    const { requested } = show('?tab=referrals', {
      'GET /referrals/admin/referrals': ({ query }) => ({
        body: {
          referrals:
            query.state === 'rejected'
              ? [{ ...REFERRAL, ...DECIDED, state: 'rejected', rejection: 'One person.' }]
              : [REFERRAL],
          ...PAGE,
        },
      }),
    });
    await press('Rejected');
    expect(await screen.findByText('One person.')).toBeInTheDocument();
    expect(screen.getByText('by erik.kovac')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Approve kit' })).not.toBeInTheDocument();
    expect(requested('GET', '/referrals/admin/referrals').at(-1)?.query).toEqual({ state: 'rejected', page: '1' });
  });
});

describe('free-credit request', () => {
  const ACCOUNT = { ...side(31, 'kit'), is_verified: true };

  it('shows the message, whether it is late, and that a code will be emailed', async () => {
    show('?tab=requests');
    const [[from, why, account, , due] = []] = await cells('Free credit requests');
    expect([from, why, account, due]).toEqual([
      'visitor@example.org',
      'To try it.\nReally.',
      'no account',
      'overdueSat 21 Nov, 08:00 UTC',
    ]);
    await press('Approve visitor@example.org');
    expect(
      (await dialog('Approve the request of visitor@example.org?')).getByText(/^We email a code to this address/),
    ).toBeInTheDocument();
  });

  it('names the account and its earlier credits', async () => {
    show('?tab=requests', {
      'GET /support/referral-requests': {
        body: { requests: [{ ...REQUEST, account: ACCOUNT, had_before: true, is_overdue: false }], ...PAGE },
      },
    });
    const [[, , account] = []] = await cells('Free credit requests');
    expect(account).toBe('kitkit@example.orghad free credits before');
    await press('Approve visitor@example.org');
    const question = await dialog('Approve the request of visitor@example.org?');
    expect(question.getByText('This mailbox has already received free credits.')).toBeInTheDocument();
    expect(question.queryByRole('button', { name: 'Approve' })).not.toBeInTheDocument();
  });

  it.each([
    [ACCOUNT, /^kit gets a €4.99 signup credit/],
    [{ ...ACCOUNT, is_verified: false }, /^We email a code to this address/],
    [{ ...ACCOUNT, is_deactivated: true }, /^The account with this email address is deactivated/],
  ])('previews the approval for %j', async (account, sentence) => {
    show('?tab=requests', {
      'GET /support/referral-requests': { body: { requests: [{ ...REQUEST, account }], ...PAGE } },
    });
    await press('Approve visitor@example.org');
    expect((await dialog('Approve the request of visitor@example.org?')).getByText(sentence)).toBeInTheDocument();
  });

  it('returns to the previous page after the last request of a page', async () => {
    const { address } = show('?tab=requests&page=2', {
      'GET /support/referral-requests': ({ query }) => ({
        body: { requests: query.page === '1' ? [REQUEST] : [], ...PAGE, current_page: Number(query.page) },
      }),
    });
    expect(await screen.findByText('visitor@example.org')).toBeInTheDocument();
    expect(address()).toBe('/admin-referrals?tab=requests&page=1');
  });

  it('leaves the pending list once approved and shows why an approval is rejected', async () => {
    const { reply } = show('?tab=requests', {
      'POST /support/referral-requests/41/approve': refused(CREDITS_MESSAGES.had_before),
    });
    const approve = async () => {
      await press('Approve visitor@example.org');
      const question = await dialog('Approve the request of visitor@example.org?');
      await userEvent.click(question.getByRole('button', { name: 'Approve' }));
    };
    await approve();
    expect(await screen.findByText('This mailbox has already received free credits.')).toBeInTheDocument();
    reply({
      'POST /support/referral-requests/41/approve': { body: { ...REQUEST, state: 'approved' } },
      'GET /support/referral-requests': { body: { requests: [], ...PAGE } },
    });
    await approve();
    expect(await screen.findByText('The request was approved.')).toBeInTheDocument();
    expect(await screen.findByText('No requests are waiting for review.')).toBeInTheDocument();
  });

  it('sends the reason for a rejection to the user', async () => {
    const { requested } = show('?tab=requests', {
      'POST /support/referral-requests/41/reject': { body: { ...REQUEST, state: 'rejected' } },
    });
    await press('Reject visitor@example.org');
    const question = await dialog('Reject the request of visitor@example.org?');
    expect(question.getByText('The reason is emailed to this address.')).toBeInTheDocument();
    await userEvent.type(question.getByLabelText('Reason'), 'Only once.');
    await userEvent.click(question.getByRole('button', { name: 'Reject' }));
    expect(await screen.findByText('The request was rejected.')).toBeInTheDocument();
    expect(requested('POST', '/support/referral-requests/41/reject').map(({ body }) => body)).toEqual([
      { reason: 'Only once.' },
    ]);
  });

  it('shows the result of an earlier approval', async () => {
    const approved = { ...REQUEST, ...DECIDED, state: 'approved' as const, is_overdue: false };
    show('?tab=requests&state=approved', {
      'GET /support/referral-requests': {
        body: {
          requests: [
            { ...approved, code_expires_at: '2026-12-22T08:00:00.000Z' },
            { ...approved, id: 42, credited_at: '2026-11-22T08:00:00.000Z' },
          ],
          ...PAGE,
        },
      },
    });
    const rows = await cells('Free credit requests');
    expect(rows.map((row) => row.at(-1))).toEqual(['code until Tue 22 Dec 2026', 'Sun 22 Nov 2026']);
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
    const { address, requested } = show('?tab=clusters', BY);
    const [[key, accounts, waiting, granted] = []] = await cells('Clusters');
    expect([key, accounts, waiting, granted]).toEqual(['203.0.113.0/24', '9', '8', '$9.98']);
    await userEvent.click(screen.getByRole('link', { name: '203.0.113.0/24' }));
    expect(address()).toBe('/admin-referrals?network=203.0.113.0%2F24');
    await waitFor(() => expect(requested('GET', CREDITS).at(-1)?.query.network).toBe('203.0.113.0/24'));
  });

  it('group by email domain and show a message when there are none', async () => {
    show('?tab=clusters', BY);
    await press('Email domain');
    expect(await screen.findByText('No two accounts with credits have the same origin.')).toBeInTheDocument();
  });
});
