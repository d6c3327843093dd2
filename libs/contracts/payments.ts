import { LANGUAGES, PAYMENT_STATES, SHAPE_MESSAGES } from '@moorage/domain';
import { z } from 'zod';
import type { Call } from './call';
import { CHECKOUT_CREATED_EXAMPLE, CHECKOUT_EXAMPLE, CHECKOUT_STATUS_EXAMPLE } from './examples';
import { issueText } from './message';

/** Languages of the test checkout page. */
export const testPageLocale = z.enum(LANGUAGES);
export type TestPageLocale = z.infer<typeof testPageLocale>;

/** Results of the test cards when they are charged without their owner. */
export const TEST_CARDS = ['succeeds', 'declines', 'authentication'] as const;
export type TestCard = (typeof TEST_CARDS)[number];

const sessionParams = z.object({ session_id: z.string().regex(/^cs_test_[A-Za-z0-9]{16,100}$/) });
/** Target of the success and cancel pages. `order` leads back to the order that required money. */
const returnTo = z.enum(['order']);
export type ReturnTo = z.infer<typeof returnTo>;

export const PAYMENTS_CALLS = {
  createCheckoutSession: {
    operation: 'createCheckoutSession',
    method: 'POST',
    path: '/stripe/create-checkout-session',
    summary: 'Start a top-up',
    description: 'Redirect the browser to `url`. The balance changes when the payment is confirmed.',
    access: 'user',
    idempotency_key: true,
    body: z
      .object({
        amount_cents: z.int().min(100, issueText(SHAPE_MESSAGES.top_up_least)).max(10_000_000),
        /** Saves the card for automatic top-ups, if the customer agreed. */
        save_card: z.boolean().default(false),
        return_to: returnTo.nullish(),
      })
      .meta({ examples: [CHECKOUT_EXAMPLE] }),
    status: 201,
    answer: z.object({ url: z.string(), session_id: z.string() }).meta({ examples: [CHECKOUT_CREATED_EXAMPLE] }),
    errors: ['SERVICE_UNAVAILABLE', 'CHECKOUT_STATE'],
    limit: 'checkout',
  },
  checkoutSession: {
    operation: 'getCheckoutSession',
    method: 'GET',
    path: '/stripe/checkout-sessions/{id}',
    summary: 'Get the status of a checkout session',
    access: 'user',
    params: z.object({ id: z.string().regex(/^[A-Za-z0-9_]{1,255}$/) }),
    status: 200,
    answer: z
      .object({
        status: z.enum(PAYMENT_STATES),
        amount_cents: z.int(),
        test_mode: z.boolean(),
      })
      .meta({ examples: [CHECKOUT_STATUS_EXAMPLE] }),
    errors: ['NOT_FOUND'],
  },
  stripeWebhook: {
    operation: 'receiveStripeEvent',
    method: 'POST',
    path: '/webhooks/stripe',
    summary: 'Receive an event from Stripe',
    description: 'Verified by its signature.',
    access: 'webhook',
    status: 200,
    answer: z.object({ received: z.literal(true) }),
    errors: ['SIGNATURE_INVALID'],
  },
  testCheckoutPage: {
    operation: 'getTestCheckoutPage',
    method: 'GET',
    path: '/stripe/test-checkout/{session_id}',
    summary: 'Show the test checkout page',
    description: 'Test mode only.',
    access: 'public',
    without_client_key: true,
    params: sessionParams,
    query: z.object({ locale: testPageLocale.default(LANGUAGES[0]), return_to: returnTo.optional() }),
    status: 200,
    answer: null,
    errors: ['NOT_FOUND'],
  },
  finishTestCheckout: {
    operation: 'finishTestCheckout',
    method: 'POST',
    path: '/stripe/test-checkout/{session_id}',
    summary: 'Pay or cancel a test checkout',
    description: 'Test mode only. Uses the same signed webhook as Stripe.',
    access: 'public',
    idempotency_key: true,
    without_client_key: true,
    form: true,
    params: sessionParams,
    /** The form is posted to the URL of its page. */
    query: z.object({ return_to: returnTo.optional() }),
    body: z.object({
      outcome: z.enum(['pay', 'cancel']),
      /** Result of later charges, if the checkout saves the card. */
      card: z.enum(TEST_CARDS).default('succeeds'),
    }),
    status: 200,
    answer: z.object({
      outcome: z.enum(['pay', 'cancel']),
      /** Next URL of the browser, sent as a 303 redirect after a form post. */
      url: z.string(),
    }),
    errors: ['NOT_FOUND', 'CHECKOUT_STATE'],
    limit: 'test_checkout',
  },
} as const satisfies Record<string, Call>;
