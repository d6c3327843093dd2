import type { z } from 'zod';
import type { Call } from './call';
import type { CALLS } from './calls';

/*
 * Types derived from the table of calls, so that a client of the api is checked against the table without importing it.
 */

type Rows = typeof CALLS;
type Row = { [Feature in keyof Rows]: Rows[Feature][keyof Rows[Feature]] }[keyof Rows];

/** Name of a call in a client, such as `GET /deployments/{id}`. */
export type Route = Row extends infer Each ? (Each extends Call ? `${Each['method']} ${Each['path']}` : never) : never;

/** Entry of the table for a route. */
export type CallAt<R extends Route> = R extends `${infer Method} ${infer Path}`
  ? Extract<Row, { method: Method; path: Path }>
  : never;

/** Response of a call, which is a string if its entry has no JSON response. */
export type RouteAnswer<R extends Route> =
  CallAt<R> extends { answer: infer Answer } ? (Answer extends z.ZodType ? z.output<Answer> : string) : never;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type QueryValue = string | number | boolean | null | undefined;

type ParamsPart<R extends Route> = [NamesIn<R>] extends [never]
  ? { readonly params?: never }
  : { readonly params: Readonly<Record<NamesIn<R>, string | number>> };

type QueryPart<C> = C extends { query: infer Query extends z.ZodType }
  ? { readonly query?: { readonly [Name in keyof z.input<Query>]?: QueryValue } }
  : { readonly query?: never };

type BodyPart<C> = C extends { body: infer Body extends z.ZodType }
  ? C extends { form: true }
    ? { readonly form: z.input<Body>; readonly body?: never }
    : { readonly body: z.input<Body>; readonly form?: never }
  : { readonly body?: never; readonly form?: never };

type KeyPart<C> = C extends { idempotency_key: true }
  ? { readonly idempotencyKey: string }
  : { readonly idempotencyKey?: never };

/**
 * Input of a call, with its path values, its query (null, undefined and '' are left out), its body, and the
 * Idempotency-Key of calls that accept it.
 */
export type RouteRequest<R extends Route> = ParamsPart<R> &
  QueryPart<CallAt<R>> &
  BodyPart<CallAt<R>> &
  KeyPart<CallAt<R>>;
