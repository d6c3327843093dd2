/** Examples of the API description. They show one customer with one deployment. All keys and tokens are made up. */

const CLIENT_NAME = 'jane-example-600710';

export const NEW_DEPLOYMENT_EXAMPLE = {
  package: 'example-package',
  server_type: 'new',
  cloud_provider: 'hetzner',
  region: 'fsn1',
  instance_type: 'cpx22',
  support_level: 1,
  domain: 'example.com',
  admin_email: 'jane@example.com',
  expected_hourly_cost: 0.0356,
};

export const FURTHER_DOMAIN_EXAMPLE = {
  id: 7,
  host: 'www.example.com',
  kind: 'redirect',
  state: 'record_missing',
  record: { type: 'A', value: '203.0.113.24', right: false, reason: null },
  certificate: null,
  failure: null,
  added_at: '2026-11-30T10:24:12.710Z',
  checked_at: '2026-11-30T10:24:20.100Z',
} as const;

export const DEPLOYMENT_EXAMPLE = {
  id: 42,
  client_name: CLIENT_NAME,
  client_id: 'janeexample600710',
  package: 'example-package',
  cloud_provider: 'hetzner',
  region: 'fsn1',
  instance_type: 'cpx22',
  server_type: 'new',
  support_level: 1,
  vps_ip_address: null,
  instance_ip: '203.0.113.24',
  komodo_host_ip: null,
  domain: 'example.com',
  admin_subdomain: 'admin',
  static_page_subdomain: null,
  status: 'READY',
  status_label: 'Ready',
  failure_reason: null,
  failure: null,
  access_link: 'https://admin.example.com',
  open_link: null,
  sign_in: [
    {
      title: 'Dashboard',
      title_texts: { en: 'Dashboard', de: 'Oberfläche' },
      address: 'https://admin.example.com/',
      open_link: null,
      user: 'jane@example.com',
      password: 'ADMIN_PASSWORD',
      token: null,
    },
  ],
  actions: ['restart', 'deactivate', 'change_level', 'manage_domains', 'move', 'clone'],
  locked_reason: null,
  hourly_cost: 0.0356,
  daily_cost: 0.8544,
  created_at: '2026-11-30T10:24:12.710Z',
  updated_at: '2026-11-30T10:30:00.840Z',
  deleted_at: null,
  grace_period_ends_at: null,
  deletion_locked: false,
  cancelling: false,
  undo_until: null,
  move: null,
  ended: null,
  ran: { from: '2026-11-30T10:26:41.827Z', to: null, cost: 0.4984 },
  incidents: [],
  reachability: {
    state: 'reachable',
    since: '2026-11-30T10:30:00.840Z',
    checked_at: '2026-11-30T10:58:03.112Z',
  },
  worst_incident: null,
  server_unseen_since: null,
  progress: null,
  sandbox: false,
  version: 4,
  user_id: 7,
  postgres_host: null,
  postgres_user: null,
  postgres_password: { set: false },
  github_repo: null,
};

export const MOVE_EXAMPLE = {
  server_type: 'new',
  cloud_provider: 'hetzner',
  region: 'nbg1',
  instance_type: 'cpx32',
  expected_hourly_cost: 0.0603,
};

const CHECKOUT_SESSION_ID = 'cs_live_example0example0example0example0';

export const CHECKOUT_EXAMPLE = { amount_cents: 2_500, save_card: false };

export const CHECKOUT_CREATED_EXAMPLE = {
  url: `https://checkout.stripe.com/c/pay/${CHECKOUT_SESSION_ID}`,
  session_id: CHECKOUT_SESSION_ID,
};

export const CHECKOUT_STATUS_EXAMPLE = { status: 'paid', amount_cents: 2_500, test_mode: false };

export const BALANCE_EXAMPLE = {
  total_balance: 4.5016,
  regular_balance: 4.5016,
  referral_credits: 0,
  signup_credits: 0,
  available_balance: 4.5016,
  owed: 0,
};

const STOP = { deployment_id: 42, client_name: CLIENT_NAME };

function runwayDay(date: string, total: number, charged: number) {
  return { date, regular: total, referral: 0, signup: 0, total, charged, lasts: charged > 0 };
}

export const RUNWAY_EXAMPLE = {
  ends_at: '2026-12-06T00:00:00.000Z',
  stops_first: STOP,
  stops: [STOP],
  level: 'week',
  daily_cost: 0.8544,
  running: 1,
  starting: 0,
  days: [
    runwayDay('2026-11-30', 4.5016, 0.4984),
    runwayDay('2026-12-01', 3.6472, 0.8544),
    runwayDay('2026-12-02', 2.7928, 0.8544),
    runwayDay('2026-12-03', 1.9384, 0.8544),
    runwayDay('2026-12-04', 1.084, 0.8544),
    runwayDay('2026-12-05', 0.2296, 0.8544),
    ...['06', '07', '08', '09', '10', '11', '12', '13'].map((day) => runwayDay(`2026-12-${day}`, 0.2296, 0)),
  ],
  grace_periods: [],
  saving: { amount: 5.76, runs_until: '2026-12-13T00:00:00.000Z' },
  longer: null,
  keep_until: null,
  locked_credits: 0,
  locked_now: 0,
  unlock_needs: 0,
  unlock_balance: 5,
  order_today: null,
  order_refusal: null,
  now: '2026-11-30T11:00:00.936Z',
};

export const SUPPORT_REPLY_EXAMPLE = { message: 'The second domain, example.org, is now set up.' };

export const CONVERSATION_EXAMPLE = {
  id: 12,
  kind: 'contact',
  subject: 'Second domain',
  state: 'answered',
  created_at: '2026-11-30T11:04:01.026Z',
  last_at: '2026-11-30T13:20:44.310Z',
  due_at: null,
  deployment: { id: 42, client_name: CLIENT_NAME },
  email: 'jane@example.com',
  entries: [
    {
      id: 0,
      by: 'person',
      what: 'message',
      message: 'Hello,\n\nHow do I add a second domain?',
      at: '2026-11-30T11:04:01.026Z',
    },
    {
      id: 31,
      by: 'support',
      what: 'message',
      message: 'Hello Jane,\n\nWhich domain would you like to add?',
      at: '2026-11-30T13:20:44.310Z',
    },
  ],
  is_full: false,
};

export const USER_EXAMPLE = {
  id: 7,
  username: 'jane',
  email: 'jane@example.com',
  pending_email: null,
  email_undeliverable: false,
  is_admin: false,
  is_verified: true,
  has_two_factor: false,
  language: 'en',
  balance: 4.5016,
  created_at: '2026-11-28T09:12:30.073Z',
};

export const NEW_API_TOKEN_EXAMPLE = { label: 'Status page', scope: 'read', expires_in_days: 90 };

export const API_TOKEN_EXAMPLE = {
  id: 3,
  label: 'Status page',
  scope: 'read',
  created_at: '2026-11-30T11:10:01.180Z',
  expires_at: '2027-02-28T11:10:01.180Z',
  last_used_at: null,
};

export const API_TOKEN_CREATED_EXAMPLE = { ...API_TOKEN_EXAMPLE, token: 'mrg_ExampleExampleExampleExampleExam' };

export const BACKUP_EXAMPLE = {
  id: 118,
  kind: 'scheduled',
  state: 'complete',
  requested_at: '2026-11-30T02:10:00.000Z',
  started_at: '2026-11-30T02:10:04.215Z',
  finished_at: '2026-11-30T02:11:37.902Z',
  failure: null,
  retry_at: null,
  bytes: 1_200_000_000,
  added_bytes: 18_400_000,
  files: 2_154,
  dumps: [{ name: 'database', bytes: 4_210_688 }],
  percent: null,
  bytes_done: null,
  removed_at: null,
  removed_because: null,
  restorable: true,
  release: '1.24.0',
  is_withdrawn: false,
};

export const SSH_KEY_EXAMPLE = {
  id: 3,
  name: 'jane@laptop',
  type: 'ssh-ed25519',
  fingerprint: 'SHA256:n0Kx1Zc0p3bQy7d4mM2w8eVhT6uYrJ5sLf9gAqXoBtE',
  added_at: '2026-11-29T10:00:00.000Z',
};
