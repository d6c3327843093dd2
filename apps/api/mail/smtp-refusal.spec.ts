import { describe, expect, it } from '@jest/globals';
import { causeOf } from './smtp-refusal';

describe('mail server rejection', () => {
  it.each([
    ['550 5.1.1 The email account that you tried to reach does not exist.', 'RCPT TO', 'address'],
    ['550-5.1.1 The email account that you tried to reach\n550 5.1.1 does not exist.', 'RCPT TO', 'address'],
    ['550 5.1.1 User unknown', 'DATA', 'address'],
    ['556 5.1.10 The domain accepts no mail', 'RCPT TO', 'address'],
    ['550 5.2.1 The email account is disabled.', 'RCPT TO', 'address'],
    ['550 No such user here', 'RCPT TO', 'address'],
    ['553 Mailbox name not allowed', 'RCPT TO', 'address'],
    ['450 4.1.2 Recipient address rejected: Domain not found', 'RCPT TO', 'mailbox'],
    ['452 4.2.2 Mailbox full', 'RCPT TO', 'mailbox'],
    ['552 5.2.2 Mailbox full', 'RCPT TO', 'mailbox'],
    ['450 Mailbox busy', 'RCPT TO', 'mailbox'],
    ['550 5.4.5 Daily user sending quota exceeded.', 'RCPT TO', 'server'],
    ['550 5.4.5 Daily user sending quota exceeded.', 'DATA', 'server'],
    ['554 5.7.0 Message rejected. Try again later.', 'DATA', 'server'],
    ['550 5.7.1 Relaying denied', 'RCPT TO', 'server'],
    ['550 5.1.8 Bad sender system address', 'RCPT TO', 'server'],
    ['550 5.1.1 Sender unknown', 'MAIL FROM', 'server'],
    ['550 Sender not allowed', 'MAIL FROM', 'server'],
    ['554 Transaction failed', 'DATA', 'server'],
    ['550 Message refused', 'DATA', 'server'],
    ['451 4.7.1 Greylisted', 'RCPT TO', 'server'],
    ['421 Too many connections', 'RCPT TO', 'server'],
    ['550 5.1.19999 strange', 'DATA', 'server'],
  ])('classifies %j to %s as a problem of the %s', (response, command, cause) => {
    expect(causeOf({ responseCode: Number(response.slice(0, 3)), response, command })).toBe(cause);
  });

  it('classifies a missing response as a server problem', () => {
    expect(causeOf(new Error('connect ECONNREFUSED'))).toBe('server');
    expect(causeOf({ responseCode: 550 })).toBe('server');
  });
});
