import { type AlertKind, alertTitle } from './alert';
import { type Message, messageTable, named } from './message';

/** Recommended action for each kind of alert. docs/operating.md has the details. */
export const ALERT_ADVICE = messageTable('alert_advice', {
  books_breached: 'Read the findings in audit_findings, correct them by postings, and run "ops billing:audit".',
  books_unproven: 'Compare the findings with the seals and the ledger. The next nightly proof resolves the alert.',
  account_unsettled: "The accounts are in billing_failures, the error is in billing's log. Settling is retried.",
  grace_period_overdue: 'Check that billing runs, and read billing_failures. Hosting is unpaid until then.',
  daily_run_late: "Check that billing runs. Its log names the accounts that can't be charged.",
  audit_late: 'Run "ops billing:audit" and read why it fails.',
  proof_late: 'Read in billing\'s log why the proof fails, then run "ops billing:audit".',
  watch_late: 'Start billing. Until then, no other check of stuck work runs.',
  event_unsent: 'Check that the API or billing runs. The log of the relay has the reason.',
  event_missing: 'The sweep delivers them within a minute. If this stays, check that the sweep runs.',
  delivery_unhandled: 'Check that the service runs. The column last_error of the delivery has the reason.',
  delivery_parked: 'List them with "ops parked:list", then retry or skip each.',
  work_overdue: 'Check that the service for this work runs and has free workers.',
  deployment_stuck: "Read the deployment's activity and the log of the provisioner.",
  mail_unsent: 'Check the mail server and its answers. Sending is retried for three days.',
  database_short: 'Add disk space, memory or connections to the database.',
  provider_distrusted: "Check the provider's status page and the project of our credentials on the Providers page.",
  provider_silent: "Check the provider's status page. No server is declared lost meanwhile.",
  provider_quota: 'Ask the provider for a higher limit, or remove servers that are not needed.',
  provider_refused: 'Renew the credentials or their rights on the Providers page.',
  place_refused: 'Allow the region or size at the provider. It is tried again after an hour.',
  provider_rules: 'Find out who changed the firewall at the provider. Our rules are repaired automatically.',
  payment_differences: 'Look up each difference at the payment provider, and settle it on the Payments page.',
  payment_disputed: "Answer the dispute in the payment provider's dashboard before its deadline.",
  refund_not_made: 'Check at the payment provider whether the refund was made. If not, request it again.',
  closed_account_paid: 'Refund the payment, or reactivate the account.',
  server_reappeared: 'Decide for each server whether its deployment gets it back. Nothing is deleted automatically.',
  server_without_owner: 'Remove each server, or keep it with a reason, on the Providers page.',
  leaks_cost: 'Decide about each resource on the Providers page.',
  nothing_answers: "Check the provisioner's internet connection first, then the providers' status pages.",
  backups_stale: 'Read the reason for each deployment. If there are many, check the backup storage.',
  backup_target: 'Check the address, the credentials and the free space of the backup storage.',
  backup_damaged: 'Take a new backup and test it. Then check the disks of the backup storage.',
  backup_strange: 'Treat the server as compromised. Our own copies are not affected.',
  release_stopped: 'Read why the updates failed, then continue or withdraw the version on the Releases page.',
  image_newer: 'Read the release notes, and add a release of the package with the newer image.',
  image_withdrawn: 'Add a release with an image that exists, and withdraw the old one on the Releases page.',
  platform_dns: "Check the key and the zone of the platform domain. New names don't work until then.",
  platform_certificates: 'Ask the certificate authority for a higher limit.',
  image_moved: 'Ask the authors of the image, and pin its digest if in doubt.',
});

/** Returns the title of an alert as a message. */
export const alertMessage = (kind: string): Message => named(`alert.${kind}`, alertTitle(kind));

/** Returns the recommended action for an alert, or null if another version of the product raised it. */
export function alertAdvice(kind: string): Message | null {
  return Object.hasOwn(ALERT_ADVICE, kind) ? ALERT_ADVICE[kind as AlertKind] : null;
}
