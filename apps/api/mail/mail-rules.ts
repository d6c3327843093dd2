import type { MailKind } from '@moorage/domain';
import type { MailName, MailReason } from '@moorage/texts/server';

/**
 * Facts chosen by users, with their replacements in emails to unconfirmed addresses. A stranger may have entered the
 * address and the text, and our emails must not deliver them.
 */
const CHOSEN_FACTS: Readonly<Record<string, unknown>> = {
  username: null,
  subject: null,
  client_name: '…',
  deployment: '…',
  label: '…',
  other: '…',
  email: '…',
  hosts: [],
  offers: [],
  sign_in: [],
};

export function withoutChosen<F extends object>(facts: F): F {
  const neutral = Object.entries(CHOSEN_FACTS).filter(([fact]) => fact in facts);
  const { reason = null } = facts as { readonly reason?: MailReason };
  // A reason may name a domain. The page that the email links to shows it.
  const hasNames = reason !== null && typeof reason === 'object' && Object.keys(reason.facts).length > 0;
  return { ...facts, ...Object.fromEntries(neutral), ...(hasNames ? { reason: null } : {}) };
}

/**
 * Emails that any visitor can cause by entering an address. They are dropped above the limit, because they can be
 * requested again.
 */
export const REQUESTED_MAILS: ReadonlySet<MailName> = new Set([
  'verify_email',
  'confirm_email',
  'reset_password',
  'support_received',
]);

/** Kind of each email for its reader (`MAIL_KINDS`), or null for emails to operators or support. */
export const MAIL_KIND_OF: Readonly<Record<MailName, MailKind | null>> = {
  verify_email: 'security',
  reset_password: 'security',
  password_changed: 'security',
  confirm_email: 'security',
  email_changed: 'security',
  two_factor_on: 'security',
  two_factor_off: 'security',
  recovery_code_used: 'security',
  recovery_codes_renewed: 'security',
  support_acted: 'security',
  code_refused: 'security',
  api_token_made: 'security',
  api_token_network: 'security',
  account_made: 'security',
  account_deactivated: 'security',
  account_reactivated: 'security',
  administrator_on: 'security',
  administrator_off: 'security',
  deployments_removed: 'security',
  export_ready: 'security',
  welcome: 'getting_started',
  free_credits_granted: 'money',
  free_credits_code: 'money',
  free_credits_rejected: 'money',
  referral_approved: 'money',
  free_credits_request: null,
  payment_received: 'money',
  payment_refunded: 'money',
  payment_refund_failed: 'money',
  payment_disputed: 'money',
  automatic_top_up_changed: 'money',
  automatic_top_up_stopped: 'money',
  automatic_top_up_cap: 'money',
  card_saved: 'money',
  balance_low: 'money',
  grace_period_started: 'money',
  balance_depleted: 'money',
  deployment_running: 'deployment_ready',
  deployment_dns_failed: 'deployment_trouble',
  deployment_certificate_refused: 'deployment_trouble',
  deployment_failed: 'deployment_trouble',
  backup_failed: 'deployment_trouble',
  backup_bucket_failed: 'deployment_trouble',
  backup_quota_exceeded: 'deployment_trouble',
  backup_damaged: 'deployment_trouble',
  deployment_restored: 'deployment_ready',
  deployment_moved: 'deployment_ready',
  deployment_move_failed: 'deployment_trouble',
  deployment_restore_failed: 'deployment_trouble',
  deployment_address_changed: 'deployment_trouble',
  deployment_updated: 'deployment_updates',
  versions_available: 'deployment_updates',
  version_support_ends: 'deployment_updates',
  deployment_update_failed: 'deployment_trouble',
  deployment_incident: 'deployment_trouble',
  deployment_incident_ended: 'deployment_trouble',
  support_message: null,
  package_request: null,
  support_reply: null,
  support_due: null,
  support_received: 'support',
  support_answered: 'support',
  operator_alert: null,
  books_sealed: null,
};
