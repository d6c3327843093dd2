import { afterEach, describe, expect, it } from '@jest/globals';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import './support-panel';
import { endSession, startSession } from '../../data/session';
import { MARA, serveApi, type Received, type Replies } from '../../pages/public/testing';
import { Toasts } from '../../ui/toasts';
import { contactSupport, closeSupport } from './support-desk';
import { Support } from './support';
import { SupportButton } from './support-button';

const BEGUN = { message: 'ok', conversation_id: null };
const DESK = {
  level: 2,
  answered_within_hours: 24,
  counts_working_days_only: true,
  hours: 'Mon-Fri 09:00-17:00',
  time_zone: 'Europe/Berlin',
  phone: null,
  success_manager: null,
};
const SENT = "Support request sent successfully! We'll get back to you soon.";

async function openPanel({
  as,
  at = '/pricing',
  state = null,
  replies = {},
}: { as?: typeof MARA; at?: string; state?: unknown; replies?: Replies } = {}): Promise<readonly Received[]> {
  const received = serveApi({ 'POST /support/contact': () => ({ status: 201, body: BEGUN }), ...replies });
  endSession();
  if (as !== undefined) startSession('token-0', as);
  history.replaceState(state, '', at);
  render(
    <>
      <SupportButton />
      <Support />
      <Toasts />
    </>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Support' }));
  await screen.findByRole('dialog', { name: 'Contact support' });
  return received;
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const send = () => userEvent.click(screen.getByRole('button', { name: 'Send Email' }));
const write = async (texts: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, text] of Object.entries(texts)) await userEvent.type(field(name), text);
};
const WHOLE = { Name: 'Ada', Email: 'ada@example.com', Subject: 'A question', Message: 'How do I pay?' };

const sentIn = (received: readonly Received[]): unknown =>
  JSON.parse(received.find(({ path }) => path === '/support/contact')?.body ?? '');

afterEach(closeSupport);

describe('support panel', () => {
  it('shows that chat is offline, accepts a message, then closes and is empty', async () => {
    const received = await openPanel();
    expect(screen.getByText(/Chat is offline/)).toBeInTheDocument();
    expect(field('Name')).toHaveFocus();
    await write(WHOLE);
    await send();
    expect(await screen.findByText(SENT)).toBeInTheDocument();
    expect(received.map(({ method, path, body }) => [method, path, JSON.parse(body) as unknown])).toEqual([
      [
        'POST',
        '/support/contact',
        { name: 'Ada', email: 'ada@example.com', subject: 'A question', message: 'How do I pay?' },
      ],
    ]);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Support' })).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Support' }));
    expect(field('Message')).toHaveValue('');
  });

  it('requires all four fields and a complete address', async () => {
    const received = await openPanel();
    await send();
    for (const sentence of ['Name is required', 'Subject is required', 'Message is required'])
      expect(screen.getByText(sentence)).toBeInTheDocument();
    expect(screen.getByText('Enter an email address like name@example.com.')).toBeInTheDocument();
    expect(field('Name')).toHaveFocus();
    await write({ ...WHOLE, Email: 'ada' });
    await send();
    expect(field('Email')).toHaveFocus();
    expect(received).toEqual([]);
  });

  it.each([
    [
      'the server rejects the message',
      { status: 422, body: { detail: 'Not like this.', code: 'BAD_REQUEST' } },
      'Not like this.',
    ],
    ['the server sends no message', { status: 502, body: 'Bad gateway' }, 'Failed to send support request'],
    ['the server cannot be reached', 'unreachable' as const, 'Network error. Please try again.'],
  ])('%s: shows an error and keeps the input', async (_, reply, sentence) => {
    await openPanel({ replies: { 'POST /support/contact': () => reply } });
    await write(WHOLE);
    await send();
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(field('Message')).toHaveValue('How do I pay?');
  });

  it('shows progress while sending and ignores a second click', async () => {
    let answer = (_: { body: unknown }): void => undefined;
    const received = await openPanel({
      replies: { 'POST /support/contact': () => new Promise((resolve) => (answer = resolve)) },
    });
    await write(WHOLE);
    await send();
    const button = await screen.findByRole('button', { name: 'Sending...' });
    await userEvent.click(button);
    answer({ body: BEGUN });
    expect(await screen.findByText(SENT)).toBeInTheDocument();
    expect(received).toHaveLength(1);
  });

  it('keeps the input after Escape, returns the focus and leaves the page behind unchanged', async () => {
    await openPanel();
    let heard = 0;
    const listener = (): void => void heard++;
    window.addEventListener('keydown', listener);
    await userEvent.type(field('Message'), 'Half a');
    heard = 0;
    await userEvent.keyboard('{Escape}');
    window.removeEventListener('keydown', listener);
    expect(heard).toBe(0);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    const button = screen.getByRole('button', { name: 'Support' });
    expect(button).toHaveFocus();
    expect(button).toHaveAttribute('aria-expanded', 'false');
    await userEvent.click(button);
    expect(field('Message')).toHaveValue('Half a');
  });

  it('prefills the logged-in user, also after a later login, and is emptied on logout', async () => {
    await openPanel({ as: MARA });
    expect([field('Name').value, field('Email').value]).toEqual(['mara.lindqvist', 'mara@example.com']);
    expect(field('Subject')).toHaveFocus();
    await userEvent.type(field('Message'), 'Private');
    act(() => endSession());
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await userEvent.click(screen.getByRole('button', { name: 'Support' }));
    expect([field('Name').value, field('Message').value]).toEqual(['', '']);
    await userEvent.type(field('Message'), 'As a visitor');
    act(() => startSession('token-1', MARA));
    await waitFor(() => expect(field('Email')).toHaveValue('mara@example.com'));
    expect([field('Name').value, field('Message').value]).toEqual(['mara.lindqvist', 'As a visitor']);
  });

  it.each([
    ['the open drawer', { at: '/dashboard', state: { usr: { deployment: 1047, pushed: true } } }],
    ['a page', { at: '/deployments/1047' }],
    ['a tab', { at: '/deployments/1047/access' }],
    ['a page for administrators', { at: '/admin-deployments/1047/show' }],
  ])('includes the deployment of %s', async (_, place) => {
    const received = await openPanel({ as: MARA, ...place });
    await write({ Subject: 'S', Message: 'M' });
    expect(screen.getByRole('checkbox', { name: 'Mention deployment #1047' })).toBeChecked();
    await send();
    await screen.findByText(SENT);
    expect(sentIn(received)).toMatchObject({ message: 'M', deployment_id: 1047 });
  });

  it('omits the deployment on request, and offers none when none is open', async () => {
    const received = await openPanel({ as: MARA, at: '/deployments/7' });
    await write({ Subject: 'S', Message: 'M' });
    await userEvent.click(screen.getByRole('checkbox', { name: 'Mention deployment #7' }));
    await send();
    await screen.findByText(SENT);
    expect(sentIn(received)).toEqual({ name: MARA.username, email: MARA.email, subject: 'S', message: 'M' });
    history.replaceState(null, '', '/dashboard');
    await userEvent.click(screen.getByRole('button', { name: 'Support' }));
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
  });

  it('names the deployment of the details it was opened from, despite an earlier choice, and returns the focus there', async () => {
    await openPanel({ as: MARA, at: '/deployments/7' });
    await userEvent.click(screen.getByRole('checkbox', { name: 'Mention deployment #7' }));
    const caller = document.body.appendChild(document.createElement('button'));
    caller.focus();
    act(() => contactSupport(1047));
    expect(screen.getByRole('checkbox', { name: 'Mention deployment #1047' })).toBeChecked();
    expect(field('Subject')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    expect(caller).toHaveFocus();
    caller.remove();
  });

  it('shows that a deployment is gone and keeps the input', async () => {
    const gone = { status: 404, body: { detail: 'There is no such deployment.', code: 'NOT_FOUND' } };
    const received = await openPanel({
      as: MARA,
      at: '/deployments/7',
      replies: {
        'POST /support/contact': ({ body }) =>
          body.includes('deployment_id') ? gone : { status: 201, body: { ...BEGUN, conversation_id: 3 } },
      },
    });
    await write({ Subject: 'S', Message: 'M' });
    await send();
    const sentence = "Deployment #7 wasn't found. Send your message without mentioning it.";
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect([field('Subject').value, field('Message').value]).toEqual(['S', 'M']);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Mention deployment #7' }));
    await send();
    expect(await screen.findByText(SENT)).toBeInTheDocument();
    expect(received.filter(({ path }) => path === '/support/contact')).toHaveLength(2);
  });

  it('links a logged-in user to the new conversation and to all conversations', async () => {
    await openPanel({
      as: MARA,
      replies: { 'POST /support/contact': () => ({ status: 201, body: { ...BEGUN, conversation_id: 12 } }) },
    });
    expect(screen.getByRole('link', { name: 'Your conversations' })).toHaveAttribute('href', '/support');
    await write({ Subject: 'S', Message: 'M' });
    await send();
    await userEvent.click(await screen.findByRole('link', { name: 'Open conversation' }));
    expect(location.pathname + location.search).toBe('/support?conversation=12');
    expect(screen.queryByText(SENT)).not.toBeInTheDocument();
  });

  it('shows visitors neither link, and requests no promise for them', async () => {
    const received = await openPanel();
    expect(screen.queryByRole('link')).not.toBeInTheDocument();
    await write(WHOLE);
    await send();
    const toast = (await screen.findByText(SENT)).closest<HTMLElement>('.toast');
    expect(within(toast as HTMLElement).queryByRole('link')).not.toBeInTheDocument();
    expect(received.some(({ path }) => path === '/support/desk')).toBe(false);
  });

  it.each([
    [2, DESK, ['We reply within 24 hours on business days.']],
    [
      3,
      {
        ...DESK,
        level: 3,
        answered_within_hours: 4,
        counts_working_days_only: false,
        phone: '+49 30 1234567',
        success_manager: { name: 'Ida Holm', email: 'ida@example.com' },
      },
      [
        'We reply within 4 hours, around the clock.',
        'Phone: +49 30 1234567',
        'Success manager: Ida Holm, ida@example.com',
      ],
    ],
  ])('shows the promise of level %i', async (_, desk, sentences) => {
    await openPanel({ as: MARA, replies: { 'GET /support/desk': () => ({ body: desk }) } });
    const first = await screen.findByText(sentences[0] ?? '');
    expect([...(first.parentElement?.children ?? [])].map(({ textContent }) => textContent)).toEqual(sentences);
  });

  it('promises nothing at level 1', async () => {
    const desk = { ...DESK, level: 1, answered_within_hours: null, counts_working_days_only: false };
    const received = await openPanel({ as: MARA, replies: { 'GET /support/desk': () => ({ body: desk }) } });
    await waitFor(() => expect(received.some(({ path }) => path === '/support/desk')).toBe(true));
    expect(screen.queryByText(/^We reply within/)).not.toBeInTheDocument();
  });

  it('is not offered to administrators', () => {
    serveApi({});
    startSession('token-0', { ...MARA, is_admin: true });
    render(<SupportButton />);
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });
});
