import { TOP_UP_OFF_REASONS } from '@moorage/domain';
import { z } from 'zod';
import { actReason, idParams } from './account-fields';
import type { Call } from './call';

const cents = z.int().min(100).max(10_000_000);

export const savedCard = z.object({
  brand: z.string(),
  last4: z.string(),
  exp_month: z.int(),
  exp_year: z.int(),
});

export const automaticTopUp = z
  .object({
    /** Saved card, or null if there is none. The next top-up with `save_card` saves a card. */
    card: savedCard.nullable(),
    enabled: z.boolean(),
    /** Threshold for a charge. The available money is below `amount` currency units, or lasts for fewer than `days`. */
    threshold: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('amount'), amount: z.number() }),
      z.object({ kind: z.literal('days'), days: z.int() }),
    ]),
    amount_cents: z.int(),
    /** Maximum charged per UTC month. */
    month_cap_cents: z.int(),
    /** Amount charged in this UTC month. */
    month_used_cents: z.int(),
    /** Reason for the automatic deactivation. Null if it is on or its owner turned it off. */
    off_reason: z.enum(TOP_UP_OFF_REASONS).nullable(),
    /** Newest attempt. */
    last: z
      .object({ status: z.enum(['open', 'paid', 'failed']), amount_cents: z.int(), at: z.iso.datetime() })
      .nullable(),
  })
  .meta({ id: 'AutomaticTopUp' });
export type AutomaticTopUpAnswer = z.infer<typeof automaticTopUp>;

export const automaticTopUpSettings = z.object({
  enabled: z.boolean(),
  threshold: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('amount'), amount: z.int().min(1).max(1_000) }),
    z.object({ kind: z.literal('days'), days: z.int().min(1).max(30) }),
  ]),
  amount_cents: cents,
  month_cap_cents: cents,
});
export type AutomaticTopUpSettings = z.infer<typeof automaticTopUpSettings>;

export const AUTOMATIC_TOP_UP_CALLS = {
  automaticTopUp: {
    operation: 'getAutomaticTopUp',
    method: 'GET',
    path: '/billing/automatic-top-up',
    summary: 'Get your saved card and automatic top-up',
    access: 'user',
    status: 200,
    answer: automaticTopUp,
    errors: [],
  },
  changeAutomaticTopUp: {
    operation: 'setAutomaticTopUp',
    method: 'PUT',
    path: '/billing/automatic-top-up',
    summary: 'Change automatic top-up',
    description: 'Turns it on or off, or changes the threshold and the amount. The change is confirmed by email.',
    access: 'user',
    session_only: true,
    recent_authentication: true,
    body: automaticTopUpSettings,
    status: 200,
    answer: automaticTopUp,
    errors: ['AUTOMATIC_TOP_UP_STATE'],
  },
  removeCard: {
    operation: 'removeCard',
    method: 'DELETE',
    path: '/billing/card',
    summary: 'Remove your saved card',
    description: 'Also turns off automatic top-up.',
    access: 'user',
    session_only: true,
    recent_authentication: true,
    status: 200,
    answer: automaticTopUp,
    errors: [],
  },
  automaticTopUpOf: {
    operation: 'getAutomaticTopUpOfUser',
    method: 'GET',
    path: '/billing/admin/users/{id}/automatic-top-up',
    summary: 'Get the automatic top-up of a user',
    description: 'Includes the saved card.',
    access: 'admin',
    params: idParams,
    status: 200,
    answer: automaticTopUp,
    errors: ['NOT_FOUND'],
  },
  stopAutomaticTopUp: {
    operation: 'stopAutomaticTopUpOfUser',
    method: 'POST',
    path: '/billing/admin/users/{id}/automatic-top-up/stop',
    summary: 'Turn off the automatic top-up of a user',
    description: 'The reason is emailed to the user.',
    access: 'admin',
    recent_authentication: true,
    params: idParams,
    body: z.object({ reason: actReason }),
    status: 200,
    answer: automaticTopUp,
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Call>;
