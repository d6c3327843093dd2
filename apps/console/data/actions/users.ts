import type { QueryClient } from '@tanstack/react-query';
import { action } from '../action';
import { sentBefore } from '../request-key';
import { readKey } from '../use-read';

/** Route that returns whether an account can be deactivated, and what blocks it. */
export const DEACTIVATION_CHECK = 'GET /users/{id}/deactivation-check';

interface Adjustment {
  readonly amount: number;
  readonly description: string | null;
}

const adjustmentOf = (id: string | number): string => `adjustment ${id}`;

/** Returns balance adjustments requested from this tab that are recent or unanswered. */
export const adjustmentsBefore = (id: number) => sentBefore<Adjustment>(adjustmentOf(id));

/** Actions of administrators on accounts. */
export const USERS = {
  create: action('POST /users/admin-create'),
  makeAdmin: action('PATCH /users/{id}/make-admin'),
  removeAdmin: action('PATCH /users/{id}/remove-admin'),
  /** Removes all deployments. The answer lists what still blocks the deletion. */
  prepareDeletion: action('POST /users/{id}/prepare-deletion', {
    changes: ['deployments', 'admin-deployments'],
    apply: (client: QueryClient, { check }, { params }) =>
      client.setQueryData(readKey('users', DEACTIVATION_CHECK, { params }), check),
  }),
  deactivate: action('POST /users/{id}/deactivate'),
  reactivate: action('POST /users/{id}/reactivate'),
  erase: action('DELETE /users/{id}'),
  /** The answer contains the session that shows what the user sees. */
  impersonate: action('POST /users/{id}/impersonation', { changesNothing: true }),
  endSessions: action('DELETE /users/{id}/sessions'),
  stopTopUp: action('POST /billing/admin/users/{id}/automatic-top-up/stop'),
  /** Booked only once, because repeated attempts have the same key until one is accepted. */
  adjustBalance: action('POST /billing/admin/users/{id}/adjust-balance', {
    once: ({ params }) => ({ target: adjustmentOf(params.id), isShown: true }),
  }),
} as const;
