import type { z } from 'zod';
import type { ErrorCode } from './errors';

/**
 * Required caller. `public` is open to everyone, `user` requires a signed-in account, and `verified` a confirmed email
 * address (decision 18). `admin` requires the flag, which is read from the database at each call. `webhook` requires a
 * signature of the raw body.
 */
export type Access = 'public' | 'user' | 'verified' | 'admin' | 'webhook';

/** An HTTP call. Its route, guard, validation and documentation and the console's types are derived from this entry. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /**
   * Path below /api without a trailing slash, with parameters as `{id}`. The path with a trailing slash is served too.
   */
  readonly path: string;
  /** Unique name of the call in the API description and in generated clients, such as `createDeployment`. */
  readonly operation: string;
  /** A short sentence in the imperative, without a full stop. */
  readonly summary: string;
  /** Details in Markdown, such as limits, side effects and permitted callers. */
  readonly description?: string;
  readonly access: Access;
  /**
   * Accepts sessions only. A personal API token must not outlive, take over or end the account it was created for
   * (S13). Other calls accept any token with a scope that allows the method.
   */
  readonly session_only?: true;
  /**
   * Requires a session with a password, and a second factor for accounts that use it, confirmed within the last ten
   * minutes. Otherwise the response is 403 REAUTHENTICATION_REQUIRED. With `administrators` this applies only when the
   * caller acts as an administrator.
   */
  readonly recent_authentication?: true | 'administrators';
  /** Rejected during impersonation, like writes and calls limited to sessions. */
  readonly hiddenFromImpersonation?: true;
  /** A GET that creates something at its first call. Read-only tokens are rejected. */
  readonly hasSideEffects?: true;
  /** Open to everyone, but a valid bearer token still identifies the caller. */
  readonly optionalAuth?: true;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** A missing body is read as `{}`, because all its fields are optional. */
  readonly optional_body?: true;
  /** The body is application/x-www-form-urlencoded (login). */
  readonly form?: true;
  /** A webhook that also accepts a text/plain body. */
  readonly plain_text?: true;
  /**
   * Called by browser navigation or by other systems, which cannot send the public X-API-Key. The key is not required.
   */
  readonly without_client_key?: true;
  /**
   * Moves money or sends a message, and accepts an Idempotency-Key (decision 46). A repeat with the same key and body
   * receives the first response. The same key with another body is rejected with IDEMPOTENCY_KEY_REUSED.
   */
  readonly idempotency_key?: true;
  readonly status: 200 | 201 | 202;
  /** Null for responses without JSON (script text, event stream). */
  readonly answer: z.ZodType | null;
  /** Error codes to expect besides the common errors (malformed, unauthenticated, forbidden, rate limited). */
  readonly errors: readonly ErrorCode[];
  /** Name of its rate limit in the table of limits. Without it only the general limit applies. */
  readonly limit?: string;
}
