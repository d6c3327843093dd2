import { DATA_EXPORT_MESSAGES, iso, type Message, Money } from '@moorage/domain';
import type { SqlValue, Tx } from '@moorage/server';

/** Format of a column. Instants are written as ISO 8601, amounts as text with six decimals. */
type Kind = 'number' | 'text' | 'flag' | 'instant' | 'amount' | 'cents' | 'json';

export interface Column {
  readonly name: string;
  readonly kind: Kind;
  readonly sql: string;
}

/** Rows of an account for its export. Only the columns named here are exported. */
export interface ExportList {
  /** Name in account.json. The CSV file has the same name with dashes. */
  readonly name: string;
  readonly about: Message;
  readonly columns: readonly Column[];
  /** SQL with a condition on `$1`, the account, which an index serves. */
  readonly from: string;
  /** Sort order of the pages, newest first. Unique within the account. */
  readonly order: readonly { readonly sql: string; readonly type: 'integer' | 'bigint' | 'text' | 'timestamptz' }[];
}

export type Shown = string | number | boolean | object | null;

/**
 * Builds columns from entries such as `at: ['instant', 's.at']`, or only the kind where the name is that of the table's
 * column.
 */
function columns(
  table: string,
  named: Readonly<Record<string, Kind | readonly [kind: Kind, sql: string]>>,
): readonly Column[] {
  return Object.entries(named).map(([name, what]) =>
    typeof what === 'string' ? { name, kind: what, sql: `${table}.${name}` } : { name, kind: what[0], sql: what[1] },
  );
}

const host = (column: string): readonly [Kind, string] => ['text', `host(${column})`];

/** The account itself and its balance: a single row, only in account.json. */
export const ACCOUNT_COLUMNS = columns('u', {
  id: 'number',
  username: 'text',
  email: 'text',
  pending_email: 'text',
  is_verified: 'flag',
  is_admin: 'flag',
  language: 'text',
  muted_mails: 'json',
  referral_code: 'text',
  signup_ip: host('u.signup_ip'),
  two_factor_at: 'instant',
  created_at: 'instant',
  regular_balance_usd: ['amount', 'w.regular_micros'],
  owed_usd: ['amount', 'w.owed_micros'],
  first_paid_at: ['instant', 'w.first_paid_at'],
});

export const EXPORT_LISTS: readonly ExportList[] = [
  {
    name: 'transactions',
    about: DATA_EXPORT_MESSAGES.transactions,
    // Excludes who posted it and its cause, which are administrators and ids of Stripe.
    columns: columns('t', {
      id: 'number',
      due_at: 'instant',
      posted_at: 'instant',
      type: 'text',
      description: 'text',
      amount_usd: ['amount', 't.amount_micros'],
      deployment_id: 'number',
      charged_on: 'text',
      credit_id: 'number',
      corrects_id: 'number',
    }),
    from: 'ledger_transactions t where t.user_id = $1',
    order: [
      { sql: 't.due_at', type: 'timestamptz' },
      { sql: 't.id', type: 'bigint' },
    ],
  },
  {
    name: 'credits',
    about: DATA_EXPORT_MESSAGES.credits,
    // Remaining amounts as in the ledger, where a credit that has just expired remains until its expiry is posted.
    // Excludes the referred user and the IP address.
    columns: columns('c', {
      id: 'number',
      credit_type: 'text',
      amount_usd: ['amount', 'c.amount_micros'],
      remaining_usd: ['amount', 'c.remaining_micros'],
      lapsed_usd: ['amount', 'c.lapsed_micros'],
      granted_at: 'instant',
      expires_at: 'instant',
      expired_at: 'instant',
    }),
    from: 'credits c where c.user_id = $1',
    order: [{ sql: 'c.id', type: 'integer' }],
  },
  {
    name: 'deployments',
    about: DATA_EXPORT_MESSAGES.deployments,
    columns: columns('d', {
      id: 'number',
      client_name: 'text',
      client_id: 'text',
      package: 'text',
      server_type: 'text',
      cloud_provider: 'text',
      region: 'text',
      instance_type: 'text',
      support_level: 'number',
      instance_hourly_usd: ['amount', 'd.instance_hourly_micros'],
      status: 'text',
      instance_ip: host('d.instance_ip'),
      vps_ip_address: host('d.vps_ip_address'),
      domain: 'text',
      admin_subdomain: 'text',
      static_page_subdomain: 'text',
      komodo_host_ip: host('d.komodo_host_ip'),
      config: 'json',
      user_ssh_key: 'text',
      postgres_host: 'text',
      postgres_user: 'text',
      github_repo: 'text',
      billable_from: 'instant',
      billable_to: 'instant',
      created_at: 'instant',
      updated_at: 'instant',
      deleted_at: 'instant',
    }),
    from: 'deployments d where d.user_id = $1',
    order: [{ sql: 'd.id', type: 'integer' }],
  },
  {
    name: 'ssh_keys',
    about: DATA_EXPORT_MESSAGES.ssh_keys,
    columns: columns('k', {
      id: 'number',
      deployment_id: 'number',
      name: 'text',
      public_key: 'text',
      fingerprint: 'text',
      added_at: 'instant',
    }),
    from: 'deployment_ssh_keys k join deployments d on d.id = k.deployment_id where d.user_id = $1',
    order: [{ sql: 'k.id', type: 'integer' }],
  },
  {
    name: 'sessions',
    about: DATA_EXPORT_MESSAGES.sessions,
    // Excludes the id, which is part of the token.
    columns: columns('s', {
      id: ['number', 's.number'],
      created_at: 'instant',
      last_used_at: 'instant',
      expires_at: 'instant',
      ended_at: 'instant',
      ip_address: host('s.ip_address'),
      user_agent: 'text',
    }),
    from: 'sessions s where s.user_id = $1',
    order: [{ sql: 's.number', type: 'integer' }],
  },
  {
    name: 'sign_ins',
    about: DATA_EXPORT_MESSAGES.sign_ins,
    columns: columns('s', {
      id: 'number',
      at: 'instant',
      kind: 'text',
      ip_address: host('s.ip_address'),
      user_agent: 'text',
    }),
    from: 'sign_ins s where s.user_id = $1',
    order: [{ sql: 's.id', type: 'bigint' }],
  },
  {
    name: 'api_tokens',
    about: DATA_EXPORT_MESSAGES.api_tokens,
    columns: columns('t', {
      id: 'number',
      label: 'text',
      scope: 'text',
      created_at: 'instant',
      last_used_at: 'instant',
      expires_at: 'instant',
      revoked_at: 'instant',
      networks: ['text', "array_to_string(t.networks, ' ')"],
    }),
    from: `user_tokens t where t.user_id = $1 and t.purpose = 'api_token'`,
    order: [{ sql: 't.id', type: 'integer' }],
  },
  {
    name: 'mails',
    about: DATA_EXPORT_MESSAGES.mails,
    columns: columns('m', {
      id: 'number',
      to: ['text', 'm.recipient'],
      kind: ['text', 'm.template'],
      language: 'text',
      created_at: 'instant',
      sent_at: 'instant',
    }),
    // The address may have belonged to another account before this account was created.
    from: `mails m where m.recipient = (select email from users where id = $1)
      and m.created_at >= (select created_at from users where id = $1)`,
    order: [{ sql: 'm.id', type: 'bigint' }],
  },
  {
    name: 'support_messages',
    about: DATA_EXPORT_MESSAGES.support_messages,
    columns: columns('m', {
      id: 'number',
      kind: 'text',
      name: 'text',
      email: 'text',
      subject: 'text',
      message: 'text',
      ip_address: host('m.ip_address'),
      created_at: 'instant',
      state: 'text',
      deployment_id: 'number',
      context: 'json',
    }),
    from: 'support_messages m where m.user_id = $1',
    order: [{ sql: 'm.id', type: 'integer' }],
  },
  {
    name: 'support_replies',
    about: DATA_EXPORT_MESSAGES.support_replies,
    // Excludes names and notes of support staff.
    columns: columns('e', {
      id: 'number',
      conversation_id: 'number',
      by: 'text',
      what: 'text',
      message: 'text',
      created_at: 'instant',
    }),
    from: `support_entries e join support_messages m on m.id = e.conversation_id where m.user_id = $1 and e.what <> 'note'`,
    order: [{ sql: 'e.id', type: 'integer' }],
  },
  {
    name: 'payments',
    about: DATA_EXPORT_MESSAGES.payments,
    columns: columns('p', {
      id: 'text',
      kind: 'text',
      amount_usd: ['cents', 'p.amount_cents'],
      status: 'text',
      test_mode: 'flag',
      created_at: 'instant',
      paid_at: 'instant',
    }),
    from: 'checkout_sessions p where p.user_id = $1',
    order: [
      { sql: 'p.created_at', type: 'timestamptz' },
      { sql: 'p.id', type: 'text' },
    ],
  },
  {
    name: 'billing_details',
    about: DATA_EXPORT_MESSAGES.billing_details,
    columns: columns('b', {
      name: 'text',
      lines: 'json',
      postal_code: 'text',
      city: 'text',
      country: 'text',
      tax_id: 'text',
      changed_at: 'instant',
    }),
    from: 'billing_details b where b.user_id = $1',
    order: [{ sql: 'b.user_id', type: 'integer' }],
  },
  {
    name: 'billing_documents',
    about: DATA_EXPORT_MESSAGES.billing_documents,
    columns: columns('b', {
      id: 'number',
      kind: 'text',
      number: 'text',
      issued_at: 'instant',
      amount_usd: ['amount', 'b.amount_micros'],
      month: ['text', `to_char(b.month, 'YYYY-MM')`],
      facts: 'json',
    }),
    from: 'billing_documents b where b.user_id = $1',
    order: [{ sql: 'b.id', type: 'bigint' }],
  },
  {
    name: 'saved_cards',
    about: DATA_EXPORT_MESSAGES.saved_cards,
    // Excludes the payment provider's ids.
    columns: columns('c', {
      brand: 'text',
      last4: 'text',
      exp_month: 'number',
      exp_year: 'number',
      test_mode: 'flag',
      saved_at: 'instant',
    }),
    from: 'saved_cards c where c.user_id = $1',
    order: [{ sql: 'c.user_id', type: 'integer' }],
  },
  {
    name: 'automatic_top_up',
    about: DATA_EXPORT_MESSAGES.automatic_top_up,
    columns: columns('t', {
      enabled: 'flag',
      threshold_usd: ['amount', 't.threshold_micros'],
      threshold_days: 'number',
      amount_usd: ['cents', 't.amount_cents'],
      month_cap_usd: ['cents', 't.month_cap_cents'],
      off_reason: 'text',
      changed_at: 'instant',
    }),
    from: 'automatic_top_ups t where t.user_id = $1',
    order: [{ sql: 't.user_id', type: 'integer' }],
  },
];

export interface Limits {
  readonly page_rows: number;
  readonly list_rows_max: number;
}

type Row = Readonly<Record<string, unknown>>;

/** Passes on the newest rows of a list page by page. Returns false if there are more rows than the limit. */
export async function readList(
  tx: Tx,
  { columns, from, order }: ExportList,
  { userId, limits, signal }: { userId: number; limits: Limits; signal: AbortSignal },
  take: (rows: readonly (readonly Shown[])[]) => void,
): Promise<boolean> {
  const places = order.map(({ sql }, index) => `${sql}::text as place_${index}`);
  const after = `and (${order.map(({ sql }) => sql).join(', ')}) < (${order.map(({ type }, index) => `$${index + 2}::${type}`).join(', ')})`;
  const page = (last: Row | undefined): Promise<Row[]> =>
    tx.query<Row>(
      `select ${[...columns.map(selected), ...places].join(', ')} from ${from} ${last === undefined ? '' : after}
       order by ${order.map(({ sql }) => `${sql} desc`).join(', ')} limit ${limits.page_rows}`,
      [userId, ...(last === undefined ? [] : order.map((_, index) => last[`place_${index}`] as SqlValue))],
    );
  let room = limits.list_rows_max;
  for (let last: Row | undefined; ;) {
    signal.throwIfAborted();
    const rows = await page(last);
    take(rows.slice(0, room).map((row) => shownRow(columns, row)));
    if (rows.length > room) return false;
    if (rows.length < limits.page_rows) return true;
    room -= rows.length;
    last = rows.at(-1);
  }
}

export const selected = ({ name, sql }: Column): string => `${sql} as "${name}"`;

export function shownRow(columns: readonly Column[], row: Row): readonly Shown[] {
  return columns.map(({ name, kind }) => shown(kind, row[name] as Shown));
}

function shown(kind: Kind, value: Shown): Shown {
  if (value === null) return null;
  switch (kind) {
    case 'number':
      // PostgreSQL returns a bigint as text.
      return Number(value);
    case 'instant':
      return iso(value as number);
    case 'amount':
      return Money.fromMicrosText(value as string).toDecimal();
    case 'cents':
      return Money.ofCents(value as number).toDecimal();
    case 'text':
    case 'flag':
    case 'json':
      return value;
  }
}
