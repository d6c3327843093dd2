import type { ErrorCode } from '@moorage/contracts';
import type { Message } from '@moorage/domain';

export interface FieldError {
  readonly path: string;
  readonly message: Message;
}

/** An error response of the server, with its message. `status` is 0 if the server could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    /** NETWORK: server unreachable. TIMEOUT: no response in time. UNKNOWN: the response contains no code. */
    readonly code: ErrorCode | 'NETWORK' | 'TIMEOUT' | 'UNKNOWN',
    /** Message for the user. Display it through `messageText`. */
    readonly reason: Message,
    /** Validation errors by field. */
    readonly fields: readonly FieldError[] = [],
    /** All other fields of the response, such as needed, available, owed and results. */
    readonly facts: Readonly<Record<string, unknown>> = {},
    readonly retryAfterS: number | null = null,
  ) {
    super(reason.detail);
    this.name = 'ApiError';
  }

  /** Field messages in the form that react-admin expects. */
  get body(): { errors: Record<string, string> } {
    return { errors: Object.fromEntries(this.fields.map(({ path, message }) => [path, message.detail])) };
  }
}

/** Returns whether the server refused the call to this user, whom a retry does not help. */
export const isForbidden = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'FORBIDDEN';

/** Returns whether the server reported that there is no such resource, or none that the user may see. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
