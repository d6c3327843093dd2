import { describe, expect, it } from '@jest/globals';
import type { AdminCreditRequestAnswer } from '@moorage/contracts';
import { CREDITS_MESSAGES, type Message } from '@moorage/domain';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN, cells, dialog, press, type Replies, showInConsole } from '../../testing/console-fixture';
import CreditRequestList from './list';

const PAGE = { total_pages: 1, current_page: 1, has_next: false, has_previous: false };
const side = (id: number, username: string) => ({
  id,
  username,
  email: `${username}@example.org`,
  is_deactivated: false,
});
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
  'GET /support/referral-requests': { body: { requests: [REQUEST], ...PAGE } },
};

function show(query = '', more: Replies = {}, user = ADMIN) {
  return showInConsole(<CreditRequestList />, {
    at: `/admin-referrals/credit-requests${query}`,
    replies: { ...REPLIES, ...more },
    user,
  });
}
const filteredBy = (filters: Readonly<Record<string, string>>): string =>
  `?filter=${encodeURIComponent(JSON.stringify(filters))}`;

describe('free-credit request', () => {
  const ACCOUNT = { ...side(31, 'kit'), is_verified: true };

  it('shows the message, whether it is late, and that a code will be emailed', async () => {
    show();
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
    show('', {
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
    show('', {
      'GET /support/referral-requests': { body: { requests: [{ ...REQUEST, account }], ...PAGE } },
    });
    await press('Approve visitor@example.org');
    expect((await dialog('Approve the request of visitor@example.org?')).getByText(sentence)).toBeInTheDocument();
  });

  it('returns to the previous page after the last request of a page', async () => {
    const { address } = show('?page=2', {
      'GET /support/referral-requests': ({ query }) => ({
        body: { requests: query.page === '1' ? [REQUEST] : [], ...PAGE, current_page: Number(query.page) },
      }),
    });
    expect(await screen.findByText('visitor@example.org')).toBeInTheDocument();
    await waitFor(() => expect(address()).toContain('page=1'));
  });

  it('leaves the pending list once approved and shows why an approval is rejected', async () => {
    const { reply } = show('', {
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
    const { requested } = show('', {
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
    show(filteredBy({ state: 'approved' }), {
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
