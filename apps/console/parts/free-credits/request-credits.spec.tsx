import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { showLocale } from '../../texts/locale';
import { MARA, open, type Received, type Replies, serveApi } from '../../pages/public/testing';

const SENT = "Your request was submitted. If it is approved, we'll email you a referral code.";
const GOOD: Replies = {
  'POST /support/referral-request': () => ({
    status: 201,
    body: { message: SENT, code: 'access.credits_request_sent', facts: {} },
  }),
};
const requested = (received: readonly Received[]): unknown[] =>
  received.filter(({ path }) => path === '/support/referral-request').map(({ body }) => JSON.parse(body) as unknown);

async function openDialog() {
  await userEvent.click(await screen.findByRole('button', { name: 'Request Free Credits' }));
  return within(await screen.findByRole('dialog', { name: 'Request Free Credits' }));
}

describe('request for free credits', () => {
  it('shows a visitor the terms, both fields and the next step', async () => {
    const received = serveApi(GOOD);
    open('/pricing');
    const dialog = await openDialog();
    expect(
      dialog.getByText(
        'Free credits are worth €4.99 and expire after 30 days. We review requests manually within 24 hours.',
      ),
    ).toBeInTheDocument();
    expect(dialog.getByLabelText('Email')).toHaveFocus();
    await userEvent.type(dialog.getByLabelText('Email'), ' jo@example.org ');
    await userEvent.type(dialog.getByLabelText('Reason'), 'To try it. ');
    await userEvent.click(dialog.getByRole('button', { name: 'Submit request' }));

    expect((await dialog.findByRole('status')).textContent).toBe(SENT);
    expect(requested(received)).toEqual([{ email: 'jo@example.org', reason: 'To try it.' }]);
    expect(dialog.queryByRole('button', { name: 'Submit request' })).not.toBeInTheDocument();
    const [, close] = dialog.getAllByRole('button', { name: 'Close' });
    expect(close).toHaveFocus();
    await userEvent.click(close as HTMLElement);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect((await openDialog()).getByLabelText('Email')).toHaveValue('');
  });

  it('is restored after it was closed without being sent', async () => {
    serveApi(GOOD);
    open('/pricing', { as: MARA });
    const dialog = await openDialog();
    await userEvent.type(dialog.getByLabelText('Reason'), 'To try');
    await userEvent.click(dialog.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect((await openDialog()).getByLabelText('Reason')).toHaveValue('To try');
  });

  it('is translated to German', async () => {
    serveApi(GOOD);
    open('/pricing', { as: MARA });
    await act(() => showLocale('de', { persist: false }));
    await userEvent.click(await screen.findByRole('button', { name: 'Startguthaben anfragen' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Startguthaben anfragen' }));
    await userEvent.type(dialog.getByLabelText('Grund'), 'Zum Ausprobieren.');
    await userEvent.click(dialog.getByRole('button', { name: 'Anfrage senden' }));
    expect((await dialog.findByRole('status')).textContent).toMatch(/^Ihre Anfrage ist eingegangen\./);
  });

  it('prefills the address of a logged-in user', async () => {
    serveApi(GOOD);
    open('/pricing', { as: MARA });
    const dialog = await openDialog();
    expect(dialog.getByLabelText('Email')).toHaveValue('mara@example.com');
    expect(dialog.getByLabelText('Reason')).toHaveFocus();
  });

  it.each([
    ['nothing', '', '', ['Please fill in both fields', 'Please fill in both fields']],
    ['no reason', 'jo@example.org', ' ', ['Please fill in both fields']],
    ['no address', 'jo', 'To try it.', ['Enter an email address like name@example.com.']],
  ])('with %s is rejected beside its field without a request', async (_, email, reason, sentences) => {
    const received = serveApi(GOOD);
    open('/pricing');
    const dialog = await openDialog();
    if (email !== '') await userEvent.type(dialog.getByLabelText('Email'), email);
    if (reason !== '') await userEvent.type(dialog.getByLabelText('Reason'), reason);
    await userEvent.click(dialog.getByRole('button', { name: 'Submit request' }));
    for (const sentence of new Set(sentences))
      expect(await dialog.findAllByText(sentence)).toHaveLength(sentences.length);
    expect(requested(received)).toEqual([]);
  });

  it.each([
    [
      { status: 429, body: { detail: 'Too many requests.', code: 'RATE_LIMITED', message_code: 'x', facts: {} } },
      'Too many requests.',
    ],
    [{ status: 502, body: 'upstream is away' }, 'HTTP 502: "upstream is away"'],
  ])('shows the error for %j and keeps the input', async (reply, sentence) => {
    serveApi({ 'POST /support/referral-request': () => reply });
    open('/pricing', { as: MARA });
    const dialog = await openDialog();
    await userEvent.type(dialog.getByLabelText('Reason'), 'To try it.');
    await userEvent.click(dialog.getByRole('button', { name: 'Submit request' }));
    expect(await dialog.findByText(sentence)).toBeInTheDocument();
    expect(dialog.getByLabelText('Reason')).toHaveValue('To try it.');
  });
});
