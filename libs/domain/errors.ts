import type { Message } from './messages/message';

/**
 * An error that the user can act on. The error catalogue of `libs/contracts` maps the code to an HTTP status. `reason`
 * is the message shown to the user.
 */
export class DomainError extends Error {
  constructor(
    readonly code: string,
    readonly reason: Message,
    /** Further fields of the response (money in currency units, `retry_after_s`, ...). Must not contain secrets. */
    readonly fields: Readonly<Record<string, string | number | boolean | null>> = {},
  ) {
    super(`${code}: ${reason.detail}`);
    this.name = 'DomainError';
  }
}
