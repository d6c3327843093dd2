import { type Message, RATE_LIMIT_MESSAGES } from '@moorage/domain';

/**
 * All rate limits of the api. A call names its limit in the table of calls. The login applies its own limits because
 * only it knows which account's password is being tried.
 */
export interface Limit {
  /**
   * What is counted. An address is counted by its networks (`networksOf`). A limit by `account` counts by address for
   * unauthenticated requests.
   */
  readonly by: 'account' | 'address' | 'key';
  /** All windows apply. The longer ones make the wait grow with the number of attempts. */
  readonly windows: readonly { readonly points: number; readonly per_s: number }[];
  /**
   * Budget of a wider network, as a multiple of the next narrower one (default 2). A /48 contains 65 536 networks of
   * /64 and must not have as many budgets.
   */
  readonly wider?: number;
  /** Number of points taken from the database at a time, so that most requests cost no write. */
  readonly batch?: number;
  /** Message that states what was done too often. */
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

  // An account from a network it has not logged in from. The wait grows with the attempts. However wide the network, it
  // gets less than login_account allows, so that an attacker's /48 cannot use that up.
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
  // An account from a network it has logged in from. This separate budget cannot be used up by strangers.
  login_known: limit({
    by: 'key',
    windows: [
      { points: 5, per_s: MINUTE },
      { points: 15, per_s: 15 * MINUTE },
      { points: 50, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.logins,
  }),
  // A network across all accounts.
  login_address: limit({
    by: 'address',
    windows: [{ points: 100, per_s: 10 * MINUTE }],
    message: RATE_LIMIT_MESSAGES.network_logins,
  }),
  // An account across all networks it has not logged in from, including the first attempt from each.
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
  // Per recipient address, whether it is known or not.
  password_mail: limit({
    by: 'key',
    windows: [{ points: 3, per_s: HOUR }],
    message: RATE_LIMIT_MESSAGES.password_mails,
  }),
  // Per unconfirmed mailbox, in any spelling. Counted when an email is sent.
  unconfirmed_mail: limit({
    by: 'key',
    windows: [
      { points: 5, per_s: HOUR },
      { points: 15, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.mail_sent,
  }),
  // In addition, for the normalised spelling. Otherwise a stranger could exhaust the owner's limit with other
  // spellings.
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
  // Each backup uses CPU, disk and network of a server.
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
  // Separate from `restore`, so that restores never use up the limit for undoing them.
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
  change_configuration: limit({
    by: 'account',
    windows: [{ points: 30, per_s: HOUR }],
    message: RATE_LIMIT_MESSAGES.configurations,
  }),
  backup_download: limit({
    by: 'account',
    windows: [
      { points: 10, per_s: HOUR },
      { points: 20, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.backup_downloads,
  }),
  // Each change connects to the server.
  ssh_keys: limit({
    by: 'account',
    windows: [
      { points: 30, per_s: 10 * MINUTE },
      { points: 200, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.ssh_keys,
  }),
  container_restarts: limit({
    by: 'account',
    windows: [
      { points: 20, per_s: 10 * MINUTE },
      { points: 100, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.container_restarts,
  }),
  // Each search reads a week of logs on the server.
  log_searches: limit({
    by: 'account',
    windows: [{ points: 120, per_s: MINUTE }],
    message: RATE_LIMIT_MESSAGES.log_searches,
  }),
  // Each request connects to an address that the customer names.
  backup_bucket: limit({
    by: 'account',
    windows: [
      { points: 10, per_s: 10 * MINUTE },
      { points: 50, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.buckets,
  }),
  // Each request calls a DNS provider with the customer's token.
  dns_records: limit({
    by: 'account',
    windows: [
      { points: 20, per_s: 10 * MINUTE },
      { points: 100, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.dns_records,
  }),
  // Each request queries name servers that customers choose.
  dns_lookups: limit({
    by: 'account',
    windows: [{ points: 30, per_s: MINUTE }],
    message: RATE_LIMIT_MESSAGES.dns_lookups,
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
  // A new server calls once, but a cloud may report every server of a large installation at the same time.
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
  // Per account, so that an unattended session cannot be used to guess its password.
  own_password: limit({
    by: 'key',
    windows: [
      { points: 10, per_s: 15 * MINUTE },
      { points: 50, per_s: DAY },
    ],
    message: RATE_LIMIT_MESSAGES.passwords,
  }),
  // Per account, for login and account page together.
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
  // Emails to the owner of an account under attack.
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
  // Expensive responses. docs/operating.md lists the cost of each.
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
