import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { type Replies, showInConsole, USER } from '../../testing/console-fixture';
import { onPhone } from '../../testing/screen-size';
import { leaveConsole } from '../../testing/leave-console';
import MailboxList from './list';
import MailboxShow from './show';

const LETTER = {
  id: 4,
  subject: 'Welcome to Moorage',
  to: 'mara@northsea.example',
  created_at: '2026-11-21T13:00:00.000Z',
  text: `Hello,\n\n${location.origin}/dashboard is yours, https://elsewhere.example/ is not.`,
};
const MAILS = { body: [LETTER], headers: { 'x-total-count': '1' } };

const show = (at: string, replies: Replies, user = USER) =>
  showInConsole(
    <Routes>
      <Route path="/mailbox" element={<MailboxList />} />
      <Route path="/mailbox/:id/show" element={<MailboxShow />} />
    </Routes>,
    { replies: { 'GET /auth/me': { body: user }, ...replies }, at, user },
  );

describe('mailbox', () => {
  it('lists emails, and their recipients only for administrators', async () => {
    show('/mailbox', { 'GET /mailbox': MAILS });
    const link = await screen.findByRole('link', { name: 'Welcome to Moorage' });
    expect(link).toHaveAttribute('href', '/mailbox/4/show');
    expect(screen.queryByText('mara@northsea.example')).not.toBeInTheDocument();
    expect(document.title).toBe('Mailbox · Moorage');
    leaveConsole();
    show('/mailbox', { 'GET /mailbox': MAILS }, { ...USER, is_admin: true });
    expect(await screen.findByText('mara@northsea.example')).toBeInTheDocument();
  });

  it('shows cards on a phone', async () => {
    onPhone();
    show('/mailbox', { 'GET /mailbox': MAILS });
    expect(await screen.findByRole('link', { name: 'Welcome to Moorage' })).toBeInTheDocument();
    expect(screen.queryByRole('table')).not.toBeInTheDocument();
  });

  it('shows that it is empty, and why it cannot be displayed', async () => {
    show('/mailbox', { 'GET /mailbox': { body: [], headers: { 'x-total-count': '0' } } });
    expect(await screen.findByText('No mail yet.')).toBeInTheDocument();
    leaveConsole();
    show('/mailbox', {
      'GET /mailbox': { status: 503, body: { detail: 'Not just now.', code: 'SERVICE_UNAVAILABLE' } },
    });
    expect((await screen.findByRole('alert')).textContent).toBe('Not just now.');
  });

  it('shows an email as text with links only into this installation', async () => {
    show('/mailbox/4/show', { 'GET /mailbox/4': { body: LETTER } });
    expect(await screen.findByRole('heading', { name: 'Welcome to Moorage' })).toBeInTheDocument();
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/mailbox', '/dashboard']);
  });
});
