/*
 * Kinds of work. These names are used in the rows of `work`, by the services that perform it, and for the queues that
 * deliver it.
 */

/** Runs a step of the run whose ID is the key. */
export const RUN_WORK = 'run';
/** Checks the records of a deployment in DNS_FAILED, whose ID is the key. */
export const DNS_CHECK_WORK = 'dns-check';
/** Checks a server at the request of the api. The key is the ID of the row in vps_checks. */
export const CHECK_VPS_WORK = 'check-vps';
/** Checks permissions and quotas at the provider that is the key, after testing credentials entered for it. */
export const CHECK_PROVIDER_WORK = 'check-provider';
/** Compares a provider's list of servers with the stored rows. The key is the provider. */
export const RECONCILE_WORK = 'reconcile-servers';
/** Checks a provider for leaks. The key is the provider. */
export const LOOK_FOR_LEAKS_WORK = 'look-for-leaks';
/** Carries out an administrator's decision about the leak whose ID is the key, at the request of the api. */
export const DECIDE_LEAK_WORK = 'decide-leak';
/**
 * Takes the backup whose ID is the key. The api requests single backups, and the provisioner plans the daily backups.
 */
export const BACKUP_WORK = 'back-up';
/** Removes, checks and tests the backups of the deployment whose ID is the key. */
export const KEEP_COPIES_WORK = 'keep-copies';
/**
 * Prepares the archive of a backup, whose ID is the key. The api requests it, and the provisioner has access to the
 * backup.
 */
export const PREPARE_DOWNLOAD = 'prepare-download';
/** Processes a callback about the server of the deployment whose ID is the key, at the request of the api. */
export const SERVER_CALLBACK_WORK = 'server-callback';
/** Checks the bucket of the deployment whose ID is the key, and copies new backups to it. */
export const COPY_TO_BUCKET = 'copy-to-bucket';
/** Sends the email whose ID is the key. */
export const SEND_MAIL = 'send-mail';
/** Prepares the data export whose ID is the key. */
export const EXPORT_DATA = 'export-data';
/** Processes a Stripe event again. The key is its ID. */
export const RETRY_STRIPE_EVENT = 'retry-stripe-event';
/** Reads the refunds and disputes of a payment from the payment provider. The key is its payment intent. */
export const LOOK_AT_PAYMENT = 'look-at-payment';
/** Requests a refund from the payment provider. The key is the ID of the refund request. */
export const MAKE_REFUND = 'make-refund';
/** Saves the card of the payment whose ID is the key. */
export const KEEP_CARD = 'keep-card';
/** Checks whether the account whose ID is the key needs an automatic top-up, and the result of the last attempt. */
export const AUTOMATIC_TOP_UP = 'automatic-top-up';
/** Deletes a card at the payment provider. The key is `customer:payment_method`. */
export const FORGET_CARD = 'forget-card';
/**
 * Deletes the customer of an erased account at the payment provider, with all cards. The key is the customer's ID
 * there.
 */
export const FORGET_CUSTOMER = 'forget-customer';
/** Ends the open checkout whose ID is the key, because its account is closed. */
export const END_CHECKOUT = 'end-checkout';

export const WORK_NAMES = [
  RUN_WORK,
  DNS_CHECK_WORK,
  CHECK_VPS_WORK,
  CHECK_PROVIDER_WORK,
  RECONCILE_WORK,
  BACKUP_WORK,
  KEEP_COPIES_WORK,
  PREPARE_DOWNLOAD,
  SERVER_CALLBACK_WORK,
  COPY_TO_BUCKET,
  LOOK_FOR_LEAKS_WORK,
  DECIDE_LEAK_WORK,
  SEND_MAIL,
  EXPORT_DATA,
  RETRY_STRIPE_EVENT,
  LOOK_AT_PAYMENT,
  MAKE_REFUND,
  KEEP_CARD,
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
    LOOK_AT_PAYMENT,
    MAKE_REFUND,
    KEEP_CARD,
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
    KEEP_COPIES_WORK,
    PREPARE_DOWNLOAD,
    SERVER_CALLBACK_WORK,
    COPY_TO_BUCKET,
    LOOK_FOR_LEAKS_WORK,
    DECIDE_LEAK_WORK,
  ],
  billing: [],
} as const satisfies Record<string, readonly WorkName[]>;

/** Work of the provisioner that the api schedules. */
export const ASKED_BY_THE_API: readonly WorkName[] = [
  CHECK_VPS_WORK,
  CHECK_PROVIDER_WORK,
  BACKUP_WORK,
  KEEP_COPIES_WORK,
  PREPARE_DOWNLOAD,
  SERVER_CALLBACK_WORK,
  COPY_TO_BUCKET,
  DECIDE_LEAK_WORK,
];
