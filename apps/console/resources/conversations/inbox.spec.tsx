import { describe, expect, it } from '@jest/globals';
import type { InboxConversation, InboxRow } from '@moorage/contracts';
import { SUPPORT_MESSAGES } from '@moorage/domain';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { ADMIN, cells, press, type Replies, showInConsole, USER } from '../../testing/console-fixture';
import { showLocale } from '../../texts/locale';
import ConversationList from './list';
import ConversationShow from './show';

const ERIK = { id: 1, username: 'erik.kovac' };
const INES = { id: 2, username: 'ines.maroto' };
const PAGE = { total_pages: 1, current_page: 1, has_next: false, has_previous: false };
const HOUR_MS = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

const ROW: InboxRow = {
  id: 51,
  kind: 'contact',
  subject: 'My domain does not answer',
  state: 'open',
  created_at: '2026-11-20T08:00:00.000Z',
  last_at: '2026-11-20T09:00:00.000Z',
  due_at: '2026-11-20T12:00:00.000Z',
  deployment: { id: 3, client_name: 'mara-pangolin-338851' },
  name: 'Mara',
  email: 'mara@northsea.example',
  account: { id: 7, username: 'mara.lindqvist', is_deactivated: false },
  level: 2,
  assignee: null,
  waiting_since: '2026-11-20T08:00:00.000Z',
  is_due_soon: false,
  is_overdue: true,
};
const VISITOR: InboxRow = {
  ...ROW,
  id: 52,
  kind: 'package',
  subject: 'Immich',
  name: 'Kit',
  email: 'kit@example.org',
  account: null,
  deployment: null,
  level: 1,
  assignee: INES,
  due_at: null,
  is_overdue: false,
};
const CONVERSATION: InboxConversation = {
  ...ROW,
  ip_address: '203.0.113.9',
  context: null,
  entries: [
    {
      id: 0,
      by: 'person',
      what: 'message',
      author: null,
      message: 'It does not answer.\nWhy?',
      at: '2026-11-20T08:00:00.000Z',
    },
    {
      id: 1,
      by: 'support',
      what: 'note',
      author: INES,
      message: 'Looks like the record.',
      at: '2026-11-20T08:30:00.000Z',
    },
    { id: 2, by: 'support', what: 'message', author: INES, message: 'Which record?', at: '2026-11-20T08:40:00.000Z' },
    { id: 3, by: 'person', what: 'closed', author: null, message: '', at: '2026-11-20T08:50:00.000Z' },
    { id: 4, by: 'person', what: 'message', author: null, message: 'The A record.', at: '2026-11-20T09:00:00.000Z' },
  ],
  is_full: false,
};
const COUNTS = { open: 3, unassigned: 2, mine: 0, due_soon: 1, overdue: 1 };
const LIST = '/support/admin/conversations';
const ONE = `${LIST}/51`;
const REPLIES: Replies = {
  [`GET ${LIST}`]: { body: { conversations: [ROW, VISITOR], ...PAGE } },
  'GET /support/admin/counts': { body: COUNTS },
  'GET /support/admin/staff': { body: [ERIK, INES] },
  [`GET ${ONE}`]: { body: CONVERSATION },
  'GET /referrals/admin/waiting': { body: { referrals: 4, requests: 2, overdue_requests: 0 } },
  'GET /users/7': { body: { ...USER } },
};

/** Opens the inbox, or the conversation or the query after its address. */
function show(place = '', more: Replies = {}, user = ADMIN) {
  return showInConsole(
    <Routes>
      <Route path="/support-inbox" element={<ConversationList />} />
      <Route path="/support-inbox/:id" element={<ConversationShow />} />
    </Routes>,
    { at: `/support-inbox${place}`, replies: { ...REPLIES, ...more }, user },
  );
}
/** Replies with the conversation's new state from now on. */
const becomes = (act: string, now: Partial<InboxConversation>, status = 200): Replies => ({
  [act]: { status, body: { ...CONVERSATION, ...now } },
});
/** Chooses a filter and waits until it applies. */
async function choose(name: string, option: string): Promise<void> {
  const select = screen.getByRole('combobox', { name });
  await userEvent.selectOptions(select, option);
  await waitFor(() => expect(select).toHaveDisplayValue(option));
}
/** Query of the inbox with these filters. */
const filteredBy = (filters: Readonly<Record<string, string>>): string =>
  `?filter=${encodeURIComponent(JSON.stringify(filters))}`;
const filtersIn = (address: string): unknown =>
  JSON.parse(new URLSearchParams(address.slice(address.indexOf('?'))).get('filter') ?? '{}');
const heading = (name = 'My domain does not answer') => screen.findByRole('heading', { level: 1, name });
const box = (label = 'Reply') => screen.findByRole('textbox', { name: label });

describe('support inbox', () => {
  it('is for administrators only', async () => {
    const { calls } = show('', {}, USER);
    expect((await screen.findByRole('alert')).textContent).toContain('Access Denied');
    expect(calls.some(({ path }) => path.startsWith('/support/admin'))).toBe(false);
  });

  it('shows customer, response deadline and assignee', async () => {
    show();
    const [first, second] = await cells('Support Inbox');
    expect(first).toEqual([
      'My domain does not answermara-pangolin-338851',
      'overdueFri 20 Nov, 12:00 UTC',
      'Level 2',
      'mara.lindqvistmara@northsea.example',
      'Unassigned',
      'Fri 20 Nov, 08:00 UTC',
    ]);
    expect(second?.slice(0, 5)).toEqual([
      'ImmichPackage request',
      'None',
      'Level 1',
      'KitVisitorkit@example.org',
      'ines.maroto',
    ]);
    expect(screen.getByRole('link', { name: 'mara.lindqvist' })).toHaveAttribute('href', '/users/7/show');
    expect(await screen.findByRole('button', { name: 'Waiting 3' })).toBeInTheDocument();
  });

  it('marks conversations that are due soon', async () => {
    show('', {
      [`GET ${LIST}`]: {
        body: {
          conversations: [
            { ...ROW, is_overdue: false, is_due_soon: true },
            { ...ROW, id: 53, is_overdue: false },
          ],
          ...PAGE,
        },
      },
    });
    expect((await cells('Support Inbox')).map((row) => row[1])).toEqual([
      'due soonFri 20 Nov, 12:00 UTC',
      'Fri 20 Nov, 12:00 UTC',
    ]);
  });

  it('links to pending requests for free credits', async () => {
    show();
    const link = await screen.findByRole('link', { name: '2 free credit requests waiting' });
    expect(link).toHaveAttribute('href', '/admin-referrals/credit-requests');
  });

  it('stores its filters in the URL and sends them', async () => {
    const { address, requested } = show();
    await cells('Support Inbox');
    expect(requested('GET', LIST).at(-1)?.query).toEqual({ page: '1' });
    await press('Answered');
    await screen.findByRole('button', { name: 'Answered', pressed: true });
    await choose('Assigned to', 'Assigned to me');
    await choose('Kind', 'Package requests');
    await choose('Support level', 'Level 3');
    await userEvent.type(screen.getByRole('searchbox'), 'domain');
    const narrow = { state: 'answered', assigned_to: 'me', kind: 'package', level: '3' };
    await waitFor(() => expect(filtersIn(address())).toEqual({ ...narrow, q: 'domain' }));
    await waitFor(() =>
      expect(requested('GET', LIST).at(-1)?.query).toEqual({ ...narrow, search: 'domain', page: '1' }),
    );
    expect(requested('GET', LIST).some(({ query }) => query.search === 'dom')).toBe(false);
    await choose('Assigned to', 'Assigned to anyone');
    const { assigned_to: _me, ...others } = narrow;
    await waitFor(() => expect(filtersIn(address())).toEqual({ ...others, q: 'domain' }));
  });

  it('shows the filter by user until it is removed', async () => {
    const { address, requested } = show(filteredBy({ user_id: '7', state: 'closed' }));
    await press(/^From mara\.lindqvist/);
    await waitFor(() => expect(filtersIn(address())).toEqual({ state: 'closed' }));
    expect(requested('GET', LIST)[0]?.query).toEqual({ state: 'closed', user_id: '7', page: '1' });
    await waitFor(() => expect(screen.queryByRole('button', { name: /^From mara/ })).not.toBeInTheDocument());
  });

  it.each([
    [{}, 'No open conversations.'],
    [{ state: 'closed' }, 'No closed conversations.'],
    [{ kind: 'package' }, 'No conversation matches these filters.'],
  ])('shows an empty message with %j', async (filters, sentence) => {
    show(filteredBy(filters), { [`GET ${LIST}`]: { body: { conversations: [], ...PAGE } } });
    expect(await screen.findByText(sentence)).toBeInTheDocument();
  });

  it('shows a load error and retries', async () => {
    const { reply } = show('', { [`GET ${LIST}`]: { status: 500, body: { detail: 'x', code: 'INTERNAL_ERROR' } } });
    expect(await screen.findByText('Failed to load the inbox')).toBeInTheDocument();
    reply({ [`GET ${LIST}`]: { body: { conversations: [ROW], ...PAGE } } });
    await press('Try again now');
    expect(await cells('Support Inbox')).toHaveLength(1);
  });

  it('is translated to German', async () => {
    await showLocale('de', { persist: false });
    show();
    expect(await screen.findByRole('heading', { name: 'Support-Eingang' })).toBeInTheDocument();
    expect(await screen.findByText('überfällig')).toBeInTheDocument();
  });
});

describe('conversation in the inbox', () => {
  it('opens with the focus on its subject, and going back keeps filters, page and position', async () => {
    const list = `${filteredBy({ state: 'answered', level: '2' })}&page=2`;
    const { address } = show(list, {
      [`GET ${LIST}`]: { body: { conversations: [ROW], ...PAGE, total_pages: 2, current_page: 2 } },
    });
    await userEvent.click(await screen.findByRole('link', { name: 'My domain does not answer' }));
    const subject = await heading();
    expect(subject).toHaveFocus();
    expect(address()).toBe('/support-inbox/51');
    await userEvent.click(screen.getByRole('link', { name: 'Back to the inbox' }));
    expect(address()).toBe(`/support-inbox${list}`);
    await waitFor(() => expect(screen.getByRole('link', { name: 'My domain does not answer' })).toHaveFocus());
  });

  it('shows its author, its origin and the author of each message', async () => {
    show('/51');
    await heading();
    const entries = within(screen.getByRole('list', { name: 'Conversation' })).getAllByRole('listitem');
    expect(entries.map(({ textContent }) => textContent)).toEqual([
      'mara.lindqvistFri 20 Nov, 08:00 UTCIt does not answer.\nWhy?',
      'ines.marotoNote, visible to administrators onlyFri 20 Nov, 08:30 UTCLooks like the record.',
      'ines.marotoFri 20 Nov, 08:40 UTCWhich record?',
      'mara.lindqvist closed the conversation, Fri 20 Nov, 08:50 UTC',
      'mara.lindqvistFri 20 Nov, 09:00 UTCThe A record.',
    ]);
    const details = within(screen.getByRole('region', { name: 'Details' }));
    expect(details.getByRole('link', { name: 'mara.lindqvist' })).toHaveAttribute('href', '/users/7/show');
    expect(details.getByText('mara@northsea.example')).toBeInTheDocument();
    expect(details.getByText('203.0.113.9')).toBeInTheDocument();
    expect(details.getByRole('link', { name: 'mara-pangolin-338851' })).toHaveAttribute(
      'href',
      '/admin-deployments/3/show',
    );
  });

  it('names a visitor without a link to an account', async () => {
    show('/51', { [`GET ${ONE}`]: { body: { ...CONVERSATION, ...VISITOR, id: 51 } } });
    await heading('Immich');
    const details = within(screen.getByRole('region', { name: 'Details' }));
    expect(details.getByText('Kit')).toBeInTheDocument();
    expect(details.getByText('Visitor')).toBeInTheDocument();
    expect(details.queryByRole('link')).not.toBeInTheDocument();
  });

  it.each([
    [{ due_at: inHours(-2), is_overdue: true }, /Overdue by 2 h/],
    [{ due_at: inHours(5), is_overdue: false }, /Due in (5 h|4 h 59 min)/],
  ])('shows the response deadline: %j', async (due, words) => {
    show('/51', { [`GET ${ONE}`]: { body: { ...CONVERSATION, ...due } } });
    await heading();
    expect(screen.getByText(words)).toBeInTheDocument();
  });

  it('shows that it does not exist', async () => {
    show('/51', { [`GET ${ONE}`]: { status: 404, body: { detail: 'x', code: 'NOT_FOUND' } } });
    const missing = await heading('There is no such conversation');
    expect(missing).toHaveFocus();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('shows a load error and retries', async () => {
    const { reply } = show('/51', {
      [`GET ${ONE}`]: { status: 500, body: { detail: 'x', code: 'INTERNAL_ERROR' } },
    });
    expect(await screen.findByText('Failed to load the conversation')).toBeInTheDocument();
    reply({ [`GET ${ONE}`]: { body: CONVERSATION } });
    await press('Try again now');
    expect(await heading()).toBeInTheDocument();
  });

  it('shows the deployment as it was, and no other part of the submitted data', async () => {
    const at = '2026-11-20T08:00:00.000Z';
    const step = { state: 'done', started_at: at, ended_at: '2026-11-20T08:01:12.000Z', message: null, attempts: 1 };
    const context = {
      client_name: 'mara-pangolin-338851',
      package: 'pangolin',
      server_type: 'new',
      cloud_provider: 'hetzner',
      region: 'fsn1',
      instance_type: 'cx22',
      support_level: 2,
      domain: 'proxy.northsea.example',
      status: 'DNS_FAILED',
      failure: { code: 'x', facts: {}, detail: 'The record is missing.' },
      created_at: at,
      steps: [
        { ...step, name: 'create-server' },
        {
          ...step,
          name: 'validate-dns',
          state: 'action_required',
          ended_at: null,
          attempts: 3,
          message: { code: 'x', facts: {}, detail: 'No A record yet.' },
        },
        { ...step, name: 'issue-certificate', state: 'waiting', started_at: null, ended_at: null },
      ],
      at: '2026-11-20T08:05:00.000Z',
      // An API that returns too many fields.
      environment: { ADMIN_PASSWORD: 'hunter2hunter2' },
    };
    show('/51', { [`GET ${ONE}`]: { body: { ...CONVERSATION, context } } });
    await heading();
    const card = within(screen.getByRole('region', { name: 'Deployment' }));
    expect(card.getByRole('link', { name: 'mara-pangolin-338851' })).toHaveAttribute(
      'href',
      '/admin-deployments/3/show',
    );
    for (const text of [
      'As of Fri 20 Nov, 08:05 UTC',
      'DNS Setup Required',
      'The record is missing.',
      'hetzner, fsn1, cx22',
      'Professional (Level 2)',
      'proxy.northsea.example',
    ])
      expect(card.getByText(text)).toBeInTheDocument();
    const [ordered, dns, certificate] = card.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(ordered).toMatch(/hetzner.*1 min 12 s.*Started Fri 20 Nov, 08:00 UTC$/);
    expect(dns).toMatch(/waiting for the user.*Attempt 3No A record yet\.$/);
    expect(certificate).not.toContain('Started');
    expect(document.body.textContent).not.toContain('hunter2');
  });
});

describe('reply', () => {
  const ANSWER = `POST ${ONE}/answers`;
  const entry = { id: 5, by: 'support', what: 'message', author: ERIK, message: 'Wait.', at: inHours(0) } as const;

  it('is emailed, appears in the conversation, and is confirmed', async () => {
    const now: Partial<InboxConversation> = {
      state: 'answered',
      entries: [...CONVERSATION.entries, entry],
      assignee: ERIK,
    };
    const { requested, reply } = show('/51', becomes(ANSWER, now, 201));
    expect(await screen.findByText(/^Emailed to mara@northsea\.example\./)).toBeInTheDocument();
    await userEvent.type(await box(), '  Wait. ');
    reply(becomes(`GET ${ONE}`, now));
    await press('Send reply');
    expect(await screen.findByText('Reply sent to mara@northsea.example.')).toBeInTheDocument();
    expect(requested('POST', `${ONE}/answers`).map(({ body }) => body)).toEqual([{ message: 'Wait.' }]);
    expect(screen.getByText('Wait.')).toBeInTheDocument();
    expect(await box()).toHaveValue('');
    await waitFor(() => expect(requested('GET', ONE).length).toBeGreaterThan(1));
  });

  it('is sent once, also with Ctrl+Enter', async () => {
    let send: () => void = () => undefined;
    const { requested } = show('/51', {
      [ANSWER]: () =>
        new Promise((resolve) => {
          send = () => resolve({ status: 201, body: CONVERSATION });
        }),
    });
    await userEvent.type(await box(), 'Wait.{Control>}{Enter}{/Control}');
    const button = await screen.findByRole('button', { name: 'Sending...' });
    expect(button).toBeDisabled();
    await userEvent.type(await box(), '{Control>}{Enter}{/Control}');
    send();
    expect(await screen.findByText(/^Reply sent/)).toBeInTheDocument();
    expect(requested('POST', `${ONE}/answers`)).toHaveLength(1);
  });

  it('is not sent without text', async () => {
    const { requested } = show('/51');
    await press('Send reply');
    expect(await screen.findByText('Write a message.')).toBeInTheDocument();
    expect(await box()).toHaveFocus();
    expect(requested('POST', `${ONE}/answers`)).toEqual([]);
  });

  it.each([
    [{ status: 500, body: { detail: 'Something failed here.', code: 'INTERNAL_ERROR' } }, 'Something failed here.'],
    [
      {
        status: 422,
        body: {
          detail: 'x',
          code: 'FIELDS_INVALID',
          errors: [{ path: 'message', message: 'At most 5000 characters.' }],
        },
      },
      'At most 5000 characters.',
    ],
  ])('shows the reason for %j and keeps the input', async (refusal, sentence) => {
    show('/51', { [ANSWER]: refusal });
    await userEvent.type(await box(), 'Wait.');
    await press('Send reply');
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(await box()).toHaveValue('Wait.');
  });

  it('stays readable when the conversation is full', async () => {
    const { code, facts, detail } = SUPPORT_MESSAGES.conversation_full;
    const { reply } = show('/51', {
      [ANSWER]: { status: 409, body: { detail, code: 'CONVERSATION_STATE', message_code: code, facts } },
    });
    await userEvent.type(await box(), 'Wait.');
    reply(becomes(`GET ${ONE}`, { is_full: true }));
    await press('Send reply');
    expect(await screen.findByText(/^This conversation has reached its maximum length/)).toBeInTheDocument();
    expect(screen.getByText('Wait.')).toBeInTheDocument();
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
  });

  it('is restored as a reply or note if it was typed but not sent', async () => {
    const first = show('/51', becomes(`POST ${ONE}/notes`, {}, 201));
    await press('Note');
    await userEvent.type(await box('Note'), 'Is he serious?');
    await userEvent.click(screen.getByRole('link', { name: 'Back to the inbox' }));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Note' })).not.toBeInTheDocument());
    await userEvent.click(await screen.findByRole('link', { name: 'My domain does not answer' }));
    expect(await box('Note')).toHaveValue('Is he serious?');
    await press('Save note');
    expect(await screen.findByText('Note saved.')).toBeInTheDocument();
    expect(first.requested('POST', `${ONE}/answers`)).toEqual([]);
    expect(await box('Note')).toHaveValue('');
    expect(sessionStorage.getItem('message_drafts')).toBe('[]');
  });

  it('is repeated with the same key after a lost response, also after leaving the page', async () => {
    const { requested, reply } = show('/51', { [ANSWER]: { status: 503, body: {} } });
    await userEvent.type(await box(), 'Wait.');
    await press('Send reply');
    await screen.findByRole('alert');
    await userEvent.click(screen.getByRole('link', { name: 'Back to the inbox' }));
    await userEvent.click(await screen.findByRole('link', { name: 'My domain does not answer' }));
    reply(becomes(ANSWER, {}, 201));
    await press('Send reply');
    expect(await screen.findByText(/^Reply sent/)).toBeInTheDocument();
    const sent = requested('POST', `${ONE}/answers`);
    expect(sent.map(({ body }) => body)).toEqual([{ message: 'Wait.' }, { message: 'Wait.' }]);
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect(sent[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
  });

  it('becomes a note without losing its text', async () => {
    const NOTE = `POST ${ONE}/notes`;
    const { requested } = show('/51', becomes(NOTE, {}, 201));
    await userEvent.type(await box(), 'Known.');
    await press('Note');
    expect(await box('Note')).toHaveValue('Known.');
    expect(screen.getByText(/^Visible to administrators only/)).toBeInTheDocument();
    await press('Save note');
    expect(await screen.findByText('Note saved.')).toBeInTheDocument();
    expect(requested('POST', `${ONE}/notes`).map(({ body }) => body)).toEqual([{ message: 'Known.' }]);
    expect(requested('POST', `${ONE}/answers`)).toEqual([]);
  });
});

describe('assignee', () => {
  const ASSIGN = `PUT ${ONE}/assignee`;

  it('is set to the current administrator with a click', async () => {
    const { requested, reply } = show('/51', becomes(ASSIGN, { assignee: ERIK }));
    await heading();
    reply(becomes(`GET ${ONE}`, { assignee: ERIK }));
    await press('Assign to me');
    expect(await screen.findByText('Assigned to erik.kovac.')).toBeInTheDocument();
    expect(requested('PUT', `${ONE}/assignee`).map(({ body }) => body)).toEqual([{ user_id: 1 }]);
    expect(screen.queryByRole('button', { name: 'Assign to me' })).not.toBeInTheDocument();
  });

  it('is selected from the administrators, or cleared', async () => {
    const { requested } = show('/51', {
      [`GET ${ONE}`]: { body: { ...CONVERSATION, assignee: { id: 9, username: 'gone' } } },
      ...becomes(ASSIGN, { assignee: null }),
    });
    await screen.findByRole('option', { name: 'ines.maroto' });
    const select = screen.getByRole('combobox', { name: 'Assigned to' });
    expect(
      within(select)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Unassigned', 'gone', 'erik.kovac', 'ines.maroto']);
    await userEvent.selectOptions(select, 'Unassigned');
    expect(await screen.findByText('Assignment removed.')).toBeInTheDocument();
    expect(requested('PUT', `${ONE}/assignee`).map(({ body }) => body)).toEqual([{ user_id: null }]);
  });

  it('stays the same on a failure', async () => {
    show('/51', { [ASSIGN]: { status: 500, body: { detail: 'x', code: 'INTERNAL_ERROR' } } });
    await screen.findByRole('option', { name: 'ines.maroto' });
    const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Assigned to' });
    await userEvent.selectOptions(select, 'ines.maroto');
    expect(await screen.findByText('Something went wrong. Try again.')).toBeInTheDocument();
    expect(select).toHaveValue('');
  });
});

it('accepts a reply after the conversation is closed', async () => {
  const CLOSED = { state: 'closed', due_at: null, is_overdue: false } as const;
  const { requested, reply } = show('/51', becomes(`POST ${ONE}/close`, CLOSED));
  await heading();
  reply(becomes(`GET ${ONE}`, CLOSED));
  await press('Close conversation');
  expect(await screen.findByText('Conversation closed.')).toBeInTheDocument();
  expect(requested('POST', `${ONE}/close`)).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Close conversation' })).not.toBeInTheDocument();
  expect(await box()).toBeInTheDocument();
});

it('accepts no message once the conversation is full', async () => {
  show('/51', { [`GET ${ONE}`]: { body: { ...CONVERSATION, is_full: true } } });
  expect(await screen.findByText(/^This conversation has reached its maximum length/)).toBeInTheDocument();
  expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
});
