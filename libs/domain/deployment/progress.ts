import type { Instant } from '../time';
import { CONSTANTS } from '../constants';
import { type Plan, STEP_NAMES, type StepName, stepsOf } from './plans';
import type { DeploymentStatus } from './status';
import type { Message } from '../messages/message';

/** What a person is shown of a run, and in which words is the console's: these are the keys of its texts. */
export const PROGRESS_STEPS = [
  /** The order itself. */
  'created',
  ...STEP_NAMES.filter((name): name is ShownStep => name !== 'finish'),
] as const;
type ShownStep = Exclude<StepName, 'finish'>;
export type ProgressStepName = 'created' | ShownStep;

export const PROGRESS_STATES = ['done', 'running', 'waiting', 'action_required', 'failed'] as const;
export type ProgressState = (typeof PROGRESS_STATES)[number];

/** A run as the provisioner keeps it. */
export interface RunFacts {
  readonly plan: Plan;
  readonly steps: readonly string[];
  readonly position: number;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  /** When the step at `position` was begun; null: not yet. */
  readonly stepStartedAt: Instant | null;
  /** Attempts of it that ended in an error. */
  readonly stepErrors: number;
  readonly startedAt: Instant;
  /** It waits for the owner to let us onto their server. */
  readonly waitsForAccess: boolean;
  /** It cleans up after a failure. */
  readonly cleansUp: boolean;
  readonly entries: readonly EntryFacts[];
}

/** A line of the step log, in order. `message` is for the customer. */
export interface EntryFacts {
  readonly step: string;
  readonly outcome: 'started' | 'done' | 'waiting' | 'failed' | 'retrying';
  readonly message: Message | null;
  readonly at: Instant;
}

export interface ProgressQuestion {
  readonly status: DeploymentStatus;
  readonly createdAt: Instant;
  readonly serverType: 'new' | 'vps';
  readonly hasDomain: boolean;
  /** The address of the server is known, so the records can be set. */
  readonly hasAddress: boolean;
  /** The last look found every required record right. */
  readonly dnsRight: boolean;
  /** Newest first; two are enough. */
  readonly runs: readonly RunFacts[];
  readonly now: Instant;
}

export interface ProgressStep {
  readonly name: ProgressStepName;
  /** `cleanup`: what was done after the failure. */
  readonly part: 'run' | 'cleanup';
  readonly state: ProgressState;
  readonly startedAt: Instant | null;
  readonly endedAt: Instant | null;
  readonly message: Message | null;
  readonly attempts: number;
}

export interface Progress {
  /** null: nothing was ever begun. */
  readonly run: Plan | null;
  readonly steps: readonly ProgressStep[];
  /** The step that is on: 1 for the first of `steps`; null when none is. */
  readonly number: number | null;
  /** Being set up for longer than that usually takes. */
  readonly overdue: boolean;
}

/** In these a run is at work, or about to be. */
const RUN_OF_STATUS: Readonly<Partial<Record<DeploymentStatus, Plan>>> = {
  CREATING: 'create',
  PROVISIONING: 'create',
  DNS_VALIDATION: 'validate-dns',
  RESTARTING: 'restart',
  DESTROYING: 'destroy',
};

const isShown = (step: string): step is ProgressStepName => (PROGRESS_STEPS as readonly string[]).includes(step);

/**
 * The newest run as a list a person understands. A create that failed is followed by what was cleaned up after it. What
 * is the owner's to do says so as soon as it can be done, before its turn.
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

/** Which step of how many is on, for a list; null when no run is at work. */
export function progressInBrief(run: {
  readonly plan: Plan;
  readonly steps: readonly string[];
  readonly position: number;
}): { readonly step: ProgressStepName; readonly number: number; readonly of: number } | null {
  const shown = run.steps.filter(isShown);
  const before = run.plan === 'create' ? 1 : 0;
  // while only the completing of the rows is left, the last step that people know is on
  const done = run.steps.slice(0, run.position).filter(isShown).length;
  const step = shown[Math.min(done, shown.length - 1)];
  if (step === undefined) return null;
  return { step, number: before + Math.min(done + 1, shown.length), of: before + shown.length };
}

function chosenRuns({ status, serverType, hasDomain, createdAt, runs }: ProgressQuestion): {
  main: RunFacts | null;
  cleanup: RunFacts | null;
} {
  const [newest, before] = runs;
  const due = RUN_OF_STATUS[status];
  // asked for and not begun yet: the plan as it is going to be
  if (due !== undefined && newest?.state !== 'running') {
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

/** Between two steps the next one is on already: a list in which nothing is on would flicker. */
function endOfLast({ position, entries }: RunFacts): Instant | null {
  return position === 0 ? null : (entries.findLast(({ outcome }) => outcome === 'done')?.at ?? null);
}

/** What was said last; of a step that is done only what was said at its end. */
function messageOf(entries: readonly EntryFacts[], state: ProgressState): Message | null {
  const last = entries.findLast(({ outcome, message }) => outcome === 'done' || message !== null);
  return state === 'done' && last?.outcome !== 'done' ? null : (last?.message ?? null);
}

/** null: a step that was never reached and never will be. */
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
