import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { USER } from '../testing/console-fixture';
import { endMessageDraft, storeMessageDraft, messageDraft } from './message-drafts';
import { endSession, forgetSession, restoreSession, startSession } from './session';

beforeEach(() => startSession('a-token', USER));
afterEach(forgetSession);

describe('message draft', () => {
  it('is restored, and is removed when all its text is deleted', () => {
    storeMessageDraft('inbox 12', { message: 'Is he serious?', isNote: true });
    expect(messageDraft('inbox 12')).toMatchObject({ message: 'Is he serious?', isNote: true });
    expect(messageDraft('inbox 13')).toBeNull();
    storeMessageDraft('inbox 12', { message: '  ' });
    expect(messageDraft('inbox 12')).toBeNull();
  });

  it('ends when it is sent, unless other text was typed in the meantime', () => {
    storeMessageDraft('conversation 12', { message: ' By card. ' });
    endMessageDraft('conversation 12', 'By card.');
    expect(messageDraft('conversation 12')).toBeNull();
    storeMessageDraft('conversation 12', { message: 'By card. Or by transfer' });
    endMessageDraft('conversation 12', 'By card.');
    expect(messageDraft('conversation 12')).toMatchObject({ message: 'By card. Or by transfer' });
  });

  it('survives an expired session but no logout', () => {
    storeMessageDraft('conversation 12', { message: 'By card.' });
    endSession();
    startSession('another-token', USER);
    expect(messageDraft('conversation 12')).not.toBeNull();
    forgetSession();
    expect(sessionStorage.length).toBe(0);
    startSession('another-token', USER);
    expect(messageDraft('conversation 12')).toBeNull();
  });

  it('is not shown to another account in the same tab, which deletes it', () => {
    storeMessageDraft('conversation 12', { message: 'By card.' });
    endSession();
    startSession('another-token', { ...USER, id: USER.id + 1 });
    expect(messageDraft('conversation 12')).toBeNull();
    storeMessageDraft('conversation 13', { message: 'Hello' });
    expect(sessionStorage.getItem('message_drafts')).not.toContain('By card');
  });

  it('is neither stored nor shown while an administrator impersonates the account', () => {
    storeMessageDraft('conversation 12', { message: 'By card.' });
    const impersonation = { token: 'view', user: USER, expiresAt: '2026-11-21T15:18:00.000Z' };
    sessionStorage.setItem('view', JSON.stringify(impersonation));
    restoreSession();
    expect(messageDraft('conversation 12')).toBeNull();
    storeMessageDraft('conversation 12', { message: 'Typed in the view' });
    sessionStorage.removeItem('view');
    restoreSession();
    expect(messageDraft('conversation 12')).toMatchObject({ message: 'By card.' });
  });

  it('is limited to twenty per account and to a maximum length', () => {
    for (let id = 1; id <= 21; id++) storeMessageDraft(`conversation ${id}`, { message: 'x'.repeat(30_000) });
    expect(messageDraft('conversation 1')).toBeNull();
    expect(messageDraft('conversation 2')?.message).toHaveLength(20_000);
    expect(messageDraft('conversation 21')).not.toBeNull();
  });
});
