/**
 * Alerts to operators by kind. docs/how-to-add.md lists what a new kind needs. docs/operating.md describes the
 * response to each.
 */
export const ALERT_MESSAGES = {
  books_breached: 'The ledger does not balance.',
  books_unproven: 'The ledger does not match the facts it was booked from.',
  account_unsettled: "Accounts can't be settled.",
  grace_period_overdue: 'Grace periods are still open long after their end.',
  daily_run_late: 'The daily charge run is late.',
  audit_late: 'The nightly ledger audit is late.',
  proof_late: 'The nightly ledger proof is late.',
  watch_late: 'Billing no longer checks for stuck work.',
  event_unsent: 'Events are not being sent.',
  event_missing: 'Sent events have not arrived.',
  delivery_unhandled: 'Deliveries are not being handled.',
  delivery_parked: 'Deliveries are parked.',
  work_overdue: 'Overdue work is not being picked up.',
  deployment_stuck: 'Deployments are stuck.',
  mail_unsent: 'Emails are not being sent.',
  database_short: 'The database ran out of disk, memory or connections.',
  provider_distrusted: "A provider's responses can't be trusted.",
  provider_silent: 'A provider is not responding.',
  provider_quota: 'Our account at a provider has reached a limit.',
  provider_refused: 'A provider rejects our credentials.',
  place_refused: "A provider doesn't allow us to create servers in a region.",
  provider_rules: 'Firewall rules at a provider were incorrect.',
  payment_differences: "The payment provider's records and our ledger differ.",
  payment_disputed: 'Payments are disputed and need a response.',
  refund_not_made: 'Refunds failed.',
  closed_account_paid: 'Closed accounts received payments.',
  server_reappeared: 'Lost servers have reappeared.',
  server_without_owner: 'Servers at a provider belong to no deployment.',
  leaks_cost: 'Resources at providers cost money but belong to no deployment.',
  nothing_answers: 'No deployment is responding.',
  backups_stale: 'Deployments have no backup from the last 36 hours.',
  backup_target: "The backup storage can't be used.",
  backup_damaged: "Backups can't be read.",
  backup_strange: 'The backup storage has copies that we did not create.',
  release_stopped: 'Updates to a version were undone, so its rollout was stopped.',
  image_newer: 'Newer images of packages are available.',
  image_withdrawn: 'Images of packages were withdrawn from their registries.',
  platform_dns: "The platform domain's records can't be set.",
  platform_certificates: 'The platform domain has used up its certificates.',
  image_moved: 'Image tags of packages were pushed again with other content.',
} as const;

export type AlertKind = keyof typeof ALERT_MESSAGES;

/** Returns the title of an alert, or its kind if another version of the product raised it. */
export function alertTitle(kind: string): string {
  return (ALERT_MESSAGES as Readonly<Record<string, string>>)[kind] ?? kind;
}
