import {
  CERTIFICATE_MESSAGES,
  BACKUP_MESSAGES,
  REMEDY_MESSAGES,
  HISTORY_MESSAGES,
  ENDED_INCIDENT_MESSAGES,
  INCIDENT_MESSAGES,
  type Language,
  MAIL_KINDS,
  STEP_MESSAGES,
} from '@moorage/domain';
import { type Brand, type MailFacts, type MailName, SERVER_TEXTS } from '@moorage/texts/server';
import { MAIL_KIND_OF, withoutChosen } from '@moorage/api/mail/mail-rules';
import { type RenderedMail, renderMail } from '@moorage/api/mail/render-mail';

const username = 'jane';
const token = 'Zm9yLWV4YW1wbGUtb25seQ0123456789';
const client_name = 'jane-pangolin-123456';
const ends_at = '2026-12-05T01:00:00.000Z';
/** End of a balance at a time of day that is not a whole number of days before it. */
const end = {
  at: '2026-11-28T01:37:00.000Z',
  ends_at: '2026-12-02T00:00:00.000Z',
  top_ups: [{ amount_micros: '17310000', runs_until: '2026-12-09T00:00:00.000Z' }],
};
const credit = { amount_micros: '4990000', currency: 'EUR', ends_at };
const writing = {
  name: 'Jane Doe',
  email: 'jane@example.com',
  user_id: 7,
  subject: 'Invoice',
  conversation_id: 12,
  level: 2,
  due_at: ends_at,
  deployment: { id: 7, client_name, status: 'READY' },
} as const;

/** Sample facts of every email. */
const SAMPLE_FACTS: { readonly [N in keyof MailFacts]: MailFacts[N] } = {
  verify_email: { username, token },
  reset_password: { username, token },
  password_changed: { username },
  confirm_email: { username, token },
  email_changed: { username, email: 'jane.doe@example.com' },
  two_factor_on: { username },
  two_factor_off: { username },
  recovery_code_used: { username, left: 9 },
  recovery_codes_renewed: { username },
  support_acted: {
    username,
    act: HISTORY_MESSAGES.deployment_domain_changed,
    deployment: 'Shop',
    reason: 'You asked us to in your message of Tuesday.',
  },
  code_refused: { username, paused: false },
  api_token_made: {
    username,
    label: 'Backup script',
    writes: true,
    administers: false,
    ends_at: '2027-03-01T10:00:00.000Z',
  },
  api_token_network: { username, label: 'Backup script', network: '203.0.113.0/24', at: '2026-12-01T10:00:00.000Z' },
  account_made: { username, token },
  account_deactivated: { username },
  account_reactivated: { username },
  administrator_on: { username },
  administrator_off: { username },
  deployments_removed: { username, count: 2, backups_until: ends_at },
  export_ready: { username, days: 7 },
  welcome: { username },
  free_credits_granted: { username, ...credit },
  free_credits_code: { code: 'FREE-7KQ2-M4XW', ...credit },
  free_credits_rejected: { reason: 'Free credits are for people who have not used Moorage before.' },
  referral_approved: { username, other: 'rita', ...credit },
  free_credits_request: {
    email: 'vera@example.com',
    user_id: null,
    message: 'I would like to try Pangolin before I pay.\n\nIt is for a club of twenty people.',
  },
  payment_received: { amount_micros: '20000000', end },
  payment_refunded: { amount_micros: '20000000', owed_micros: '1250000', end },
  payment_refund_failed: { amount_micros: '20000000' },
  payment_disputed: { amount_micros: '20000000', owed_micros: '0', won: false, end },
  deployment_running: {
    deployment_id: 7,
    client_name,
    package: 'pangolin',
    sign_in: [
      {
        title: { en: 'Dashboard', de: 'Dashboard' },
        address: 'https://pangolin.example.com/auth/initial-setup',
        user: 'jane@example.com',
      },
      { title: { en: 'Logs', de: 'Protokolle' }, address: 'https://logs.example.com/', user: null },
    ],
  },
  deployment_dns_failed: { deployment_id: 7, client_name, reason: STEP_MESSAGES.cloud_capacity },
  deployment_certificate_refused: {
    deployment_id: 7,
    client_name,
    reason: CERTIFICATE_MESSAGES.refused_rate({ host: 'admin.example.com' }),
  },
  deployment_failed: { deployment_id: 7, client_name, reason: STEP_MESSAGES.cloud_capacity },
  backup_failed: {
    deployment_id: 7,
    client_name,
    kind: 'scheduled',
    reason: BACKUP_MESSAGES.disk_full({ free: 310, needed: 2_048 }),
  },
  backup_bucket_failed: {
    deployment_id: 7,
    client_name,
    bucket: 'janes-backups',
    reason: BACKUP_MESSAGES.bucket_refused,
  },
  backup_quota_exceeded: {
    deployment_id: 7,
    client_name,
    used_bytes: 21_400_000_000,
    quota_bytes: 20_000_000_000,
  },
  backup_damaged: { deployment_id: 7, client_name, reason: BACKUP_MESSAGES.copy_damaged },
  deployment_restored: { deployment_id: 7, client_name, taken_at: ends_at, undo_until: '2026-12-07T09:30:00.000Z' },
  deployment_restore_failed: {
    deployment_id: 7,
    client_name,
    is_undo: false,
    reason: BACKUP_MESSAGES.restored_unhealthy,
  },
  deployment_moved: { deployment_id: 8, client_name, remove_at: '2026-12-07T09:30:00.000Z' },
  deployment_move_failed: { deployment_id: 7, client_name, reason: STEP_MESSAGES.cloud_capacity },
  deployment_address_changed: {
    deployment_id: 7,
    client_name,
    from: '203.0.113.41',
    to: '203.0.113.77',
    hosts: ['pangolin.example.com', 'logs.example.com'],
  },
  deployment_updated: { deployment_id: 7, client_name, from: '1.24.0', to: '1.25.0', is_automatic: true },
  deployment_update_failed: {
    deployment_id: 7,
    client_name,
    from: '1.24.0',
    to: '1.25.0',
    outcome: 'undone',
    is_automatic: true,
    rollout: 'stopped',
    reason: STEP_MESSAGES.cloud_capacity,
  },
  versions_available: {
    count: 3,
    security: 1,
    offers: [
      {
        deployment_id: 7,
        client_name,
        package_name: 'Pangolin',
        from: '1.24.0',
        to: '1.24.1',
        kind: 'patch',
        security_in: '1.24.2',
        change: { en: 'Traefik 3.7.14 with its bug fixes.', de: 'Traefik 3.7.14 mit Fehlerbehebungen.' },
      },
      {
        deployment_id: 8,
        client_name,
        package_name: 'Komodo',
        from: '2.3.2',
        to: '2.4.0',
        kind: 'minor',
        security_in: null,
        change: { en: 'New overview of servers', de: 'Neue Übersicht der Server' },
      },
    ],
  },
  version_support_ends: {
    deployment_id: 7,
    client_name,
    package_name: 'Pangolin',
    version: '1.24.0',
    until: '2027-03-03',
    has_ended: false,
    next: '1.25.0',
  },
  deployment_incident: {
    deployment_id: 7,
    client_name,
    from: ends_at,
    what: INCIDENT_MESSAGES.server_off({ provider: 'Hetzner' }),
    remedy: REMEDY_MESSAGES.server_off({ provider: 'Hetzner' }),
  },
  deployment_incident_ended: {
    deployment_id: 7,
    client_name,
    from: ends_at,
    to: '2026-12-05T01:25:00.000Z',
    what: ENDED_INCIDENT_MESSAGES.down,
  },
  automatic_top_up_changed: {
    username,
    enabled: true,
    threshold: { kind: 'days', days: 3 },
    amount_micros: '10000000',
    cap_micros: '100000000',
    card: { brand: 'visa', last4: '4242' },
  },
  automatic_top_up_stopped: { reason: 'declined', brand: 'visa', last4: '4242', end },
  automatic_top_up_cap: { username, cap_micros: '100000000', end },
  card_saved: { username, brand: 'visa', last4: '4242' },
  balance_low: { ...end, client_name, more: 1, locked_micros: '4990000', backup_days: 7 },
  support_message: { ...writing, message: 'Good morning,\n\nwhere are my invoices?\nThank you!' },
  package_request: {
    ...writing,
    subject: 'Vaultwarden',
    message: 'We would like to keep our passwords ourselves.',
    deployment: null,
  },
  support_reply: { ...writing, message: 'I have found them.' },
  support_due: { ...writing, message: '' },
  support_received: { conversation_id: 12, token: null, subject: 'Invoice', due_at: ends_at },
  support_answered: {
    conversation_id: 12,
    token: `k1.${token}`,
    subject: 'Invoice',
    message: 'Hello Jane,\n\nyour invoices are on the page of your account.\n\nSam',
  },
  grace_period_started: {
    client_name,
    amount_micros: '854401',
    available_micros: '849999',
    ends_at,
    locked_micros: '4990000',
    backup_days: 7,
    at: end.at,
    top_ups: [
      { amount_micros: '5100000', runs_until: '2026-12-06T00:00:00.000Z' },
      { amount_micros: '53100000', runs_until: '2026-12-13T00:00:00.000Z' },
    ],
  },
  balance_depleted: {
    client_name,
    amount_micros: '854401',
    due_at: '2026-12-05T00:00:00.000Z',
    locked_micros: '0',
    backup: { deployment_id: 7, until: '2026-12-12T01:00:00.000Z' },
  },
  operator_alert: {
    kind: 'provider_silent',
    alerts: [{ subject: 'hetzner', since: ends_at, facts: { failures: 7, last_error: 'connect ETIMEDOUT' } }],
    more: 1,
  },
  books_sealed: {
    day: '2026-12-04',
    accounts: 1204,
    through_id: '80311',
    hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    sealed_at: ends_at,
  },
};

/** Renders every email in a language. */
export function sampleMails(language: Language, brand: Brand): (RenderedMail & { readonly name: MailName })[] {
  return (Object.keys(SAMPLE_FACTS) as MailName[]).map((name) => ({ name, ...sampleMail(name, language, brand) }));
}

/** Renders every email in a language with this text in place of each fact that a user may have written. */
export function writtenMails(language: Language, brand: Brand, text: string): (RenderedMail & { name: MailName })[] {
  return (Object.keys(SAMPLE_FACTS) as MailName[]).map((name) => {
    const isWritten = (key: string) =>
      WRITTEN.has(key) || (key === 'reason' && ['free_credits_rejected', 'support_acted'].includes(name));
    const replaced = (key: string, value: unknown) => (typeof value === 'string' && isWritten(key) ? text : value);
    const facts = JSON.parse(JSON.stringify(SAMPLE_FACTS[name]), replaced) as MailFacts[MailName];
    return { name, ...sampleMail(name, language, brand, facts) };
  });
}

const CHOSEN = 'username name email subject client_name deployment label other'.split(' ');
const WRITTEN = new Set([...CHOSEN, ...'user message package last_error detail'.split(' ')]);

/**
 * Renders every email to users as sent to an unconfirmed address, with `text` in place of all facts that a stranger can
 * choose.
 */
export function unconfirmedMails(
  language: Language,
  brand: Brand,
  text: string,
): (RenderedMail & { name: MailName })[] {
  const names = (Object.keys(SAMPLE_FACTS) as MailName[]).filter((name) => MAIL_KIND_OF[name] !== null);
  return names.map((name) => {
    const replaced = (key: string, value: unknown) =>
      typeof value === 'string' && (CHOSEN.includes(key) || /\.example\.com/.test(value)) ? text : value;
    const facts = JSON.parse(JSON.stringify(SAMPLE_FACTS[name]), replaced) as MailFacts[MailName];
    return { name, ...sampleMail(name, language, brand, withoutChosen(facts)) };
  });
}

function sampleMail<N extends MailName>(
  name: N,
  language: Language,
  brand: Brand,
  facts: MailFacts[N] = SAMPLE_FACTS[name],
): RenderedMail {
  const kind = MAIL_KIND_OF[name];
  const unsubscribeUrl =
    kind !== null && MAIL_KINDS[kind].canChange ? `${brand.publicUrl}/unsubscribe?token=k1.${token}` : null;
  return renderMail(SERVER_TEXTS[language].mails[name](facts, brand), { brand, language, unsubscribeUrl });
}
