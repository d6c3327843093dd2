/*
 * Every kind of work there is. The rows of `work`, the services that do it and the queues that bring it go by these names.
 */

/** One step of the run whose id is the key. */
export const RUN_WORK = 'run';
/** A check of the records of a deployment in DNS_FAILED, whose id is the key. */
export const DNS_CHECK_WORK = 'dns-check';
/** The api asks the provisioner to check a server: the key is the id of the row in vps_checks. */
export const CHECK_VPS_WORK = 'check-vps';
/** Checks our rights and quotas at the provider that is the key, after testing credentials that were entered for it. */
export const CHECK_PROVIDER_WORK = 'check-provider';
/** Compares one provider's list of servers with our rows; the key is the provider. */
export const RECONCILE_WORK = 'reconcile-servers';
/** Checks one provider for leaks. The key is the provider. */
export const LOOK_FOR_LEAKS_WORK = 'look-for-leaks';
/** Carries out what an administrator decided about the leak whose id is the key: the api asks for it. */
export const DECIDE_LEAK_WORK = 'decide-leak';
/** Takes the backup whose id is the key: the api asks for one, the provisioner plans the daily ones. */
export const BACKUP_WORK = 'back-up';
/** Looks after the copies of a deployment, whose id is the key: removes, checks and tests them. */
export const KEEP_COPIES_WORK = 'keep-copies';
/** Prepares the archive of a backup whose id is the key: the api asks for it, the provisioner reaches the backup. */
export const PREPARE_DOWNLOAD = 'prepare-download';
/** Follows up a callback about the server of the deployment whose id is the key: the api asks for it. */
export const SERVER_CALLBACK_WORK = 'server-callback';
/** Checks the bucket of the deployment whose id is the key, and copies new backups into it. */
export const COPY_TO_BUCKET = 'copy-to-bucket';
/** Sends the mail whose id is the key. */
export const SEND_MAIL = 'send-mail';
/** Prepares the export of an account's data whose id is the key. */
export const EXPORT_DATA = 'export-data';
/** Applies again an event of Stripe, whose id is the key. */
export const RETRY_STRIPE_EVENT = 'retry-stripe-event';
/** Asks the payment provider what refunds and disputes did to the payment whose payment intent is the key. */
export const LOOK_AT_PAYMENT = 'look-at-payment';
/** Asks the payment provider for the refund whose request's id is the key. */
export const MAKE_REFUND = 'make-refund';
/** Keeps the card that the payment whose id is the key was made with. */
export const KEEP_CARD = 'keep-card';
/** Looks whether the account whose id is the key needs an automatic top-up, and what became of the last one. */
export const AUTOMATIC_TOP_UP = 'automatic-top-up';
/** Tells the payment provider to forget a card; the key is `customer:payment_method`. */
export const FORGET_CARD = 'forget-card';
/** Deletes the customer of an erased account at the payment provider, with all cards. The key is the customer's id there. */
export const FORGET_CUSTOMER = 'forget-customer';
/** Ends the open checkout whose id is the key, because its account is closed. */
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

/** The kinds of work each service does. Billing has a schedule instead. */
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
