/**
 * What operators are told of, by the kind of alert. A new kind is a line here and its German one in the console's texts;
 * docs/operating.md says what to do about each.
 */
export const ALERT_MESSAGES = {
  books_breached: 'The books do not balance.',
  books_unproven: 'The books do not follow from their facts.',
  account_unsettled: 'Accounts cannot be settled.',
  grace_period_overdue: 'Grace periods are open long after their end.',
  daily_run_late: 'The daily charge run is late.',
  audit_late: 'The nightly audit of the books is late.',
  proof_late: 'The nightly proof of the books is late.',
  watch_late: 'Billing no longer checks for stuck work.',
  event_unsent: 'Events are not sent.',
  event_missing: 'Events that were sent have not arrived.',
  delivery_unhandled: 'Deliveries are not handled.',
  delivery_parked: 'Deliveries are parked.',
  work_overdue: 'Work that is due is not taken up.',
  deployment_stuck: 'Deployments are stuck.',
  mail_unsent: 'Mails are not sent.',
  database_short: 'The database ran out of disk, memory or connections.',
  provider_distrusted: 'Answers of a provider cannot be trusted.',
  provider_silent: 'A provider does not answer.',
  provider_quota: 'A limit of our account at a provider is reached.',
  provider_refused: 'A provider refuses our credentials.',
  place_refused: 'A provider does not allow us to create servers in a region.',
  provider_rules: 'Firewall rules at a provider were not as they must be.',
  payment_differences: "The payment provider's books and ours differ.",
  payment_disputed: 'Payments are disputed and need an answer.',
  refund_not_made: 'Refunds could not be made.',
  closed_account_paid: 'Payments reached closed accounts.',
  server_reappeared: 'Lost servers are there again.',
  server_without_owner: 'Servers at a provider have no owner.',
  leaks_cost: 'Things at providers cost money and belong to no deployment.',
  nothing_answers: 'No deployment answers.',
  backups_stale: 'Deployments have no backup of the last 36 hours.',
  backup_target: 'The backup storage cannot be used.',
  backup_damaged: 'Backups cannot be read.',
  backup_strange: 'The backup storage holds copies that we did not make.',
} as const;

export type AlertKind = keyof typeof ALERT_MESSAGES;

/** A kind that another version of the product raised is called by its name. */
export function alertTitle(kind: string): string {
  return (ALERT_MESSAGES as Readonly<Record<string, string>>)[kind] ?? kind;
}
