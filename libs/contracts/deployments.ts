import {
  asciiDomain,
  asciiEmail,
  CONFIG_FIELDS,
  type ConfigField,
  CONFIG_VALUE_LENGTH_MAX,
  CONSTANTS,
  DEPLOYMENT_GROUPS,
  DEPLOYMENT_STATUSES,
  MOVE_KINDS,
  ORDER_MESSAGES,
  PROGRESS_STEPS,
  REACHABILITY_STATES,
} from '@moorage/domain';
import { z } from 'zod';
import { actReason, line } from './account-fields';
import type { Call } from './call';
import { DEPLOYMENT_EXAMPLE, NEW_DEPLOYMENT_EXAMPLE } from './examples';
import { entityId, INT4_MAX, listCursor, optionalText, queryNumber, shortText, supportLevel } from './fields';
import { texts } from './package-manifest';
import { incident } from './incident';
import { issueText, message, sent } from './message';
import { amount } from './wallet';

const status = z.enum(DEPLOYMENT_STATUSES);
const instant = z.iso.datetime();
/** Price shown to the user by `pricing/calculate`, in currency units per hour of the whole order. */
const shownHourlyCost = amount.nonnegative();

/** Conversions of values with a domain to their stored form. */
const SPELLED: Readonly<Partial<Record<ConfigField, (text: string) => string>>> = {
  domain: asciiDomain,
  admin_email: asciiEmail,
  // Used by packages with an email address as the administrator's name.
  admin_username: asciiEmail,
};

/**
 * All fields a wizard may send. The domain rules decide which of them apply and validate their values (`checkDraft`).
 */
export const newDeployment = z
  .object({
    package: shortText(60).nullable().default(null),
    server_type: z.enum(['new', 'vps'], issueText(ORDER_MESSAGES.server_type_missing)).nullable().default(null),
    cloud_provider: optionalText(60),
    region: optionalText(60),
    instance_type: optionalText(60),
    support_level: supportLevel.default(1),
    vps_ip_address: optionalText(100),
    user_ssh_key: optionalText(4_200),
    client_name: optionalText(100),
    client_id: optionalText(100),
    postgres_host: optionalText(253),
    postgres_user: optionalText(100),
    postgres_password: optionalText(200),
    github_repo: optionalText(300),
    /** Expected price. If the actual price differs, nothing is ordered (PRICE_CHANGED). */
    expected_hourly_cost: shownHourlyCost.optional(),
    ...(Object.fromEntries(
      CONFIG_FIELDS.map((field) => [field, optionalText(CONFIG_VALUE_LENGTH_MAX, SPELLED[field])]),
    ) as Record<(typeof CONFIG_FIELDS)[number], ReturnType<typeof optionalText>>),
  })
  .meta({ examples: [NEW_DEPLOYMENT_EXAMPLE] });
export type NewDeployment = z.infer<typeof newDeployment>;

/** A value that is set, removed with null or '', or left unchanged if it is missing. */
const changedText = (tidy?: (text: string) => string) =>
  shortText(CONFIG_VALUE_LENGTH_MAX, tidy)
    .nullish()
    .transform((text) => (text === '' ? null : text));

export const configurationChange = z.object({
  values: z.strictObject(
    Object.fromEntries(CONFIG_FIELDS.map((field) => [field, changedText(SPELLED[field])])) as Record<
      ConfigField,
      ReturnType<typeof changedText>
    >,
  ),
  reason: actReason.nullish(),
});

/** Configuration of a deployment, without the values of secrets. */
export const configuration = z
  .object({
    /** Values that the package requests, in its order. */
    values: z.array(
      z.object({
        field: z.enum(CONFIG_FIELDS),
        secret: z.boolean(),
        /** Whether the value can be changed while the deployment runs. */
        changeable: z.boolean(),
        is_set: z.boolean(),
        /** Null for a secret or if it is not set. */
        value: z.string().nullable(),
      }),
    ),
    /** Latest change, with the reason if it failed. Null if there was none in the last 40 days. */
    change: z
      .object({
        state: z.enum(['running', 'undoing', 'done', 'failed']),
        /** Fields that it changes. */
        fields: z.array(z.enum(CONFIG_FIELDS)),
        requested_at: instant,
        finished_at: instant.nullable(),
        failure: message.nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'Configuration' });
export type ConfigurationAnswer = z.infer<typeof configuration>;

/** The order that replaces a rejected size or region. All other fields remain the same. */
export const retryOrder = z.object({
  region: shortText(60),
  instance_type: shortText(60),
  expected_hourly_cost: shownHourlyCost,
});
export type RetryOrder = z.infer<typeof retryOrder>;

/** A region in which the same can be ordered. */
export const alternative = z
  .object({
    region: z.string(),
    region_name: z.string(),
    country_code: z.string(),
    instance_type: z.string(),
    instance_type_name: z.string(),
    cpu: z.number(),
    /** GB */
    memory: z.number(),
    /**
     * Price of the whole order in currency units, including its support level. A retry sends `hourly_cost` as its
     * `expected_hourly_cost`.
     */
    hourly_cost: z.number(),
    daily_cost: z.number(),
  })
  .meta({ id: 'Alternative' });
export type AlternativeAnswer = z.infer<typeof alternative>;

/** Address and credentials with which the owner signs in. Secrets are returned by a separate, audited call. */
export const signIn = z
  .object({
    /** English text. `title_texts` has all languages. */
    title: z.string(),
    title_texts: texts,
    address: z.string(),
    /** Link that a browser on this machine can open instead of the address of a simulated server. */
    open_link: z.string().nullable(),
    /** Null if no sign-in is required, or if the account was not created by the platform. */
    user: z.string().nullable(),
    /** Name of the secret that is the password, as in the response of `reveal-secrets`. */
    password: z.string().nullable(),
    /** Name of the secret requested once, at the first visit. */
    token: z.string().nullable(),
  })
  .meta({ id: 'SignIn' });
export type SignInAnswer = z.infer<typeof signIn>;

/** End of a deployment, with its reason. */
export const ending = z
  .object({
    /**
     * `deleted` by its owner, `unpaid` because a charge could not be paid, `account` because its account was closed,
     * `lost` because its server no longer exists, `failed` because it never ran. With `handed_over` it still runs on its
     * owner's own server.
     */
    reason: z.enum(['deleted', 'unpaid', 'account', 'lost', 'failed', 'handed_over']),
    at: instant,
    /** Set for `unpaid` only, with the charge due and the money available. */
    due: z.number().nullable(),
    available: z.number().nullable(),
  })
  .meta({ id: 'DeploymentEnding' });
export type DeploymentEnding = z.infer<typeof ending>;

const ran = z.object({
  from: instant,
  /** Null while it runs. */
  to: instant.nullable(),
  /** Charges minus refunds. */
  cost: z.number(),
});

/** Reachability at the last check of its address. It takes two failures in a row to become unreachable. */
export const reachability = z
  .object({
    state: z.enum(REACHABILITY_STATES),
    /** Start of the state. */
    since: instant.nullable(),
    checked_at: instant.nullable(),
  })
  .meta({ id: 'Reachability' });
export type ReachabilityAnswer = z.infer<typeof reachability>;

/** A move or clone from or to a deployment. */
export const deploymentMove = z
  .object({
    kind: z.enum(MOVE_KINDS),
    /**
     * `running` until the new deployment is ready with the data. A move is then `waiting` until the old server is
     * removed. `done` is shown for the old deployment of a move only.
     */
    state: z.enum(['running', 'waiting', 'done']),
    /** The old deployment. */
    source_id: z.int(),
    /** The new deployment. */
    target_id: z.int(),
    /** Time at which the old server is removed. Set while the move is waiting. */
    remove_at: instant.nullable(),
  })
  .meta({ id: 'DeploymentMove' });
export type DeploymentMoveAnswer = z.infer<typeof deploymentMove>;

/** A deployment that ended because a charge could not be paid, until its owner dismisses the notice. */
export const unpaidEnding = z
  .object({
    deployment_id: z.int(),
    client_name: z.string(),
    at: instant,
    due: z.number(),
    available: z.number(),
    server_type: z.enum(['new', 'vps']),
    /** It still has backups from which a new deployment can be created. */
    has_backups: z.boolean(),
  })
  .meta({ id: 'UnpaidEnding' });
export type UnpaidEndingAnswer = z.infer<typeof unpaidEnding>;

/**
 * A deployment as its owner and administrators see it. It contains no secrets. `secrets_set` names those that are
 * stored.
 */
export const deployment = z
  .object({
    id: z.int(),
    client_name: z.string(),
    client_id: z.string(),
    package: z.string(),
    cloud_provider: z.string().nullable(),
    region: z.string().nullable(),
    instance_type: z.string().nullable(),
    server_type: z.enum(['new', 'vps']),
    support_level: supportLevel,
    vps_ip_address: z.string().nullable(),
    instance_ip: z.string().nullable(),
    komodo_host_ip: z.string().nullable(),
    domain: z.string().nullable(),
    admin_subdomain: z.string().nullable(),
    static_page_subdomain: z.string().nullable(),
    status,
    status_label: z.string(),
    /** `failure` in English. */
    failure_reason: z.string().nullable(),
    failure: message.nullable(),
    access_link: z.string().nullable(),
    /** Link that a browser on this machine can open instead of the access link of a simulated server. */
    open_link: z.string().nullable(),
    /**
     * Omitted in lists. Empty unless the deployment runs and the caller is its owner. The first is the package's own
     * dashboard.
     */
    sign_in: z.array(signIn).optional(),
    /**
     * Actions allowed now, from delete, deactivate, restart, retry_dns, change_level, cancel, change_domain, configure,
     * hand_over, resize, update, reboot, manage_keys, manage_domains, restart_container, restore_deleted, move, clone
     * and start_server.
     */
    actions: z.array(z.string()),
    /** Reason why no action is allowed now, in the specification's wording. */
    locked_reason: z.string().nullable(),
    /** Price in currency units, fixed at creation and at each level change. */
    hourly_cost: z.number(),
    daily_cost: z.number(),
    created_at: instant,
    updated_at: instant,
    deleted_at: instant.nullable(),
    /** End of the grace period of an uncovered charge, and the money it requires. */
    grace_period_ends_at: instant.nullable(),
    /**
     * Delete, cancel and hand-over requests of its owner are rejected while this is set. A deployment without money
     * still ends.
     */
    deletion_locked: z.boolean(),
    /** A deployment in flight that will be removed at its next step boundary. */
    cancelling: z.boolean(),
    /** The move or clone that has not ended, and for the old deployment of a move also the one that has. */
    move: deploymentMove.nullable(),
    /** End of a deployment that no longer costs anything. */
    ended: ending.nullable(),
    /** Time until which its server is kept and its delete can be undone, or null if it cannot. */
    undo_until: instant.nullable(),
    /** Cost since it first ran. Omitted in lists, and null if it never cost anything. */
    ran: ran.nullable().optional(),
    /** Omitted in lists. Null if it does not run or has only just started. */
    reachability: reachability.nullable().optional(),
    /** Omitted in lists. Open incidents, the most important first. */
    incidents: z.array(incident).optional(),
    /** Most important open incident that no other explains. */
    worst_incident: incident.pick({ kind: true, severity: true }).nullable(),
    /** Time since which the provider's responses have not shown its server and are not trusted. */
    server_unseen_since: instant.nullable(),
    /** Progress of the current run, with its step and whether it waits for the owner. */
    progress: z
      .object({ step: z.enum(PROGRESS_STEPS), number: z.int(), of: z.int(), action_required: z.boolean() })
      .nullable(),
    /** A simulated server. */
    sandbox: z.boolean(),
    version: z.int(),
    user_id: z.int(),
    /** Owner, visible to administrators only. */
    user: z.object({ username: z.string(), email: z.string() }).optional(),
    postgres_host: z.string().nullable(),
    postgres_user: z.string().nullable(),
    postgres_password: z.object({ set: z.boolean() }),
    github_repo: z.string().nullable(),
  })
  .meta({ id: 'Deployment', examples: [DEPLOYMENT_EXAMPLE] });
export type DeploymentAnswer = z.infer<typeof deployment>;

export const deploymentStatus = z
  .object({
    id: z.int(),
    status,
    /** `failure` in English. */
    failure_reason: z.string().nullable(),
    failure: message.nullable(),
    deleted_at: instant.nullable(),
    instance_ip: z.string().nullable(),
    vps_ip_address: z.string().nullable(),
    version: z.int(),
  })
  .meta({ id: 'DeploymentStatus' });
export type DeploymentStatusAnswer = z.infer<typeof deploymentStatus>;

export const DEPLOYMENT_SORTS = ['created_at', 'client_name', 'package', 'cloud_provider', 'status'] as const;
export type DeploymentSort = (typeof DEPLOYMENT_SORTS)[number];

/** Filters of a list and of the counts of its tabs. */
const narrowed = {
  /** Client name, package, provider or domain. For administrators also the owner's username and email. */
  search: line(CONSTANTS.searchLengthMax).optional(),
  /** Part of the owner's username or email, for administrators. */
  user: line(CONSTANTS.searchLengthMax).optional(),
};

export const deploymentList = z.object({
  ...narrowed,
  page: queryNumber(1, CONSTANTS.pagedRowsMax).optional(),
  per_page: queryNumber(1, CONSTANTS.pageSizeMax).optional(),
  sort_by: z.enum(DEPLOYMENT_SORTS).default('created_at'),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
  /** Tab of the list. */
  group: z.enum(DEPLOYMENT_GROUPS).default('all'),
  status: z
    .string()
    .max(200)
    .transform((text) => text.split(','))
    .pipe(z.array(status).min(1))
    .optional(),
  package: shortText(60).optional(),
  cloud_provider: shortText(60).optional(),
  /** ID of a single deployment. */
  id: queryNumber(1, INT4_MAX).optional(),
  cursor: listCursor.optional(),
});
export type DeploymentList = z.infer<typeof deploymentList>;

/** Number of deployments in each group. 10 001 stands for more than 10 000. */
export const deploymentCounts = z
  .object({ all: z.int(), needs_you: z.int(), in_progress: z.int(), ready: z.int() })
  .meta({ id: 'DeploymentCounts' });
export type DeploymentCounts = z.infer<typeof deploymentCounts>;

export const deploymentCountsQuestion = z.object(narrowed);
export type DeploymentCountsQuestion = z.infer<typeof deploymentCountsQuestion>;

const params = z.object({ id: entityId });

/** Time until which its backups are retained at least, or null if it has none. */
const backups_kept_until = instant.nullable();
export const stoppedDeployment = z.object({
  status,
  deleted_at: instant.nullable(),
  refunded_amount: z.number(),
  backups_kept_until,
  /**
   * Time until which its server is kept and the delete can be undone, or null if it is removed at once. Only after a
   * delete.
   */
  undo_until: instant.nullable().optional(),
});
/** `status` remains unchanged until the current step has ended. */
export type CancelledDeployment = z.infer<typeof stoppedDeployment>;
export type HandedOverDeployment = z.infer<typeof stoppedDeployment>;

const deleted = z.union([stoppedDeployment, sent.extend({ backups_kept_until })]).meta({ id: 'DeletedDeployment' });
export type DeletedDeployment = z.infer<typeof deleted>;

export const timelineEntry = z
  .object({
    id: z.int(),
    run_id: z.int(),
    step: z.string(),
    outcome: z.enum(['started', 'done', 'waiting', 'failed', 'retrying']),
    message: message.nullable(),
    at: instant,
  })
  .meta({ id: 'TimelineEntry' });
export type TimelineEntryAnswer = z.infer<typeof timelineEntry>;

export const DEPLOYMENTS_CALLS = {
  list: {
    operation: 'listDeployments',
    method: 'GET',
    path: '/deployments',
    summary: 'List deployments',
    description:
      'Your deployments, newest first. Administrators see all deployments. The `X-Total-Count` header has the total, the `Link` header the other pages. Beyond row 10,000, use the cursor.',
    access: 'user',
    query: deploymentList,
    status: 200,
    answer: z.array(deployment),
    errors: ['FIELDS_INVALID'],
  },
  counts: {
    operation: 'countDeployments',
    method: 'GET',
    path: '/deployments/counts',
    summary: 'Count deployments by status group',
    description: 'A count of 10,001 means more than 10,000.',
    access: 'user',
    query: deploymentCountsQuestion,
    status: 200,
    answer: deploymentCounts,
    errors: [],
  },
  listOfUser: {
    operation: 'listUserDeployments',
    method: 'GET',
    path: '/deployments/user/{id}',
    summary: 'List the deployments of a user',
    description: 'Available to the user and to administrators.',
    access: 'user',
    params,
    query: deploymentList,
    status: 200,
    answer: z.array(deployment),
    errors: ['NOT_FOUND', 'FIELDS_INVALID'],
  },
  create: {
    operation: 'createDeployment',
    method: 'POST',
    path: '/deployments',
    summary: 'Create a deployment',
    description:
      'Without an `Idempotency-Key`, repeating the call with the same `client_id` within 60 seconds returns the same deployment.',
    access: 'verified',
    idempotency_key: true,
    body: newDeployment,
    status: 201,
    answer: deployment,
    errors: [
      'BALANCE_TOO_LOW',
      'BALANCE_OWED',
      'CREDIT_ONLY_LIMIT',
      'VPS_IN_USE',
      'DEPLOYMENT_LIMIT',
      'PLATFORM_DOMAIN_FULL',
      'PRICE_CHANGED',
      'FIELDS_INVALID',
      'VPS_CHECK_NEEDED',
    ],
    limit: 'create_deployment',
  },
  get: {
    operation: 'getDeployment',
    method: 'GET',
    path: '/deployments/{id}',
    summary: 'Get a deployment',
    access: 'user',
    params,
    status: 200,
    answer: deployment,
    errors: ['NOT_FOUND'],
  },
  status: {
    operation: 'getDeploymentStatus',
    method: 'GET',
    path: '/deployments/{id}/status',
    summary: 'Get the status of a deployment',
    description:
      'Returns the fields that change during setup. Send `If-None-Match` with the last ETag to get 304 if nothing has changed.',
    access: 'user',
    params,
    status: 200,
    answer: deploymentStatus,
    errors: ['NOT_FOUND'],
  },
  timeline: {
    operation: 'listTimeline',
    method: 'GET',
    path: '/deployments/{id}/steps',
    summary: 'List the timeline of a deployment',
    description: 'The latest 500 entries in chronological order, or those after `after`.',
    access: 'user',
    params,
    query: z.object({ after: entityId.optional() }),
    status: 200,
    answer: z.array(timelineEntry),
    errors: ['NOT_FOUND'],
  },
  quoteSupportLevel: {
    operation: 'quoteSupportLevel',
    method: 'GET',
    path: '/deployments/{id}/support-level',
    summary: 'Preview a change of support level',
    description: 'Returns the new daily price and the amount charged or credited today.',
    access: 'user',
    params,
    query: z.object({ level: queryNumber(1, 3).pipe(supportLevel) }),
    status: 200,
    answer: z
      .object({
        support_level: supportLevel,
        daily_cost: z.number(),
        hourly_cost: z.number(),
        /** Positive if charged immediately, negative if credited. */
        today: z.number(),
        needed: z.number(),
        available: z.number(),
        /**
         * Time until which everything of the account is paid for, now and with the new level. Null if it is beyond the
         * forecast. If the level is not affordable, `then` includes the smallest top-up that makes it so, in whole cents
         * and at least 1.00. It is null if the account owes money.
         */
        runs_until: z.object({ now: instant.nullable(), then: instant.nullable() }),
        /**
         * Time until which existing backups would be retained after a change to a level without backups. Null if they
         * stay or there are none.
         */
        backups_kept_until: instant.nullable(),
      })
      .meta({ id: 'SupportLevelQuote' }),
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'RATE_LIMITED'],
  },
  changeSupportLevel: {
    operation: 'changeSupportLevel',
    method: 'PATCH',
    path: '/deployments/{id}',
    summary: 'Change the support level of a deployment',
    description: 'At most once per clock hour. No other field can be changed.',
    access: 'verified',
    recent_authentication: 'administrators',
    idempotency_key: true,
    params,
    body: z.object({ support_level: supportLevel, reason: actReason.nullish() }),
    status: 200,
    answer: deployment,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'BALANCE_TOO_LOW', 'BALANCE_OWED', 'RATE_LIMITED'],
  },
  restart: {
    operation: 'restartDeployment',
    method: 'POST',
    path: '/deployments/{id}/restart',
    summary: 'Restart a deployment',
    description: 'Restarts the containers and renews the certificate.',
    access: 'verified',
    params,
    body: z.object({ reason: actReason.nullish() }),
    optional_body: true,
    status: 200,
    answer: deployment,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'FIELDS_INVALID', 'RATE_LIMITED'],
  },
  retryDns: {
    operation: 'retryDnsValidation',
    method: 'POST',
    path: '/deployments/{id}/retry-dns-validation',
    summary: 'Check the DNS records again',
    access: 'verified',
    params,
    status: 200,
    answer: deployment,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'RATE_LIMITED'],
  },
  remove: {
    operation: 'deleteDeployment',
    method: 'DELETE',
    path: '/deployments/{id}',
    summary: 'Delete a deployment',
    description:
      'Destroys a running deployment and credits the remaining full hours, or removes a destroyed deployment from the list. While the server of a deleted deployment is kept, `expected_status=DESTROYING` removes it at once.',
    access: 'user',
    recent_authentication: 'administrators',
    idempotency_key: true,
    params,
    query: z.object({ reason: actReason.optional(), expected_status: status.optional() }),
    status: 200,
    answer: deleted,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'DEPLOYMENT_LOCKED'],
  },
  cancel: {
    operation: 'cancelDeployment',
    method: 'POST',
    path: '/deployments/{id}/cancel',
    summary: 'Cancel a deployment during setup',
    description: 'Setup stops before its next step. Nothing more is charged.',
    access: 'user',
    idempotency_key: true,
    params,
    status: 200,
    answer: stoppedDeployment,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'DEPLOYMENT_LOCKED'],
  },
  handOver: {
    operation: 'handOverDeployment',
    method: 'POST',
    path: '/deployments/{id}/hand-over',
    summary: 'Hand over a deployment to its owner',
    description:
      'For deployments on your own server. Our key and our files are removed from the server, and the software continues to run. Billing ends immediately and the remaining full hours are credited. Owner only.',
    access: 'verified',
    idempotency_key: true,
    params,
    status: 200,
    answer: stoppedDeployment,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'DEPLOYMENT_LOCKED'],
  },
  restoreDeleted: {
    operation: 'restoreDeletedDeployment',
    method: 'POST',
    path: '/deployments/{id}/restore',
    summary: 'Restore a deleted deployment',
    description:
      'Possible until `undo_until`, while its server is kept. It starts again and is charged from now on. The time since the delete costs nothing.',
    access: 'verified',
    idempotency_key: true,
    params,
    status: 200,
    answer: deployment,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'BALANCE_TOO_LOW'],
  },
  changeDomain: {
    operation: 'changeDomain',
    method: 'PUT',
    path: '/deployments/{id}/domain',
    summary: 'Change the domain of a deployment',
    description:
      'At most once every 15 minutes. In READY, the records must point to the server first, and the previous domain stays if the new one does not work.',
    access: 'verified',
    recent_authentication: 'administrators',
    params,
    body: z.object({ domain: shortText(CONFIG_VALUE_LENGTH_MAX, asciiDomain), reason: actReason.nullish() }),
    status: 200,
    answer: deployment,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'FIELDS_INVALID', 'RATE_LIMITED'],
  },
  configuration: {
    operation: 'getConfiguration',
    method: 'GET',
    path: '/deployments/{id}/configuration',
    summary: 'Get the configuration of a deployment',
    description: 'Secrets are listed without their values.',
    access: 'user',
    params,
    status: 200,
    answer: configuration,
    errors: ['NOT_FOUND'],
  },
  configure: {
    operation: 'changeConfiguration',
    method: 'PATCH',
    path: '/deployments/{id}/configuration',
    summary: 'Change the configuration of a deployment',
    description:
      'Missing values stay unchanged. The deployment restarts with the new values. If it is not healthy or its certificate is not issued, the previous values return.',
    access: 'verified',
    recent_authentication: 'administrators',
    params,
    body: configurationChange,
    status: 200,
    answer: deployment,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'FIELDS_INVALID', 'RATE_LIMITED'],
    limit: 'change_configuration',
  },
  rename: {
    operation: 'renameDeployment',
    method: 'PUT',
    path: '/deployments/{id}/name',
    summary: 'Rename a deployment',
    description: 'Display name, 1 to 60 characters. Not used on the server.',
    access: 'verified',
    params,
    body: z.object({ name: line(200) }),
    status: 200,
    answer: deployment,
    errors: ['NOT_FOUND', 'FIELDS_INVALID'],
  },
  setDeletionLock: {
    operation: 'setDeletionLock',
    method: 'PUT',
    path: '/deployments/{id}/deletion-lock',
    summary: 'Turn the deletion lock on or off',
    description:
      'While the lock is on, delete, cancel and hand-over requests are rejected. The deployment still ends if the balance runs out.',
    access: 'verified',
    params,
    body: z.object({ locked: z.boolean() }),
    status: 200,
    answer: deployment,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE'],
  },
  unpaidEndings: {
    operation: 'listUnpaidEndings',
    method: 'GET',
    path: '/deployments/unpaid-endings',
    summary: 'List deployments that ended because the balance ran out',
    description: 'Newest first, at most 20. Dismissed notices are excluded.',
    access: 'user',
    status: 200,
    answer: z.array(unpaidEnding),
    errors: [],
  },
  dismissEnding: {
    operation: 'dismissUnpaidEnding',
    method: 'POST',
    path: '/deployments/{id}/dismiss-ending',
    summary: 'Dismiss the notice that a deployment ended',
    access: 'user',
    params,
    status: 200,
    answer: sent,
    errors: ['NOT_FOUND'],
  },
  alternatives: {
    operation: 'listAlternatives',
    method: 'GET',
    path: '/deployments/{id}/alternatives',
    summary: 'List alternatives for an unavailable size',
    description:
      'For a deployment whose size was sold out or not permitted. Returns similar sizes in its region, then the same size in other regions, at most six.',
    access: 'user',
    params,
    status: 200,
    answer: z.array(alternative),
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE'],
  },
  retry: {
    operation: 'retryDeployment',
    method: 'POST',
    path: '/deployments/{id}/retry',
    summary: 'Retry an order with another size or region',
    description:
      'Takes another size or region of the same provider. Everything else is unchanged, including secrets. Owner only. Without an `Idempotency-Key`, repeating the call within 60 seconds returns the same deployment.',
    access: 'verified',
    idempotency_key: true,
    params,
    body: retryOrder,
    status: 201,
    answer: deployment,
    errors: [
      'NOT_FOUND',
      'DEPLOYMENT_STATE',
      'BALANCE_TOO_LOW',
      'BALANCE_OWED',
      'CREDIT_ONLY_LIMIT',
      'DEPLOYMENT_LIMIT',
      'PLATFORM_DOMAIN_FULL',
      'PRICE_CHANGED',
      'FIELDS_INVALID',
    ],
    limit: 'create_deployment',
  },
  reopen: {
    operation: 'reopenDeployment',
    method: 'POST',
    path: '/deployments/{id}/reopen',
    summary: 'Reopen a deployment',
    description: 'For a deployment whose lost server was found again. Billing resumes immediately.',
    access: 'admin',
    recent_authentication: true,
    params,
    body: z.object({ reason: shortText(300).min(1) }),
    idempotency_key: true,
    status: 200,
    answer: deployment,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'BALANCE_TOO_LOW'],
  },
  revealSecrets: {
    operation: 'revealSecrets',
    method: 'POST',
    path: '/deployments/{id}/reveal-secrets',
    summary: 'Reveal the secrets of a deployment',
    description: 'Owner only. Every call is audited.',
    access: 'user',
    recent_authentication: true,
    params,
    status: 200,
    answer: z.object({ secrets: z.array(z.object({ name: z.string(), label: z.string(), value: z.string() })) }),
    errors: ['NOT_FOUND'],
    limit: 'reveal_secrets',
  },
} as const satisfies Record<string, Call>;
