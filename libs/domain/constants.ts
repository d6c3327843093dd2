import { DAY_MS, MINUTE_MS, SECOND_MS } from './time';

/** Figures of the product that are neither prices nor statuses, in one table for screens, server and tests. */
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
  /** Longest list returned without paging (decision 50). */
  wholeListMax: 1_000,
  /** Last row that `page` can reach. Later rows require a cursor (decision 28). */
  pagedRowsMax: 10_000,
  transactionsDaysPerPage: 30,
  transactionsDaysPerPageMax: 100,
  /** A day with more transactions continues on the next page. */
  transactionsPerPageMax: 1_000,
  adminCreditsPerPage: 50,
  pageNumbersShown: 5,
  searchLengthMax: 100,

  addFundsDefaultUnits: 10,
  addFundsMinUnits: 1,
  addFundsStepUnits: 1,

  clientNamePartLength: 8,
  clientNameSuffixDigits: 6,

  provisioningUsualMs: 5 * MINUTE_MS,
  /** Expected time for another size of a server while no times of this provider are known. */
  resizeUsualMs: 5 * MINUTE_MS,
  sslPropagationMs: 15 * MINUTE_MS,
  /** Minimum interval between repairs of a deployment. Restart and retry share it (decision 22). */
  repairIntervalMs: 15 * MINUTE_MS,
  /** Minimum interval between domain changes of a deployment (decision 51). */
  domainChangeIntervalMs: 15 * MINUTE_MS,
  /** Maximum length of a deployment's name (decision 51). */
  deploymentNameMax: 60,
  /** Validity of a passed check of a customer's own server (decision 26). */
  vpsCheckValidMs: DAY_MS,
  /** Time a request waits for the provisioner's check before it returns 202. */
  vpsCheckWaitMs: 55 * SECOND_MS,
  /** Interval at which the waiting request polls. */
  vpsCheckPollMs: 250,
  /** Period in which a repeated `client_id` without an Idempotency-Key counts as the same order (decision 29). */
  sameOrderMs: MINUTE_MS,
  /** Time for which an Idempotency-Key is stored. */
  idempotencyKeyMs: DAY_MS,
  /** Number of FAILED or cancelled creations per window. Above it, the account must wait until some are older. */
  failedCreationsMax: 5,
  failedCreationsWindowMs: DAY_MS,
  /** Maximum number of deployments per account that are not gone yet. */
  deploymentsPerAccountMax: 50,

  /** Time for which a data export can be downloaded. */
  dataExportRetentionMs: 7 * DAY_MS,
  /** Maximum duration of an impersonation. */
  impersonationMs: 30 * MINUTE_MS,
  /** Length in characters of the reason when staff acts on a customer's deployment. */
  actReasonLengthMin: 3,
  actReasonLengthMax: 500,
  /** Maximum age of a confirmed password and second factor for sensitive calls. */
  recentAuthenticationMs: 10 * MINUTE_MS,
  /** Maximum number of personal API tokens per account. */
  apiTokensMax: 20,

  freeCreditsReviewHours: 24,

  conversationsPerPage: 20,
  /** Maximum number of messages, replies and notes per conversation. */
  conversationEntriesMax: 200,

  /** DNS zone of the sandbox (decision 33). The wizard mentions it, and the provisioner serves it. */
  sandboxZone: 'sandbox.localhost',
} as const;
