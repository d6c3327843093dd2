import { describe, expect, it } from '@jest/globals';
import type { ConversationAnswer } from '@moorage/contracts';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { open, type Received, serveApi } from './testing';

const TOKEN = 'v1.a1B2c3D4e5F6g7H8i9J0k1L2';
const FIRST = { id: 0, by: 'person', what: 'message', message: 'May I\nask?', at: '2026-11-20T08:00:00.000Z' } as const;
const ANSWER = { id: 1, by: 'support', what: 'message', message: 'You may.', at: '2026-11-20T09:30:00.000Z' } as const;
const REPLY = { id: 2, by: 'person', what: 'message', message: 'Thanks.', at: '2026-11-20T11:00:00.000Z' } as const;
const CONVERSATION: ConversationAnswer = {
  id: 12,
  kind: 'contact',
  subject: 'A question',
  state: 'answered',
  created_at: FIRST.at,
  last_at: ANSWER.at,
  due_at: null,
  deployment: null,
  email: 'jo@example.org',
  entries: [FIRST, ANSWER],
  is_full: false,
};
const UNKNOWN = "This link doesn't lead to a conversation. Copy the whole link from our latest email.";
const bodiesOf = (received: readonly Received[], path: string): unknown[] =>
  received.filter((call) => call.path === path).map(({ body }) => JSON.parse(body) as unknown);

describe("visitor's conversation", () => {
  it('opens with the token of the fragment, which is in no requested address', async () => {
    const received = serveApi({ 'POST /support/visits': () => ({ body: CONVERSATION }) });
    open(`/conversation#${TOKEN}`);
    expect(await screen.findByRole('heading', { name: 'A question' })).toHaveFocus();
    const thread = within(screen.getByRole('list', { name: 'Messages' })).getAllByRole('listitem');
    expect(thread.map(({ textContent }) => textContent)).toEqual([
      'You Fri 20 Nov, 08:00 UTCMay I\nask?',
      'Support Fri 20 Nov, 09:30 UTCYou may.',
    ]);
    expect(screen.getByText('We also email our replies to jo@example.org.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Mark as solved' })).not.toBeInTheDocument();
    expect(bodiesOf(received, '/support/visits')).toEqual([{ token: TOKEN }]);
    expect(received.some(({ path }) => path.includes(TOKEN))).toBe(false);
  });

  it('accepts a reply and shows it next', async () => {
    const received = serveApi({
      'POST /support/visits': () => ({ body: CONVERSATION }),
      'POST /support/visits/messages': () => ({
        status: 201,
        body: { ...CONVERSATION, state: 'open', entries: [FIRST, ANSWER, REPLY] },
      }),
    });
    open(`/conversation#${TOKEN}`);
    await userEvent.type(await screen.findByLabelText('Your reply'), 'Thanks.');
    await userEvent.click(screen.getByRole('button', { name: 'Send reply' }));
    await waitFor(() => expect(screen.getAllByRole('listitem').at(-1)?.textContent).toContain('Thanks.'));
    expect(screen.getAllByRole('listitem').at(-1)).toHaveFocus();
    expect(bodiesOf(received, '/support/visits/messages')).toEqual([{ token: TOKEN, message: 'Thanks.' }]);
    expect(screen.getByLabelText('Your reply')).toHaveValue('');
  });

  it('restores a reply typed before the page was left and sends it with a single key', async () => {
    const received = serveApi({
      'POST /support/visits': () => ({ body: CONVERSATION }),
      'POST /support/visits/messages': () => 'unreachable',
    });
    const box = () => screen.findByLabelText<HTMLTextAreaElement>('Your reply');
    open(`/conversation#${TOKEN}`);
    await userEvent.type(await box(), 'Thanks.');
    await userEvent.click(screen.getByRole('button', { name: 'Send reply' }));
    await screen.findByText('Network error. Please try again.');
    cleanup();
    open(`/conversation#${TOKEN}`);
    expect(await box()).toHaveValue('Thanks.');
    await userEvent.click(screen.getByRole('button', { name: 'Send reply' }));
    await screen.findByText('Network error. Please try again.');
    const keys = received
      .filter(({ path }) => path === '/support/visits/messages')
      .map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
  });

  it('keeps a reply that could not be sent', async () => {
    serveApi({
      'POST /support/visits': () => ({ body: { ...CONVERSATION, state: 'closed' } }),
      'POST /support/visits/messages': () => 'unreachable',
    });
    open(`/conversation#${TOKEN}`);
    await userEvent.type(await screen.findByLabelText('Your reply'), 'Thanks.');
    expect(screen.getByText('This conversation is closed. Replying reopens it.')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Send reply' }));
    expect(await screen.findByText('Network error. Please try again.')).toBeInTheDocument();
    expect(screen.getByLabelText('Your reply')).toHaveValue('Thanks.');
  });

  it('is not found without a token, and sends no request', async () => {
    const received = serveApi({});
    open('/conversation');
    expect(await screen.findByText(UNKNOWN)).toBeInTheDocument();
    expect(bodiesOf(received, '/support/visits')).toEqual([]);
  });

  it.each([
    [{ status: 404, body: { detail: UNKNOWN, code: 'NOT_FOUND' } }],
    [
      {
        status: 422,
        body: {
          detail: 'Check the fields.',
          code: 'FIELDS_INVALID',
          errors: [{ path: 'token', message: UNKNOWN, code: 'support.link_unknown', facts: {} }],
        },
      },
    ],
  ])('is not found with an unknown link, with the message of the server', async (refusal) => {
    serveApi({ 'POST /support/visits': () => refusal });
    open(`/conversation#${TOKEN}`);
    expect(await screen.findByText(UNKNOWN)).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Your conversation could not be opened' })).toHaveFocus();
    expect(screen.queryByRole('button', { name: 'Try again now' })).not.toBeInTheDocument();
  });

  it('shows a load error and recovers on the next attempt', async () => {
    let isAway = true;
    serveApi({ 'POST /support/visits': () => (isAway ? 'unreachable' : { body: CONVERSATION }) });
    open(`/conversation#${TOKEN}`);
    expect(await screen.findByText('Network error. Please try again.')).toBeInTheDocument();
    isAway = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again now' }));
    expect(await screen.findByRole('heading', { name: 'A question' })).toBeInTheDocument();
  });

  it('follows another link in the same tab', async () => {
    const received = serveApi({ 'POST /support/visits': () => ({ body: CONVERSATION }) });
    open('/conversation');
    await screen.findByText(UNKNOWN);
    act(() => {
      location.hash = TOKEN;
    });
    expect(await screen.findByRole('heading', { name: 'A question' })).toBeInTheDocument();
    expect(bodiesOf(received, '/support/visits')).toEqual([{ token: TOKEN }]);
  });
});
