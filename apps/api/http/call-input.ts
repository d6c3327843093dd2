import type { Call, TokenScope } from '@moorage/contracts';
import type { AdministratorRights, Instant } from '@moorage/domain';
import type { Readable } from 'node:stream';
import type { z } from 'zod';

/** Caller of a request, as stored in the database at the time of the call. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  readonly email: string;
  /** True if the credential has administrator rights. */
  readonly isAdmin: boolean;
  /** Reason why it has administrator rights or not. */
  readonly administratorRights: AdministratorRights;
  /** True if two-factor authentication is enabled for the account. */
  readonly hasSecondFactor: boolean;
  /**
   * Time at which the session last confirmed its password, and its second factor where the account has one. Null
   * without a session.
   */
  readonly authenticatedAt: Instant | null;
  /** Time at which a second factor was entered for the credential, or null if never. */
  readonly secondFactorAt: Instant | null;
  readonly isVerified: boolean;
  /**
   * A session can do everything its account may. A personal API token cannot change the account itself. An
   * impersonation session, in which an administrator sees the console as the account, reads what is not private.
   */
  readonly via: 'session' | 'api_token' | 'view';
  /** Id of the session, token or impersonation session. */
  readonly credentialId: string;
  /** Account to which rate limits apply: the caller's own, or the administrator's during impersonation. */
  readonly countedFor: number;
  /** Scope of the token. Sessions may write. */
  readonly scope: TokenScope;
}

/** Origin of a request. */
export interface Origin {
  readonly ip: string;
  /** Networks the address belongs to, the narrowest first (`networksOf`). Rate limits count these. */
  readonly networks: readonly [string, ...string[]];
  readonly correlationId: string;
  /** User-Agent header, or null if it is missing or nothing that a browser sends. */
  readonly userAgent: string | null;
}

type Parsed<C, Part extends string> = C extends { readonly [P in Part]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

type CallerOf<C extends Call> = C['access'] extends 'user' | 'verified' | 'admin'
  ? Caller
  : C extends { readonly optionalAuth: true }
    ? Caller | null
    : null;

/** Input of a controller method: every part is parsed by its row and the caller has been admitted. */
export interface CallInput<C extends Call> {
  readonly params: Parsed<C, 'params'>;
  readonly query: Parsed<C, 'query'>;
  readonly body: Parsed<C, 'body'>;
  readonly caller: CallerOf<C>;
  readonly origin: Origin;
  /**
   * Unparsed bytes of the body. Only set for calls that are authenticated by a signature over them, otherwise empty.
   */
  readonly rawBody: Buffer;
  /** Idempotency-Key header of calls that accept it, or null if none was sent. */
  readonly idempotencyKey: string | null;
  /** Returns a request header, or undefined. If a header is repeated, returns its first value. */
  readonly header: (name: string) => string | undefined;
  readonly reply: Reply;
}

/** Parts of a response other than its body. */
export interface Reply {
  header(name: string, value: string): void;
  /** Sets a success status other than the row's (202: not ready yet, 303: see the page). */
  status(code: number): void;
  /** Aborted when the client has disconnected. */
  readonly gone: AbortSignal;
}

/** Result of a controller method: the response of the row, or text and streams where the row returns no JSON. */
export type AnswerOf<C extends Call> = C['answer'] extends z.ZodType ? z.output<C['answer']> : string | Readable;
