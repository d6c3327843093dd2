import type { Instant } from '../time';
import { CONSTANTS } from '../constants';
import { type Plan, STEP_NAMES, type StepName, stepsOf } from './plans';
import type { DeploymentStatus } from './status';
import type { Message } from '../messages/message';

/** Steps of a run shown to the user. They are keys of the console's texts. */
export const PROGRESS_STEPS = [
  /** The order itself. */
  'created',
  ...STEP_NAMES.filter((name): name is ShownStep => name !== 'finish'),
] as const;
type ShownStep = Exclude<StepName, 'finish'>;
export type ProgressStepName = 'created' | ShownStep;

export const PROGRESS_STATES = ['done', 'running', 'waiting', 'action_required', 'failed'] as const;
export type ProgressState = (typeof PROGRESS_STATES)[number];

/** A run as the provisioner stores it. */
export interface RunFacts {
  readonly plan: Plan;
  readonly steps: readonly string[];
  readonly position: number;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  /** Start of the step at `position`, or null if it has not started. */
  readonly stepStartedAt: Instant | null;
  /** Failed attempts of the step. */
  readonly stepErrors: number;
  readonly startedAt: Instant;
  /** The run waits for the owner to grant access to the server. */
  readonly waitsForAccess: boolean;
  /** The run cleans up after a failure. */
  readonly cleansUp: boolean;
  readonly entries: readonly EntryFacts[];
}

/** An entry of the step log, in order. `message` is shown to the customer. */
export interface EntryFacts {
  readonly step: string;
  readonly outcome: 'started' | 'done' | 'waiting' | 'failed' | 'retrying';
  readonly message: Message | null;
  readonly at: Instant;
}

export interface ProgressQuestion {
  readonly status: DeploymentStatus;
  /** Plan that is running, or about to run, in RESTARTING. Null in other statuses. */
  readonly planOfRestart: Plan | null;
  readonly createdAt: Instant;
  readonly serverType: 'new' | 'vps';
  readonly hasDomain: boolean;
  /** The server's address is known, so the DNS records can be set. */
  readonly hasAddress: boolean;
  /** The last DNS check found every required record correct. */
  readonly dnsRight: boolean;
  /** Newest first. Two are enough. */
  readonly runs: readonly RunFacts[];
  readonly now: Instant;
}

export interface ProgressStep {
  readonly name: ProgressStepName;
  /** `cleanup` marks the steps after a failure. */
  readonly part: 'run' | 'cleanup';
  readonly state: ProgressState;
  readonly startedAt: Instant | null;
  readonly endedAt: Instant | null;
  readonly message: Message | null;
  readonly attempts: number;
}

export interface Progress {
  /** Null if no run was ever started. */
  readonly run: Plan | null;
  readonly steps: readonly ProgressStep[];
  /** Position of the current step, starting at 1, or null if there is none. */
  readonly number: number | null;
  /** Provisioning takes longer than usual. */
  readonly overdue: boolean;
}

/** Plan that is running, or about to run, in each status but RESTARTING, which has several. */
const RUN_OF_STATUS: Readonly<Partial<Record<DeploymentStatus, Plan>>> = {
  CREATING: 'create',
  PROVISIONING: 'create',
  DNS_VALIDATION: 'validate-dns',
  DESTROYING: 'destroy',
};

const isShown = (step: string): step is ProgressStepName => (PROGRESS_STEPS as readonly string[]).includes(step);

/**
 * Converts the newest run to a list of steps for the user. A failed create is followed by its clean-up. Steps that the
 * owner has to do are shown as soon as they can be done, before their turn.
 */
export function progressOf(question: ProgressQuestion): Progress {
  const { main, cleanup } = chosenRuns(question);
  if (main === null) return { run: null, steps: [], number: null, overdue: false };
  const steps = [...created(main, question), ...stepsOfRun(main, 'run', question)];
  const all = cleanup === null ? steps : [...steps, ...stepsOfRun(cleanup, 'cleanup', question)];
  const on = all.findIndex(({ state }) => state !== 'done' && state !== 'failed');
  const current = on >= 0 ? on : all.findIndex(({ state }) => state === 'failed');
  const settingUp = question.status === 'CREATING' || question.status === 'PROVISIONING';
  return {
    run: main.plan,
    steps: all,
    number: current < 0 ? null : current + 1,
    overdue: settingUp && question.now >= main.startedAt + CONSTANTS.provisioningUsualMs,
  };
}

/** Returns the current step and the number of steps for lists, or null if no run is in progress. */
export function progressInBrief(run: {
  readonly plan: Plan;
  readonly steps: readonly string[];
  readonly position: number;
}): { readonly step: ProgressStepName; readonly number: number; readonly of: number } | null {
  const shown = run.steps.filter(isShown);
  const before = run.plan === 'create' ? 1 : 0;
  // While only the final bookkeeping remains, the last visible step stays current.
  const done = run.steps.slice(0, run.position).filter(isShown).length;
  const step = shown[Math.min(done, shown.length - 1)];
  if (step === undefined) return null;
  return { step, number: before + Math.min(done + 1, shown.length), of: before + shown.length };
}

function chosenRuns({ status, planOfRestart, serverType, hasDomain, createdAt, runs }: ProgressQuestion): {
  main: RunFacts | null;
  cleanup: RunFacts | null;
} {
  const [newest, before] = runs;
  const due = RUN_OF_STATUS[status] ?? planOfRestart;
  // Requested but not started, so show the plan as it will run.
  if (due !== null && newest?.state !== 'running') {
    const steps = stepsOf(due, { server_type: serverType, has_domain: hasDomain });
    return { main: { ...UNBEGUN, plan: due, steps, startedAt: createdAt }, cleanup: null };
  }
  if (newest === undefined) return { main: null, cleanup: null };
  if (newest.cleansUp && before?.state === 'failed') return { main: before, cleanup: newest };
  return { main: newest, cleanup: null };
}

const UNBEGUN = {
  position: 0,
  state: 'running',
  stepStartedAt: null,
  stepErrors: 0,
  waitsForAccess: false,
  cleansUp: false,
  entries: [],
} as const;

function created({ plan }: RunFacts, { createdAt }: ProgressQuestion): ProgressStep[] {
  if (plan !== 'create') return [];
  return [
    {
      name: 'created',
      part: 'run',
      state: 'done',
      startedAt: createdAt,
      endedAt: createdAt,
      message: null,
      attempts: 1,
    },
  ];
}

function stepsOfRun(run: RunFacts, part: 'run' | 'cleanup', question: ProgressQuestion): ProgressStep[] {
  return run.steps.flatMap((name, index) => {
    if (!isShown(name)) return [];
    const state = stateOf(run, { name, index }, question);
    if (state === null) return [];
    const entries = run.entries.filter(({ step }) => step === name);
    const ended = entries.findLast(({ outcome }) => outcome === 'done' || outcome === 'failed');
    const retries = entries.filter(({ outcome }) => outcome === 'retrying').length;
    const isOn = index === run.position && run.state === 'running';
    return [
      {
        name,
        part,
        state,
        startedAt: entries.find(({ outcome }) => outcome === 'started')?.at ?? (isOn ? endOfLast(run) : null),
        endedAt: state === 'done' || run.state !== 'running' ? (ended?.at ?? null) : null,
        message: state === 'waiting' ? null : messageOf(entries, state),
        attempts: state === 'waiting' ? 0 : isOn ? run.stepErrors + 1 : retries + 1,
      },
    ];
  });
}

/**
 * Returns the end of the previous step as the start of a current step that has not started. The next step counts as
 * current between two steps, otherwise the list would flicker.
 */
function endOfLast({ position, entries }: RunFacts): Instant | null {
  return position === 0 ? null : (entries.findLast(({ outcome }) => outcome === 'done')?.at ?? null);
}

/** Returns the latest message. For a finished step only the message of its end counts. */
function messageOf(entries: readonly EntryFacts[], state: ProgressState): Message | null {
  const last = entries.findLast(({ outcome, message }) => outcome === 'done' || message !== null);
  return state === 'done' && last?.outcome !== 'done' ? null : (last?.message ?? null);
}

/** Returns the state of a step, or null if it was not reached and never will be. */
function stateOf(
  run: RunFacts,
  { name, index }: { name: ProgressStepName; index: number },
  { status, hasAddress, dnsRight }: ProgressQuestion,
): ProgressState | null {
  if (run.state === 'done' || index < run.position) return 'done';
  const goesOn = run.state === 'running' || status === 'DNS_FAILED';
  const records = name === 'validate-dns' && goesOn && hasAddress && !dnsRight;
  if (records) return 'action_required';
  if (index > run.position) return goesOn ? 'waiting' : null;
  if (run.state !== 'running') return run.state === 'failed' ? 'failed' : null;
  if (run.waitsForAccess) return 'action_required';
  return run.stepStartedAt === null && run.position === 0 ? 'waiting' : 'running';
}
