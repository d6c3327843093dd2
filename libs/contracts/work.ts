/*
 * Kinds of work. These names are used in the rows of `work`, by the services that perform it, and for the queues that
 * deliver it.
 */

/** Runs a step of a run. The key is the run's ID. */
export const RUN_WORK = 'run';
/** Checks the DNS records of a deployment in DNS_FAILED. The key is the deployment's ID. */
export const DNS_CHECK_WORK = 'dns-check';
/** Checks a server at the request of the api. The key is the ID of the row in vps_checks. */
export const CHECK_VPS_WORK = 'check-vps';
/** Checks permissions and quotas at the provider that is the key, after testing credentials entered for it. */
export const CHECK_PROVIDER_WORK = 'check-provider';
/** Compares a provider's list of servers with the stored rows. The key is the provider. */
export const RECONCILE_WORK = 'reconcile-servers';
/** Checks a provider for leaks. The key is the provider. */
export const FIND_LEAKS_WORK = 'look-for-leaks';
/** Carries out an administrator's decision about a leak, at the request of the api. The key is the leak's ID. */
export const DECIDE_LEAK_WORK = 'decide-leak';
/**
 * Takes a backup. The key is the backup's ID. The api requests single backups, and the provisioner plans the daily
 * backups.
 */
export const BACKUP_WORK = 'back-up';
/** Removes, checks and tests the backups of a deployment. The key is the deployment's ID. */
export const MAINTAIN_COPIES_WORK = 'keep-copies';
/**
 * Prepares the archive of a backup, at the request of the api, because only the provisioner has access to the backup.
 * The key is the download's ID.
 */
export const PREPARE_DOWNLOAD = 'prepare-download';
/** Processes a callback about the server of a deployment, at the request of the api. The key is the deployment's ID. */
export const SERVER_CALLBACK_WORK = 'server-callback';
/** Checks a deployment's bucket and copies new backups to it. The key is the deployment's ID. */
export const COPY_TO_BUCKET = 'copy-to-bucket';
/** Applies the SSH keys of a deployment to its server. The key is the deployment's ID. */
export const APPLY_SSH_KEYS = 'apply-ssh-keys';
/** Checks the further domains of a deployment and sets up their redirects. The key is the deployment's ID. */
export const APPLY_DOMAINS = 'apply-domains';
/** Follows the logs of a deployment's containers while they are read. The key is the deployment's ID. */
export const FOLLOW_LOGS = 'follow-logs';
/** Restarts a container, at the request of the api. The key is the ID of the row in container_restarts. */
export const RESTART_CONTAINER = 'restart-container';
/** Sends an email. The key is the email's ID. */
export const SEND_MAIL = 'send-mail';
/** Prepares a data export. The key is the export's ID. */
export const EXPORT_DATA = 'export-data';
/** Processes a Stripe event again. The key is its ID. */
export const RETRY_STRIPE_EVENT = 'retry-stripe-event';
/** Reads the refunds and disputes of a payment from the payment provider. The key is its payment intent. */
export const SYNC_PAYMENT = 'look-at-payment';
/** Requests a refund from the payment provider. The key is the ID of the refund request. */
export const MAKE_REFUND = 'make-refund';
/** Saves the card of a payment. The key is the payment's ID. */
export const SAVE_CARD = 'keep-card';
/**
 * Checks whether an account needs an automatic top-up, and the result of the last attempt. The key is the account's ID.
 */
export const AUTOMATIC_TOP_UP = 'automatic-top-up';
/** Deletes a card at the payment provider. The key is `customer:payment_method`. */
export const FORGET_CARD = 'forget-card';
/**
 * Deletes the customer of an erased account at the payment provider, with all cards. The key is the customer's ID
 * there.
 */
export const FORGET_CUSTOMER = 'forget-customer';
/** Ends the open checkout of a closed account. The key is the checkout's ID. */
export const END_CHECKOUT = 'end-checkout';

export const WORK_NAMES = [
  RUN_WORK,
  DNS_CHECK_WORK,
  CHECK_VPS_WORK,
  CHECK_PROVIDER_WORK,
  RECONCILE_WORK,
  BACKUP_WORK,
  MAINTAIN_COPIES_WORK,
  PREPARE_DOWNLOAD,
  SERVER_CALLBACK_WORK,
  COPY_TO_BUCKET,
  APPLY_SSH_KEYS,
  APPLY_DOMAINS,
  FOLLOW_LOGS,
  RESTART_CONTAINER,
  FIND_LEAKS_WORK,
  DECIDE_LEAK_WORK,
  SEND_MAIL,
  EXPORT_DATA,
  RETRY_STRIPE_EVENT,
  SYNC_PAYMENT,
  MAKE_REFUND,
  SAVE_CARD,
  AUTOMATIC_TOP_UP,
  FORGET_CARD,
  FORGET_CUSTOMER,
  END_CHECKOUT,
] as const;
export type WorkName = (typeof WORK_NAMES)[number];

/** Kinds of work that each service performs. Billing uses a schedule instead. */
export const WORK_OF = {
  api: [
    SEND_MAIL,
    EXPORT_DATA,
    RETRY_STRIPE_EVENT,
    SYNC_PAYMENT,
    MAKE_REFUND,
    SAVE_CARD,
    AUTOMATIC_TOP_UP,
    FORGET_CARD,
    FORGET_CUSTOMER,
    END_CHECKOUT,
  ],
  provisioner: [
    RUN_WORK,
    DNS_CHECK_WORK,
    CHECK_VPS_WORK,
    CHECK_PROVIDER_WORK,
    RECONCILE_WORK,
    BACKUP_WORK,
    MAINTAIN_COPIES_WORK,
    PREPARE_DOWNLOAD,
    SERVER_CALLBACK_WORK,
    COPY_TO_BUCKET,
    APPLY_SSH_KEYS,
    APPLY_DOMAINS,
    FOLLOW_LOGS,
    RESTART_CONTAINER,
    FIND_LEAKS_WORK,
    DECIDE_LEAK_WORK,
  ],
  billing: [],
} as const satisfies Record<string, readonly WorkName[]>;

/** Work of the provisioner that the api schedules. */
export const SCHEDULED_BY_THE_API: readonly WorkName[] = [
  CHECK_VPS_WORK,
  CHECK_PROVIDER_WORK,
  BACKUP_WORK,
  MAINTAIN_COPIES_WORK,
  PREPARE_DOWNLOAD,
  SERVER_CALLBACK_WORK,
  COPY_TO_BUCKET,
  APPLY_DOMAINS,
  FOLLOW_LOGS,
  RESTART_CONTAINER,
  DECIDE_LEAK_WORK,
];
