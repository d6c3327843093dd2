import { type Message, RATE_LIMIT_MESSAGES } from '@moorage/domain';

/**
 * Every rate limit of the api, in one table. A call names its limit in the table of calls; the limits of login are applied
 * by the login itself, which knows whose password is tried.
 */
export interface Limit {
  /** What is counted: an address is the networks it lies in (`networksOf`). A limit by `account` counts them where nobody is signed in. */
  readonly by: 'account' | 'address' | 'key';
  /** All of them hold; the longer ones make the wait grow with the tries. */
  readonly windows: readonly { readonly points: number; readonly per_s: number }[];
  /**
   * What a wider network may take together, in times of the next narrower one (2 where left out): a /48 holds 65 536 networks
   * of /64, and must not have as many budgets.
   */
  readonly wider?: number;
  /** Taken from the database this many at a time, so that an ordinary request costs no write. */
  readonly batch?: number;
  /** What was done too often. */
  readonly message: Message;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const limit = (limit: Limit): Limit => limit;

export const LIMITS = {
  general_address: limit({
    by: 'address',
    windows: [{ points: 3000, per_s: MINUTE }],
    batch: 50,
    message: RATE_LIMIT_MESSAGES.network_requests,
  }),
  general_account: limit({
    by: 'account',
    windows: [{ points: 1200, per_s: MINUTE }],
    batch: 20,
    message: RATE_LIMIT_MESSAGES.requests,
  }),

  // one account from one network it has not logged in from: the wait grows with the tries. However wide the network, it
  // takes less than login_account holds: one attacker's /48 does not use that up
  login_pair: limit({
    by: 'key',
    wider: 1.25,
    windows: [
      { points: 5, per_s: MINUTE },
      { points: 15, per_s: 15 * MINUTE },
      { points: 50, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.logins,
  }),
  // one account from one network it has logged in from: a budget of its own, which no stranger can use up
  login_known: limit({
    by: 'key',
    windows: [
      { points: 5, per_s: MINUTE },
      { points: 15, per_s: 15 * MINUTE },
      { points: 50, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.logins,
  }),
  // one network over all accounts
  login_address: limit({
    by: 'address',
    windows: [{ points: 100, per_s: 10 * MINUTE }],
    message: RATE_LIMIT_MESSAGES.network_logins,
  }),
  // one account over all networks it has not logged in from, the first try of each included
  login_account: limit({
    by: 'key',
    windows: [
      { points: 30, per_s: 15 * MINUTE },
      { points: 200, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.strange_logins,
  }),

  signup: limit({
    by: 'address',
    windows: [
      { points: 10, per_s: HOUR },
      { points: 30, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.signups,
  }),
  forgot_password: limit({
    by: 'address',
    windows: [{ points: 10, per_s: HOUR }],
    message: RATE_LIMIT_MESSAGES.password_mails,
  }),
  // per address written to, whether it is known or not
  password_mail: limit({
    by: 'key',
    windows: [{ points: 3, per_s: HOUR }],
    message: RATE_LIMIT_MESSAGES.password_mails,
  }),
  // per mailbox that nobody has confirmed, in whatever spelling; taken when a mail is sent
  unconfirmed_mail: limit({
    by: 'key',
    windows: [
      { points: 5, per_s: HOUR },
      { points: 15, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.mail_sent,
  }),
  // in addition, for the normalised spelling: otherwise a stranger could exhaust the owner's limit with other spellings
  unconfirmed_mail_own_spelling: limit({
    by: 'key',
    windows: [
      { points: 1, per_s: HOUR },
      { points: 3, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.mail_sent,
  }),
  resend_verification: limit({
    by: 'account',
    windows: [
      { points: 1, per_s: MINUTE },
      { points: 5, per_s: HOUR },
    ],
    message: RATE_LIMIT_MESSAGES.mail_sent,
  }),
  link_token: limit({
    by: 'address',
    windows: [{ points: 60, per_s: 10 * MINUTE }],
    message: RATE_LIMIT_MESSAGES.links,
  }),
  validate_code: limit({
    by: 'address',
    windows: [{ points: 30, per_s: 10 * MINUTE }],
    message: RATE_LIMIT_MESSAGES.codes,
  }),
  validate_vps: limit({
    by: 'account',
    windows: [
      { points: 6, per_s: MINUTE },
      { points: 60, per_s: HOUR },
    ],
    message: RATE_LIMIT_MESSAGES.server_checks,
  }),
  create_deployment: limit({
    by: 'account',
    windows: [
      { points: 20, per_s: MINUTE },
      { points: 200, per_s: HOUR },
    ],
    message: RATE_LIMIT_MESSAGES.orders,
  }),
  // each takes processor, disk and network of a server
  backup: limit({
    by: 'account',
    windows: [
      { points: 20, per_s: HOUR },
      { points: 60, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.backups,
  }),
  restore: limit({
    by: 'account',
    windows: [
      { points: 20, per_s: HOUR },
      { points: 60, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.restores,
  }),
  // separate from `restore`, so that restores never use up the limit of undoing one
  undo_restore: limit({
    by: 'account',
    windows: [{ points: 20, per_s: HOUR }],
    message: RATE_LIMIT_MESSAGES.restores,
  }),
  reveal_secrets: limit({
    by: 'account',
    windows: [{ points: 30, per_s: 10 * MINUTE }],
    message: RATE_LIMIT_MESSAGES.reveals,
  }),
  backup_download: limit({
    by: 'account',
    windows: [
      { points: 10, per_s: HOUR },
      { points: 20, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.backup_downloads,
  }),
  // each is a connection to an address that the customer names
  backup_bucket: limit({
    by: 'account',
    windows: [
      { points: 10, per_s: 10 * MINUTE },
      { points: 50, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.buckets,
  }),
  download_file: limit({
    by: 'address',
    windows: [{ points: 30, per_s: 10 * MINUTE }],
    message: RATE_LIMIT_MESSAGES.backup_downloads,
  }),
  checkout: limit({
    by: 'account',
    windows: [{ points: 20, per_s: 10 * MINUTE }],
    message: RATE_LIMIT_MESSAGES.checkouts,
  }),
  test_checkout: limit({
    by: 'address',
    windows: [{ points: 300, per_s: 10 * MINUTE }],
    message: RATE_LIMIT_MESSAGES.test_payments,
  }),
  // a new server calls once; a cloud may report every server of a large installation at once
  cloud_callback: limit({
    by: 'address',
    windows: [{ points: 600, per_s: MINUTE }],
    message: RATE_LIMIT_MESSAGES.network_requests,
  }),
  package_request: limit({
    by: 'account',
    windows: [{ points: 10, per_s: HOUR }],
    message: RATE_LIMIT_MESSAGES.package_requests,
  }),
  credit_request: limit({
    by: 'address',
    windows: [
      { points: 5, per_s: HOUR },
      { points: 15, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.credit_requests,
  }),
  support_contact: limit({
    by: 'address',
    windows: [
      { points: 10, per_s: HOUR },
      { points: 30, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.messages,
  }),
  support_reply: limit({
    by: 'account',
    windows: [
      { points: 20, per_s: HOUR },
      { points: 60, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.replies,
  }),
  // per account: a session that somebody left open must not be a way to guess its password
  own_password: limit({
    by: 'key',
    windows: [
      { points: 10, per_s: 15 * MINUTE },
      { points: 50, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.passwords,
  }),
  // per account, at login and on the account page together
  one_time_code: limit({
    by: 'key',
    windows: [{ points: 5, per_s: 15 * MINUTE }],
    message: RATE_LIMIT_MESSAGES.one_time_codes,
  }),
  one_time_code_day: limit({
    by: 'key',
    windows: [{ points: 20, per_s: DAY }],
    message: RATE_LIMIT_MESSAGES.one_time_codes,
  }),
  // mails to the owner of an account that somebody attacks
  code_refused_mail: limit({
    by: 'key',
    windows: [{ points: 1, per_s: HOUR }],
    message: RATE_LIMIT_MESSAGES.mail_sent,
  }),
  codes_paused_mail: limit({ by: 'key', windows: [{ points: 1, per_s: DAY }], message: RATE_LIMIT_MESSAGES.mail_sent }),
  token_network_mail: limit({
    by: 'key',
    windows: [{ points: 5, per_s: DAY }],
    message: RATE_LIMIT_MESSAGES.mail_sent,
  }),
  change_account: limit({
    by: 'account',
    windows: [{ points: 10, per_s: HOUR }],
    message: RATE_LIMIT_MESSAGES.account_changes,
  }),
  // costly answers: docs/operating.md has what each takes
  documents: limit({
    by: 'account',
    windows: [
      { points: 30, per_s: MINUTE },
      { points: 300, per_s: HOUR },
    ],
    message: RATE_LIMIT_MESSAGES.documents,
  }),
  statements: limit({
    by: 'account',
    windows: [{ points: 30, per_s: 10 * MINUTE }],
    message: RATE_LIMIT_MESSAGES.statements,
  }),
  export_files: limit({ by: 'account', windows: [{ points: 20, per_s: HOUR }], message: RATE_LIMIT_MESSAGES.exports }),
  mailbox: limit({ by: 'account', windows: [{ points: 60, per_s: MINUTE }], message: RATE_LIMIT_MESSAGES.mailbox }),
  api_description: limit({
    by: 'address',
    windows: [{ points: 60, per_s: MINUTE }],
    message: RATE_LIMIT_MESSAGES.network_requests,
  }),
  data_exports: limit({ by: 'account', windows: [{ points: 5, per_s: DAY }], message: RATE_LIMIT_MESSAGES.exports }),
  api_tokens: limit({ by: 'account', windows: [{ points: 20, per_s: HOUR }], message: RATE_LIMIT_MESSAGES.tokens }),
} as const;

export type LimitName = keyof typeof LIMITS;
export type LimitTable = Readonly<Record<LimitName, Limit>>;

export function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(LIMITS, name);
}
