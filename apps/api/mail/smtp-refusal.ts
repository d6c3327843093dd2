/**
 * Cause of a refusal by a mail server. `address` never accepts email. `mailbox` accepts none at the moment. `server` is
 * anything else, which the operator may have to fix.
 */
export type RefusalCause = 'address' | 'mailbox' | 'server';

interface SmtpError {
  readonly responseCode?: unknown;
  readonly response?: unknown;
  /** Refused SMTP command: `MAIL FROM`, `RCPT TO` or `DATA`. */
  readonly command?: unknown;
}

/** Enhanced status codes (RFC 3463): class, subject and detail after the reply code. */
const ENHANCED = /^[45]\d\d[ -][45]\.(\d{1,3})\.(\d{1,3})(?!\d)/;

/** Details of a wrong sender address, which is our own fault. */
const OF_THE_SENDER = ['7', '8'];

/**
 * Replies to RCPT TO without an enhanced code (RFC 5321, 4.2.3): no such mailbox, not local, name not allowed, busy.
 */
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
