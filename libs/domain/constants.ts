import { DAY_MS, MINUTE_MS, SECOND_MS } from './time';

/** The product's figures that are neither prices nor statuses: one table, so that screens, server and tests say the same. */
export const CONSTANTS = {
  apiBasePath: '/api',

  statusPollMs: 5 * SECOND_MS,
  dashboardRefreshMs: 8 * SECOND_MS,
  searchDebounceMs: 500,
  copyConfirmationMs: 2 * SECOND_MS,
  toastMs: 3_500,
  paymentRefreshMs: 2 * SECOND_MS,
  paymentRefreshTestModeMs: 500,
  dnsRetryRefreshMs: 2 * SECOND_MS,
  restartRefreshMs: 3 * SECOND_MS,

  dashboardPageSizes: [20, 50, 100],
  usersPageSizes: [10, 20, 50, 100],
  pageSizeDefault: 20,
  pageSizeMax: 100,
  /** A list asked for without pages answers whole up to here (decisions 50). */
  wholeListMax: 1_000,
  /** `page` reaches this row; behind it a cursor is asked for (decisions 28). */
  pagedRowsMax: 10_000,
  transactionsDaysPerPage: 30,
  transactionsDaysPerPageMax: 100,
  adminCreditsPerPage: 50,
  pageNumbersShown: 5,
  searchLengthMax: 100,

  addFundsDefaultUnits: 10,
  addFundsMinUnits: 1,
  addFundsStepUnits: 1,

  clientNamePartLength: 8,
  clientNameSuffixDigits: 6,

  provisioningUsualMs: 5 * MINUTE_MS,
  sslPropagationMs: 15 * MINUTE_MS,
  /** Restart and retry together, per deployment (decisions 22). */
  repairIntervalMs: 15 * MINUTE_MS,
  /** Changes of the domain, per deployment (decisions 51). */
  domainChangeIntervalMs: 15 * MINUTE_MS,
  /** A name that an owner gives a deployment (decisions 51). */
  deploymentNameMax: 60,
  /** A passed check of an own server is good for this long (decisions 26). */
  vpsCheckValidMs: DAY_MS,
  /** How long a request waits for the provisioner's look before it answers 202. */
  vpsCheckWaitMs: 55 * SECOND_MS,
  /** How often the waiting request looks. */
  vpsCheckPollMs: 250,
  /** Without an Idempotency-Key the same client_id within this time is the same order (decisions 29). */
  sameOrderMs: MINUTE_MS,
  /** How long an Idempotency-Key is remembered. */
  idempotencyKeyMs: DAY_MS,
  /** With more FAILED or cancelled creations than this within the window an account waits until some are older. */
  failedCreationsMax: 5,
  failedCreationsWindowMs: DAY_MS,
  /** Deployments one account may have that are not gone yet. */
  deploymentsPerAccountMax: 50,

  /** How long an export of somebody's data can be fetched. */
  dataExportKeptMs: 7 * DAY_MS,
  /** An administrator sees the console as somebody else for so long at most. */
  accountViewMs: 30 * MINUTE_MS,
  /** Why staff acts on somebody else's deployment, in characters. */
  actReasonLengthMin: 3,
  actReasonLengthMax: 500,
  /** Sensitive calls need a password, and a code, that was confirmed within this time. */
  recentAuthenticationMs: 10 * MINUTE_MS,
  /** How many personal API tokens an account has at most. */
  apiTokensMax: 20,

  freeCreditsReviewHours: 24,

  conversationsPerPage: 20,
  /** Messages, answers and notes of one conversation. */
  conversationEntriesMax: 200,

  /** Names below it are answered by the sandbox (decisions 33); a mention in the wizard, a zone in the provisioner. */
  sandboxZone: 'sandbox.localhost',
} as const;
