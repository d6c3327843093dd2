/**
 * What a mail server's refusal is about. `address`: no mail will ever arrive there. `mailbox`: this recipient's, for now.
 * `server`: everything else, which the operator may have to change.
 */
export type RefusalCause = 'address' | 'mailbox' | 'server';

interface SmtpError {
  readonly responseCode?: unknown;
  readonly response?: unknown;
  /** What was refused: `MAIL FROM`, `RCPT TO`, `DATA`. */
  readonly command?: unknown;
}

/** Enhanced status codes (RFC 3463): class, subject and detail after the code of the answer. */
const ENHANCED = /^[45]\d\d[ -][45]\.(\d{1,3})\.(\d{1,3})(?!\d)/;

/** The sender's address is wrong: that is ours. */
const OF_THE_SENDER = ['7', '8'];

/** Answers to RCPT TO without an enhanced code (RFC 5321, 4.2.3): no such mailbox, not local, name not allowed; busy. */
const MAILBOX_GONE = [550, 551, 553];
const MAILBOX_BUSY = 450;

export function causeOf(error: unknown): RefusalCause {
  const { responseCode: code, response, command } = error as SmtpError;
  if (typeof code !== 'number' || command === 'MAIL FROM') return 'server';
  const [, subject, detail = ''] = ENHANCED.exec(typeof response === 'string' ? response : '') ?? [];
  if (subject === undefined) return command === 'RCPT TO' ? causeOfBare(code) : 'server';
  const isAddress = subject === '1' && !OF_THE_SENDER.includes(detail);
  const isMailbox = subject === '2';
  if (code >= 500 && (isAddress || (isMailbox && detail === '1'))) return 'address';
  return isAddress || isMailbox ? 'mailbox' : 'server';
}

function causeOfBare(code: number): RefusalCause {
  if (MAILBOX_GONE.includes(code)) return 'address';
  return code === MAILBOX_BUSY ? 'mailbox' : 'server';
}
