import type { Call, TokenScope } from '@moorage/contracts';
import type { AdministratorRights, Instant } from '@moorage/domain';
import type { Readable } from 'node:stream';
import type { z } from 'zod';

/** Who calls, as the database says at this call. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  readonly email: string;
  /** The credential may administer. */
  readonly isAdmin: boolean;
  /** Why it may or may not. */
  readonly administratorRights: AdministratorRights;
  /** The account has two-factor authentication on. */
  readonly hasSecondFactor: boolean;
  /** When the session last confirmed its password, and its second factor where the account has one. Null: no session. */
  readonly authenticatedAt: Instant | null;
  /** When a second factor was given for the credential. Null: never. */
  readonly secondFactorAt: Instant | null;
  readonly isVerified: boolean;
  /**
   * A session can do everything its account may; a personal API token cannot touch the account itself; a view, an
   * administrator who sees the console as the account, reads what is not private.
   */
  readonly via: 'session' | 'api_token' | 'view';
  /** Id of the session, the token or the view. */
  readonly credentialId: string;
  /** Whose limits the calls count for: the account's own; of a view the administrator's. */
  readonly countedFor: number;
  /** A session may write. */
  readonly scope: TokenScope;
}

/** Where a request comes from. */
export interface Origin {
  readonly ip: string;
  /** The networks the address lies in, the narrowest first: what limits count (`networksOf`). */
  readonly networks: readonly [string, ...string[]];
  readonly correlationId: string;
  /** The User-Agent header; null: none, or nothing that a browser sends. */
  readonly userAgent: string | null;
}

type Parsed<C, Part extends string> = C extends { readonly [P in Part]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

type CallerOf<C extends Call> = C['access'] extends 'user' | 'verified' | 'admin'
  ? Caller
  : C extends { readonly knows_caller: true }
    ? Caller | null
    : null;

/** What a controller method receives: every part parsed by its row, the caller already admitted. */
export interface CallInput<C extends Call> {
  readonly params: Parsed<C, 'params'>;
  readonly query: Parsed<C, 'query'>;
  readonly body: Parsed<C, 'body'>;
  readonly caller: CallerOf<C>;
  readonly origin: Origin;
  /** The bytes of the body as they came: only for calls that are authenticated by a signature over them, empty elsewhere. */
  readonly rawBody: Buffer;
  /** The Idempotency-Key header, for calls that take one; null: there was none. */
  readonly idempotencyKey: string | null;
  /** A request header, or undefined; the first value where one comes twice. */
  readonly header: (name: string) => string | undefined;
  readonly reply: Reply;
}

/** The parts of an answer besides its body. */
export interface Reply {
  header(name: string, value: string): void;
  /** Another success than the row's (202: not there yet; 303: see the page). */
  status(code: number): void;
  /** Aborted when the client has disconnected. */
  readonly gone: AbortSignal;
}

/** What a controller method returns: the row's answer, or text and streams where the row answers no JSON. */
export type AnswerOf<C extends Call> = C['answer'] extends z.ZodType ? z.output<C['answer']> : string | Readable;
