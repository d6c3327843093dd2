import type { CallAt, Route, RouteAnswer, RouteRequest } from '@moorage/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { api } from './api';
import { sendOnce } from './request-key';
import type { ResourceName } from './resource-names';

/** Input of an action: the request of its route without the idempotency key, which the action adds itself. */
export type ActionRequest<R extends Route> = Omit<RouteRequest<R>, 'idempotencyKey'>;

interface Once {
  /** The call and its subject. Requests about the same target with the same content have the same key. */
  readonly target: string;
  /** True if the dialog shows earlier requests (`sentBefore`). */
  readonly isShown?: boolean;
}

interface Options<R extends Route> {
  /** Resources that reload along with the action's own. */
  readonly changes?: readonly ResourceName[];
  /** Shows the expected result in the cache while the request is running. */
  readonly expect?: (client: QueryClient, request: ActionRequest<R>) => void;
  /** Shows the answer in the cache before the resource has reloaded. A promise is awaited. */
  readonly apply?: (client: QueryClient, answer: RouteAnswer<R>, request: ActionRequest<R>) => unknown;
  /** Time until everything reloads, because the server continues after its answer. */
  readonly reloadAfterMs?: number;
  /** Nothing that the console shows changes, so nothing reloads. */
  readonly changesNothing?: true;
  /** The request and its answer stay in memory for a while, although nothing shows them. They contain no secret. */
  readonly isRemembered?: true;
}

/** Requires `once` for calls that accept an idempotency key, because these must not be carried out twice. */
type Keyed<R extends Route> =
  CallAt<R> extends { idempotency_key: true }
    ? { readonly once: (request: ActionRequest<R>) => Once }
    : { readonly once?: never };

/** A call that changes something, with everything that follows from it. */
export interface Action<R extends Route> extends Options<R> {
  readonly route: R;
  readonly send: (request: ActionRequest<R>) => Promise<RouteAnswer<R>>;
}

type Given<R extends Route> =
  Record<never, never> extends Keyed<R> ? [options?: Options<R>] : [options: Options<R> & Keyed<R>];

/** Defines an action. Its types follow from the table of calls. */
export function action<R extends Route>(route: R, ...[options]: Given<R>): Action<R> {
  const { once, ...rest } = (options ?? {}) as Options<R> & { once?: (request: ActionRequest<R>) => Once };
  const call = api as unknown as (route: R, request: unknown) => Promise<RouteAnswer<R>>;
  return {
    ...rest,
    route,
    send(request) {
      if (once === undefined) return call(route, request);
      const { body, query } = request as { readonly body?: unknown; readonly query?: unknown };
      return sendOnce({ ...once(request), content: body ?? query ?? null }, (idempotencyKey) =>
        call(route, { ...request, idempotencyKey }),
      );
    },
  };
}
