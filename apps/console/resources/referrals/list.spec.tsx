import { describe, expect, it } from '@jest/globals';
import type { AdminReferralAnswer } from '@moorage/contracts';
import { CREDITS_MESSAGES, doubtMessage, type Message } from '@moorage/domain';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN, cells, dialog, press, type Replies, showInConsole } from '../../testing/console-fixture';
import ReferralList from './list';

const PAGE = { total_pages: 1, current_page: 1, has_next: false, has_previous: false };
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
const DECIDED = { decided_at: '2026-11-22T08:00:00.000Z', decided_by: { id: 1, username: 'erik.kovac' } };
const refused = ({ code, facts, detail }: Message) => ({
  status: 409,
  body: { detail, code: 'CREDIT_STATE', message_code: code, facts },
});
const REPLIES: Replies = {
  'GET /referrals/admin/waiting': { body: { referrals: 2, requests: 3, overdue_requests: 1 } },
  'GET /referrals/admin/referrals': { body: { referrals: [REFERRAL], ...PAGE } },
};

function show(query = '', more: Replies = {}, user = ADMIN) {
  return showInConsole(<ReferralList />, {
    at: `/admin-referrals/referrals${query}`,
    replies: { ...REPLIES, ...more },
    user,
  });
}

describe('pending referral', () => {
  const APPROVE = 'POST /referrals/admin/referrals/21/approve';
  const REJECT = 'POST /referrals/admin/referrals/21/reject';

  it('shows referrer, referred user, origin and the reason for the review', async () => {
    show();
    const [[referred, referrer, , from, doubts] = []] = await cells('Referrals');
    expect([referred, referrer, from]).toEqual([
      'kitkit@example.org',
      'maraDeactivatedmara@example.org',
      '203.0.113.9203.0.113.0/24',
    ]);
    expect(doubts).toBe('Same network as the referrerThe referrer has already received 10 pairs of credits this month');
  });

  it('is approved after a preview of the effect', async () => {
    const { requested, reply } = show('', { [APPROVE]: { body: { ...REFERRAL, state: 'granted' } } });
    await press('Approve kit');
    const question = await dialog('Grant the credits of kit and mara?');
    reply({ 'GET /referrals/admin/referrals': { body: { referrals: [], ...PAGE } } });
    await userEvent.click(question.getByRole('button', { name: 'Approve' }));
    expect(await screen.findByText('The credits were granted.')).toBeInTheDocument();
    expect(await screen.findByText('No referrals are waiting for review.')).toBeInTheDocument();
    expect(requested('POST', '/referrals/admin/referrals/21/approve')).toHaveLength(1);
  });

  it('requires a reason to be rejected', async () => {
    const { requested } = show('', { [REJECT]: { body: { ...REFERRAL, state: 'rejected' } } });
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
    const { requested } = show('', { [APPROVE]: refused(CREDITS_MESSAGES.pair_decided) });
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
    const { requested } = show('', {
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
