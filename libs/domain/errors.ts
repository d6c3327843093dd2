/**
 * A refusal that a person can act on. The code is looked up in the error catalogue of `libs/contracts`,
 * which gives the HTTP status; `detail` is the sentence shown.
 */
export class DomainError extends Error {
  constructor(
    readonly code: string,
    readonly detail: string,
    /** Further fields of the answer (money in currency units, `retry_after_s`, ...). Never a secret. */
    readonly facts: Readonly<Record<string, string | number | boolean | null>> = {},
  ) {
    super(`${code}: ${detail}`);
    this.name = 'DomainError';
  }
}
