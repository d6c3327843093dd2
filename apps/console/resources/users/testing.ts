import type {
  AdminUserDetailsAnswer,
  CreditAnswer,
  Transactions,
  UserHistory,
  UserMail,
  UserSession,
  UserSupportMessage,
} from '@moorage/contracts';
import { HISTORY_MESSAGES, MAIL_TITLES } from '@moorage/domain';
import { factsOf, topUpOf } from '../../pages/billing/testing';
import { type Replies, USER } from '../../testing/console-fixture';

export const PERSON: AdminUserDetailsAnswer = {
  ...USER,
  total_balance: 39.95,
  active_deployments: 2,
  deactivated_at: null,
  low_balance_days: null,
  balances: {
    total_balance: 39.95,
    regular_balance: 34,
    referral_credits: 0.96,
    signup_credits: 4.99,
    available_balance: 39.95,
    owed: 0,
  },
  payments: { count: 3, paid: 80, taken_back: 5 },
};

const CREDIT: CreditAnswer = {
  id: 4,
  credit_type: 'signup',
  amount: 5,
  used_amount: 0.01,
  remaining_amount: 4.99,
  created_at: '2026-10-02T09:11:00.000Z',
  expires_at: '2026-12-02T09:11:00.000Z',
  is_usable: true,
  is_expired: false,
  display_currency: 'EUR',
};

const TRANSACTIONS: Transactions = {
  transactions: [
    {
      date: '2026-11-20',
      transactions: [
        {
          id: 31,
          type: 'payment',
          description: 'Payment',
          facts: factsOf(),
          amount: 30,
          created_at: '2026-11-20T10:00:00.000Z',
          deployment_id: null,
        },
      ],
    },
  ],
  total_pages: 1,
  current_page: 1,
  has_next: false,
  has_previous: false,
};

export const SESSION: UserSession = {
  id: 5,
  ip_address: '203.0.113.9',
  browser: 'Firefox',
  system: 'Linux',
  created_at: '2026-11-20T08:00:00.000Z',
  last_used_at: '2026-11-21T08:00:00.000Z',
  expires_at: '2026-12-20T08:00:00.000Z',
};

export const MAIL: UserMail = {
  id: 12,
  template: 'payment_received',
  title: MAIL_TITLES.payment_received,
  created_at: '2026-11-20T10:00:05.000Z',
  sent_at: '2026-11-20T10:00:09.000Z',
  given_up_at: null,
  is_refused: false,
};

const SUPPORT: UserSupportMessage = {
  id: 2,
  kind: 'contact',
  subject: 'My domain',
  message: 'It does not answer.\nWhat can I do?',
  created_at: '2026-11-19T10:00:00.000Z',
};

const HISTORY: readonly UserHistory[] = [
  {
    id: 9,
    at: '2026-11-18T10:00:00.000Z',
    what: HISTORY_MESSAGES.account_viewed({ reason: 'ticket 12' }),
    by: { id: 1, username: 'erik.kovac' },
    via: 'session',
    reason: null,
    ip_address: '203.0.113.4',
    deployment_id: null,
  },
  {
    id: 8,
    at: '2026-11-17T10:00:00.000Z',
    what: HISTORY_MESSAGES.server_loss_confirmed,
    by: null,
    via: null,
    reason: null,
    ip_address: null,
    deployment_id: 3,
  },
];

/** Replies for each card of an account's page. */
export const PARTS = {
  'GET /users/7/deployments': {
    body: [
      {
        id: 3,
        client_name: 'maralind-pangolin-338851',
        package: 'pangolin',
        status: 'READY',
        deleted_at: null,
        daily_cost: 0.8544,
        ended: null,
      },
    ],
  },
  'GET /users/7/credits': { body: [CREDIT] },
  'GET /billing/admin/users/7/automatic-top-up': { body: topUpOf() },
  'GET /billing/admin/transactions': { body: TRANSACTIONS },
  'GET /users/7/sessions': { body: [SESSION] },
  'GET /users/7/mails': { body: [{ ...MAIL, id: 13, sent_at: null, title: MAIL_TITLES.welcome }, MAIL] },
  'GET /users/7/support-messages': { body: [SUPPORT] },
  'GET /users/7/history': { body: HISTORY },
} satisfies Replies;

export const PAGE: Replies = {
  'GET /users/7': { body: PERSON },
  'GET /deployments/packages': { body: [] },
  ...PARTS,
};
