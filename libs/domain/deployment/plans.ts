/**
 * Plans of a deployment. The step names are stored in the run when it starts, so that later code changes cannot break
 * it.
 */
export const PLANS = [
  'create',
  'destroy',
  'restart',
  'validate-dns',
  'change-domain',
  'restore',
  'undo-restore',
  'configure',
  'undo-configure',
  'resize',
  'undo-resize',
  'update',
  'undo-update',
  'reboot',
  'undo-reboot',
] as const;
export type Plan = (typeof PLANS)[number];

export const STEP_NAMES = [
  'create-server',
  'wait-for-ssh',
  'preflight',
  'bootstrap',
  'upload-stack',
  'start-stack',
  'restart-stack',
  'check-health',
  'validate-dns',
  'issue-certificate',
  'finish',
  'remove-stack',
  'hand-over',
  'delete-server',
  'confirm',
  'back-up',
  'back-up-source',
  'restore-data',
  'swap-data',
  'swap-back',
  'resize-server',
  'start-server',
  'keep-server',
  'pull-images',
  'keep-data',
  'put-back-data',
  'tidy-update',
  'reboot-server',
  'set-records',
  'remove-records',
] as const;
export type StepName = (typeof STEP_NAMES)[number];

/**
 * Conditions that select the steps of a plan. A customer's own server is neither created nor deleted, and a package
 * without a domain needs no DNS and certificates.
 */
export interface PlanFacts {
  readonly server_type: 'new' | 'vps';
  readonly has_domain: boolean;
  /** A new deployment restores the data of a backup. */
  readonly restores?: boolean;
  /** A new deployment gets the data of another one that is still running, which is backed up for this. */
  readonly moves?: boolean;
  /** A last backup is taken before the deployment is destroyed. */
  readonly last_backup?: boolean;
  /** The owner takes over the running software, so nothing is removed but our access. */
  readonly hands_over?: boolean;
  /** The data is backed up before the server gets another size. */
  readonly backs_up?: boolean;
  /** It has a domain, and its server may get another address when it is stopped. */
  readonly may_move?: boolean;
  /** The server is kept for a while, so that its delete can be undone. */
  readonly undoable?: boolean;
  /** The stack is stopped, so it is started before DNS is checked. */
  readonly stopped?: boolean;
  /** The restored data belongs to another release, whose files it needs. */
  readonly other_release?: boolean;
  /** The server is switched off at its provider. */
  readonly switched_off?: boolean;
  /** Its domain is a name below the platform's, so we set its DNS records. */
  readonly platform_name?: boolean;
}

type Condition =
  | 'new'
  | 'domain'
  | 'domain_running'
  | 'domain_stopped'
  | 'restores'
  | 'moves'
  | 'last_backup'
  | 'removes'
  | 'hands_over'
  | 'backs_up'
  | 'may_move'
  | 'undoable'
  | 'other_release'
  | 'switched_off'
  | 'platform_name'
  | 'platform_name_new'
  | 'platform_name_moves'
  | 'platform_name_may_move';
interface Entry {
  readonly step: StepName;
  readonly only?: Condition;
}

const only = (condition: Condition, ...steps: StepName[]): Entry[] => steps.map((step) => ({ step, only: condition }));
const always = (...steps: StepName[]): Entry[] => steps.map((step) => ({ step }));

const ENTRIES: Readonly<Record<Plan, readonly Entry[]>> = {
  create: [
    ...only('new', 'create-server'),
    ...always('wait-for-ssh'),
    // Early, so that no resolver caches that the name does not exist. In a move it still points to the old server.
    ...only('platform_name_new', 'set-records'),
    ...always('preflight', 'bootstrap', 'upload-stack', 'start-stack', 'check-health'),
    ...only('moves', 'back-up-source'),
    ...only('restores', 'restore-data', 'swap-data', 'check-health'),
    ...only('platform_name_moves', 'set-records'),
    ...only('domain', 'validate-dns', 'issue-certificate'),
    ...always('finish'),
  ],
  destroy: [
    ...only('last_backup', 'back-up'),
    ...only('undoable', 'keep-server'),
    ...only('removes', 'remove-stack'),
    ...only('hands_over', 'hand-over'),
    ...only('platform_name', 'remove-records'),
    ...only('new', 'delete-server'),
    ...always('confirm'),
  ],
  restart: [
    ...only('switched_off', 'start-server', 'wait-for-ssh'),
    ...only('platform_name', 'set-records'),
    ...only('domain_running', 'validate-dns'),
    ...always('restart-stack', 'check-health'),
    ...only('domain_stopped', 'validate-dns'),
    ...only('domain', 'issue-certificate'),
    ...always('finish'),
  ],
  'validate-dns': [...only('platform_name', 'set-records'), ...always('validate-dns', 'issue-certificate', 'finish')],
  'change-domain': [
    ...always('upload-stack', 'start-stack', 'check-health'),
    ...only('platform_name', 'set-records'),
    ...always('validate-dns', 'issue-certificate', 'finish'),
  ],
  // Backs up the current data first. The data also stays on the server for a day.
  restore: [
    ...always('back-up', 'restore-data'),
    ...only('other_release', 'upload-stack'),
    ...always('swap-data', 'check-health', 'finish'),
  ],
  'undo-restore': always('swap-back', 'check-health', 'finish'),
  // Checks DNS while the stack still has the previous values.
  configure: [
    ...only('platform_name', 'set-records'),
    ...only('domain', 'validate-dns'),
    ...always('upload-stack', 'start-stack', 'check-health'),
    ...only('domain', 'issue-certificate'),
    ...always('finish'),
  ],
  'undo-configure': [
    ...always('upload-stack', 'start-stack', 'check-health'),
    ...only('domain', 'issue-certificate'),
    ...always('finish'),
  ],
  resize: [
    ...only('backs_up', 'back-up'),
    ...always('resize-server', 'wait-for-ssh', 'check-health'),
    ...only('platform_name_may_move', 'set-records'),
    ...only('may_move', 'validate-dns', 'issue-certificate'),
    ...always('finish'),
  ],
  'undo-resize': [
    ...always('resize-server', 'wait-for-ssh', 'check-health'),
    ...only('platform_name_may_move', 'set-records'),
    ...only('may_move', 'validate-dns', 'issue-certificate'),
    ...always('finish'),
  ],
  // Everything that can fail without touching what runs comes first.
  update: [
    ...only('backs_up', 'back-up'),
    ...always('pull-images', 'keep-data', 'upload-stack', 'start-stack', 'check-health'),
    ...only('domain', 'issue-certificate'),
    ...always('tidy-update', 'finish'),
  ],
  'undo-update': [
    ...always('put-back-data', 'check-health'),
    ...only('domain', 'issue-certificate'),
    ...always('tidy-update', 'finish'),
  ],
  reboot: always('reboot-server', 'check-health', 'finish'),
  // A server that does not come back is started through its provider.
  'undo-reboot': [
    ...always('start-server', 'wait-for-ssh', 'restart-stack', 'check-health'),
    ...only('platform_name_may_move', 'set-records'),
    ...only('may_move', 'validate-dns', 'issue-certificate'),
    ...always('finish'),
  ],
};

/** Plans that upload another stack, replace every container, and start the router last. */
export const REPLACES_STACK: readonly Plan[] = [
  'change-domain',
  'configure',
  'undo-configure',
  'update',
  'undo-update',
];

/** Returns the steps of a plan that apply to a deployment, in order. */
export function stepsOf(plan: Plan, facts: PlanFacts): StepName[] {
  return ENTRIES[plan]
    .filter(({ only: condition }) => {
      if (condition === 'new') return facts.server_type === 'new';
      if (condition === 'domain') return facts.has_domain;
      if (condition === 'removes') return facts.hands_over !== true;
      if (condition === 'domain_running') return facts.has_domain && facts.stopped !== true;
      if (condition === 'domain_stopped') return facts.has_domain && facts.stopped === true;
      if (condition === 'platform_name_new') return facts.platform_name === true && facts.moves !== true;
      if (condition === 'platform_name_moves') return facts.platform_name === true && facts.moves === true;
      if (condition === 'platform_name_may_move') return facts.platform_name === true && facts.may_move === true;
      if (condition === undefined) return true;
      return facts[condition] === true;
    })
    .map(({ step }) => step);
}

export function isStepName(name: string | undefined): name is StepName {
  return STEP_NAMES.some((known) => known === name);
}
