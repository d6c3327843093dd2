/*
 * Every kind of work there is. The rows of `work`, the services that do it and the queues that bring it go by these names.
 */

/** One step of the run whose id is the key. */
export const RUN_WORK = 'run';
/** A check of the records of a deployment in DNS_FAILED, whose id is the key. */
export const DNS_CHECK_WORK = 'dns-check';
/** The api asks the provisioner to check a server: the key is the id of the row in vps_checks. */
export const CHECK_VPS_WORK = 'check-vps';
/** Compares one provider's list of servers with our rows; the key is the provider. */
export const RECONCILE_WORK = 'reconcile-servers';
/** Sends the mail whose id is the key. */
export const SEND_MAIL = 'send-mail';
/** Prepares the export of an account's data whose id is the key. */
export const EXPORT_DATA = 'export-data';
/** Applies again an event of Stripe, whose id is the key. */
export const RETRY_STRIPE_EVENT = 'retry-stripe-event';

export const WORK_NAMES = [
  RUN_WORK,
  DNS_CHECK_WORK,
  CHECK_VPS_WORK,
  RECONCILE_WORK,
  SEND_MAIL,
  EXPORT_DATA,
  RETRY_STRIPE_EVENT,
] as const;
export type WorkName = (typeof WORK_NAMES)[number];
