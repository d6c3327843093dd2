import { afterEach, describe, expect, it } from '@jest/globals';
import type { ConversationAnswer, ConversationBrief, SupportDesk } from '@moorage/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { keysOf } from '../../data/live-hints';
import { type Replies, showInConsole } from '../../testing/console-fixture';
import { showLocale } from '../../texts/locale';
import { closeSupport, useSupportDesk } from '../../parts/support/support-desk';
import SupportPage from './support-page';

const DESK: SupportDesk = {
  level: 2,
  answered_within_hours: 24,
  counts_working_days_only: true,
  hours: 'Mon-Fri 09:00-17:00',
  time_zone: 'Europe/Berlin',
  phone: null,
  success_manager: null,
};
const brief = (id: number, change: Partial<ConversationBrief> = {}): ConversationBrief => ({
  id,
  kind: 'contact',
  subject: 'A certificate',
  state: 'open',
  created_at: '2026-11-20T08:00:00.000Z',
  last_at: '2026-11-20T08:00:00.000Z',
  due_at: '2026-11-23T08:00:00.000Z',
  deployment: { id: 1047, client_name: 'maralind-pangolin-915204' },
  ...change,
});
const FIRST = {
  id: 0,
  by: 'person',
  what: 'message',
  message: 'It is old.\nWhy?',
  at: '2026-11-20T08:00:00.000Z',
} as const;
const ANSWER = {
  id: 1,
  by: 'support',
  what: 'message',
  message: 'We renewed it.',
  at: '2026-11-20T09:30:00.000Z',
} as const;
const SOLVED = { id: 2, by: 'person', what: 'closed', message: '', at: '2026-11-20T10:00:00.000Z' } as const;
const conversation = (change: Partial<ConversationAnswer> = {}): ConversationAnswer => ({
  ...brief(12),
  email: 'mara@northsea.example',
  entries: [FIRST],
  is_full: false,
  ...change,
});
const answered = conversation({ state: 'answered', due_at: null, entries: [FIRST, ANSWER] });
const closed = conversation({ state: 'closed', due_at: null, entries: [FIRST, ANSWER, SOLVED] });
const page = (conversations: readonly ConversationBrief[], current_page = 1, total_pages = 1) => ({
  body: {
    conversations,
    current_page,
    total_pages,
    has_next: current_page < total_pages,
    has_previous: current_page > 1,
  },
});

function Panel() {
  return useSupportDesk().open ? <p>The panel is open</p> : null;
}

afterEach(closeSupport);
const show = (replies: Replies = {}, at = '/support') =>
  showInConsole(
    <>
      <SupportPage />
      <Panel />
    </>,
    {
      at,
      replies: { 'GET /support/desk': { body: DESK }, 'GET /support/conversations': page([]), ...replies },
    },
  );
/** The conversation as the server has stored it. */
let stored = conversation();
const read = (answer: ConversationAnswer, replies: Replies = {}) => {
  stored = answer;
  return show({ 'GET /support/conversations/12': () => ({ body: stored }), ...replies }, '/support?conversation=12');
};
/** Stores the changed conversation and returns it. */
const stores = (answer: ConversationAnswer) => () => {
  stored = answer;
  return { body: answer };
};
const thread = async () =>
  within(await screen.findByRole('list', { name: 'Messages' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const box = () => screen.getByLabelText<HTMLTextAreaElement>('Your reply');
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send reply' }));

describe('support promise', () => {
  const facts = async (name = 'What you can expect') =>
    [...(await screen.findByRole('region', { name })).querySelectorAll('dl > div')].map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    );
  const shownFacts = async (desk: Partial<SupportDesk>) => {
    show({ 'GET /support/desk': { body: { ...DESK, ...desk } } });
    await screen.findByText('Support level');
    return facts();
  };

  it('has no response time at level 1', async () => {
    expect(await shownFacts({ level: 1, answered_within_hours: null })).toEqual([
      ['Support level', 'Community (Level 1)'],
      ['Response time', 'We reply as soon as we can. Professional and above have guaranteed response times.'],
      ['Hours', 'Mon-Fri 09:00-17:00 Europe/Berlin'],
    ]);
  });

  it('is a response within a working day at level 2', async () => {
    expect((await shownFacts({}))[1]).toEqual(['Response time', 'We reply within 24 hours on business days.']);
  });

  it('is a response at any hour, a phone number and a named contact at level 3', async () => {
    const found = await shownFacts({
      level: 3,
      answered_within_hours: 4,
      counts_working_days_only: false,
      phone: '+49 30 1234567',
      success_manager: { name: 'Ida Holm', email: 'ida@example.com' },
    });
    expect(found[1]).toEqual(['Response time', 'We reply within 4 hours, around the clock.']);
    expect(found.slice(3)).toEqual([
      ['Phone', '+49 30 1234567'],
      ['Success manager', 'Ida Holm, ida@example.com'],
    ]);
    expect(screen.getByRole('link', { name: '+49 30 1234567' })).toHaveAttribute('href', 'tel:+49301234567');
  });

  it('names days in German', async () => {
    show();
    await screen.findByText('Support level');
    await act(() => showLocale('de', { persist: false }));
    await screen.findByText('Support-Stufe');
    expect((await facts('Was Sie erwarten können'))[2]).toEqual(['Zeiten', 'Mo-Fr 09:00-17:00 Europe/Berlin']);
  });

  it('shows the message form even if it cannot be loaded', async () => {
    show({ 'GET /support/desk': { status: 500, body: {} } });
    expect(await screen.findByText("We couldn't load what your support level includes.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Contact support' }));
    expect(screen.getByText('The panel is open')).toBeInTheDocument();
  });
});

describe('own conversations', () => {
  it('show subject, state and response deadline', async () => {
    show({
      'GET /support/conversations': page([
        brief(12),
        brief(11, { kind: 'package', subject: 'Forgejo', state: 'answered', due_at: null, deployment: null }),
        brief(10, { subject: 'Money', state: 'closed', due_at: null, deployment: null }),
        brief(9, { subject: 'No hurry', due_at: null }),
      ]),
    });
    const table = within(await screen.findByRole('table', { name: 'Your conversations' }));
    expect(
      table
        .getAllByRole('row')
        .slice(1)
        .map((row) => [...row.children].slice(0, 3).map(({ textContent }) => textContent)),
    ).toEqual([
      ['A certificate', 'maralind-pangolin-915204', "Waiting for usWe'll reply by Mon 23 Nov, 08:00 UTC"],
      ['Package request: Forgejo', 'No deployment', 'Answered'],
      ['Money', 'No deployment', 'Closed'],
      ['No hurry', 'maralind-pangolin-915204', 'Waiting for us'],
    ]);
    expect(table.getByRole('link', { name: 'Money' })).toHaveAttribute('href', '/support?conversation=10');
    expect(screen.queryByRole('navigation', { name: 'Pages' })).not.toBeInTheDocument();
  });

  it('show an empty message at first', async () => {
    show();
    expect(await screen.findByText('No conversations yet')).toBeInTheDocument();
  });

  it('come in pages', async () => {
    const { calls, address } = show({
      'GET /support/conversations': ({ query }) => page([brief(12)], Number(query.page), 3),
    });
    await userEvent.click(await screen.findByRole('link', { name: 'Page 2' }));
    await waitFor(() => expect(calls.at(-1)?.query).toEqual({ page: '2' }));
    expect(address()).toBe('/support?page=2');
  });

  it('show the last page instead of a page that does not exist', async () => {
    const { address } = show(
      { 'GET /support/conversations': ({ query }) => page([], Number(query.page), 2) },
      '/support?page=7',
    );
    await waitFor(() => expect(address()).toBe('/support?page=2'));
  });

  it('show a load error and recover on the next attempt', async () => {
    const { reply } = show({ 'GET /support/conversations': { status: 500, body: {} } });
    expect(await screen.findByText("Your conversations couldn't be loaded.")).toBeInTheDocument();
    reply({ 'GET /support/conversations': page([brief(12)]) });
    await userEvent.click(screen.getByRole('button', { name: 'Try again now' }));
    expect(await screen.findByRole('link', { name: 'A certificate' })).toBeInTheDocument();
  });
});

describe('customer conversation', () => {
  it('opens from the list, starts at its beginning, and links back', async () => {
    show({
      'GET /support/conversations': page([brief(12)]),
      'GET /support/conversations/12': { body: conversation({ entries: [FIRST, ANSWER] }) },
    });
    await userEvent.click(await screen.findByRole('link', { name: 'A certificate' }));
    expect(await screen.findByRole('heading', { name: 'A certificate' })).toHaveFocus();
    expect(await thread()).toEqual([
      'You Fri 20 Nov, 08:00 UTCIt is old.\nWhy?',
      'Support Fri 20 Nov, 09:30 UTCWe renewed it.',
    ]);
    expect(screen.getByText("We'll reply by Mon 23 Nov, 08:00 UTC")).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'maralind-pangolin-915204' })).toHaveAttribute('href', '/deployments/1047');
    await userEvent.click(screen.getByRole('link', { name: 'All conversations' }));
    expect(await screen.findByRole('heading', { name: 'Support' })).toBeInTheDocument();
    expect(screen.getByRole('main')).toHaveFocus();
  });

  it('restores a reply typed before the page was left until it is sent', async () => {
    read(answered, {
      'GET /support/conversations': page([brief(12)]),
      'POST /support/conversations/12/messages': stores(conversation()),
    });
    await screen.findByRole('heading', { name: 'A certificate' });
    await userEvent.type(box(), 'Not on my side.');
    const again = async (): Promise<void> => {
      await userEvent.click(screen.getByRole('link', { name: 'All conversations' }));
      await userEvent.click(await screen.findByRole('link', { name: 'A certificate' }));
      await screen.findByRole('heading', { name: 'A certificate' });
    };
    await again();
    expect(box()).toHaveValue('Not on my side.');
    await send();
    await waitFor(() => expect(box()).toHaveValue(''));
    await again();
    expect(box()).toHaveValue('');
  });

  it('keeps input typed while a reply is being sent', async () => {
    let answer: () => void = () => undefined;
    read(answered, {
      'POST /support/conversations/12/messages': () =>
        new Promise((resolve) => {
          answer = () => resolve(stores(conversation({ entries: [FIRST, ANSWER, SOLVED] }))());
        }),
    });
    await screen.findByRole('heading', { name: 'A certificate' });
    await userEvent.type(box(), 'Yes.');
    await send();
    await userEvent.type(box(), ' And no.');
    answer();
    await waitFor(async () => expect(await thread()).toHaveLength(3));
    expect(box()).toHaveValue('Yes. And no.');
  });

  it('shows an accepted reply next, empties the box and updates the response deadline', async () => {
    const reply = {
      id: 2,
      by: 'person',
      what: 'message',
      message: 'Not on my side.',
      at: '2026-11-20T11:00:00.000Z',
    } as const;
    const { calls } = read(answered, {
      'POST /support/conversations/12/messages': stores(
        conversation({ due_at: '2026-11-23T11:00:00.000Z', entries: [FIRST, ANSWER, reply] }),
      ),
    });
    await screen.findByRole('heading', { name: 'A certificate' });
    expect(screen.queryByText(/^We'll reply by/)).not.toBeInTheDocument();
    await userEvent.type(box(), ' Not on my side. ');
    await send();
    expect(await screen.findByText("We'll reply by Mon 23 Nov, 11:00 UTC")).toBeInTheDocument();
    expect(calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
      { message: 'Not on my side.' },
    ]);
    expect((await thread()).at(-1)).toBe('You Fri 20 Nov, 11:00 UTCNot on my side.');
    expect(screen.getAllByRole('listitem').at(-1)).toHaveFocus();
    expect(box()).toHaveValue('');
  });

  it.each([
    [
      {
        status: 409,
        body: { detail: 'This conversation has become too long. Please start a new one.', code: 'CONVERSATION_STATE' },
      },
      'This conversation has become too long. Please start a new one.',
    ],
    [
      {
        status: 422,
        body: {
          detail: 'Check the fields.',
          code: 'FIELDS_INVALID',
          errors: [{ path: 'message', message: 'At most 5000 characters.', code: 'shape.long', facts: {} }],
        },
      },
      'At most 5000 characters.',
    ],
    [() => Promise.reject(new Error('away')), 'Network error. Please try again.'],
  ])('shows why a reply is rejected and keeps it', async (refusal, sentence) => {
    read(answered, { 'POST /support/conversations/12/messages': refusal });
    await screen.findByRole('heading', { name: 'A certificate' });
    await userEvent.type(box(), 'Not on my side.');
    await send();
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(box()).toHaveValue('Not on my side.');
    expect(box()).toHaveFocus();
  });

  it('rejects an empty reply', async () => {
    const { calls } = read(answered);
    await screen.findByRole('heading', { name: 'A certificate' });
    await send();
    expect(screen.getByText('Write a message.')).toBeInTheDocument();
    expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('is closed when solved and reopened by a reply', async () => {
    const { reply } = read(answered, { 'POST /support/conversations/12/close': stores(closed) });
    await userEvent.click(await screen.findByRole('button', { name: 'Mark as solved' }));
    expect(await screen.findByText(/^You closed this conversation/)).toBeInTheDocument();
    expect(screen.getAllByRole('listitem').at(-1)).toHaveFocus();
    expect(screen.getByText('Closed')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Mark as solved' })).not.toBeInTheDocument();
    expect(screen.getByText('This conversation is closed. Replying reopens it.')).toBeInTheDocument();

    const again = {
      id: 3,
      by: 'person',
      what: 'message',
      message: 'It is back.',
      at: '2026-11-21T10:00:00.000Z',
    } as const;
    reply({
      'POST /support/conversations/12/messages': stores(conversation({ entries: [...closed.entries, again] })),
    });
    await userEvent.type(box(), 'It is back.');
    await send();
    expect(await screen.findByText('Waiting for us')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Mark as solved' })).toBeInTheDocument();
  });

  it('shows why it could not be closed', async () => {
    read(answered, {
      'POST /support/conversations/12/close': { status: 429, body: { detail: 'Wait a minute.', code: 'RATE_LIMITED' } },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Mark as solved' }));
    expect(await screen.findByText('Wait a minute.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Mark as solved' })).toBeEnabled();
  });

  it('links to a new message when full', async () => {
    read({ ...answered, is_full: true });
    expect(
      await screen.findByText('This conversation has become too long. Please start a new one.'),
    ).toBeInTheDocument();
    expect(screen.queryByLabelText('Your reply')).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Contact support' }));
    expect(screen.getByText('The panel is open')).toBeInTheDocument();
  });

  it.each(['12', 'x', '0'])('%s is not found if it belongs to another account', async (id) => {
    show(
      {
        'GET /support/conversations/12': {
          status: 404,
          body: { detail: 'There is no such conversation.', code: 'NOT_FOUND' },
        },
      },
      `/support?conversation=${id}`,
    );
    expect(await screen.findByText('There is no such conversation.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'All conversations' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Try again now' })).not.toBeInTheDocument();
  });

  it('shows a load error and recovers on the next attempt', async () => {
    const { reply } = read(answered, { 'GET /support/conversations/12': { status: 502, body: {} } });
    expect(await screen.findByText("The conversation couldn't be loaded.")).toBeInTheDocument();
    reply({ 'GET /support/conversations/12': { body: answered } });
    await userEvent.click(screen.getByRole('button', { name: 'Try again now' }));
    expect(await screen.findByRole('heading', { name: 'A certificate' })).toBeInTheDocument();
  });

  it('shows a reply after a hint and keeps the input', async () => {
    const { reply, queryClient } = read(conversation());
    await screen.findByRole('heading', { name: 'A certificate' });
    await userEvent.type(box(), 'Half a');
    reply({ 'GET /support/conversations/12': { body: answered } });
    for (const queryKey of keysOf({ kind: 'support', id: 12, version: 1 }))
      void queryClient.invalidateQueries({ queryKey });
    expect(await screen.findByText('We renewed it.')).toBeInTheDocument();
    expect(box()).toHaveValue('Half a');
    expect(box()).toHaveFocus();
  });
});
