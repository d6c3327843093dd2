import type { z } from 'zod';
import type { ErrorCode } from './errors';

/**
 * Who may call. `public`: anybody. `user`: a signed-in account. `verified`: with a confirmed email (decisions 18).
 * `admin`: the flag, looked up in the database at each call. `webhook`: proves itself by a signature over the raw body.
 */
export type Access = 'public' | 'user' | 'verified' | 'admin' | 'webhook';

/** One HTTP call: the row from which the route, its guard, its validation, its documentation and the console's types come. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below /api, without a trailing slash; both spellings are served. Parameters as `{id}`. */
  readonly path: string;
  /** The name of the call in the API description and in clients made from it: `createDeployment`. Unique. */
  readonly operation: string;
  /** A short sentence in the imperative, without a full stop. */
  readonly summary: string;
  /** Details in Markdown, such as limits, side effects and permitted callers. */
  readonly description?: string;
  readonly access: Access;
  /**
   * For sessions only: a personal API token must not outlive, take over or end the account it was made for (S13). Every
   * other call takes a token, if its scope allows the method.
   */
  readonly session_only?: true;
  /**
   * Needs a session whose password, and second factor where the account has one, was confirmed within the last ten minutes;
   * otherwise 403 REAUTHENTICATION_REQUIRED. `administrators`: only where the caller administers.
   */
  readonly recent_authentication?: true | 'administrators';
  /** For the account's own eyes: refused to an administrator who views as it, as are writes and what is for sessions only. */
  readonly private?: true;
  /** A GET that makes something the first time it is asked: a token that only reads is refused. */
  readonly makes?: true;
  /** Open to anybody; who sends a valid bearer is known all the same. */
  readonly knows_caller?: true;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The body comes as application/x-www-form-urlencoded (login). */
  readonly form?: true;
  /** A webhook whose body may come as text/plain. */
  readonly plain_text?: true;
  /** Reached by the browser's own navigation or by machinery, which cannot send the public X-API-Key: it is not asked for. */
  readonly without_client_key?: true;
  /**
   * It moves money or sends a message, and takes an Idempotency-Key (decision 46): a repeat with the same key and body gets the
   * first answer, the same key with another body is refused with IDEMPOTENCY_KEY_REUSED.
   */
  readonly idempotency_key?: true;
  readonly status: 200 | 201 | 202;
  /** null: no JSON body (script text, event stream). */
  readonly answer: z.ZodType | null;
  /** The codes a client must expect beside the common ones (malformed, unauthenticated, forbidden, pace). */
  readonly errors: readonly ErrorCode[];
  /** Name of the pace limit that guards it, from the table of limits; absent: only the general one. */
  readonly limit?: string;
}
