import type { Message } from './messages/message';

/**
 * A refusal that a person can act on. The code is looked up in the error catalogue of `libs/contracts`,
 * which gives the HTTP status; `reason` is what is shown.
 */
export class DomainError extends Error {
  constructor(
    readonly code: string,
    readonly reason: Message,
    /** Further fields of the answer (money in currency units, `retry_after_s`, ...). Never a secret. */
    readonly fields: Readonly<Record<string, string | number | boolean | null>> = {},
  ) {
    super(`${code}: ${reason.detail}`);
    this.name = 'DomainError';
  }
}
