import { RUN_WORK } from '@moorage/contracts';
import { type DeploymentRow, Deployments } from '@moorage/database';
import { type Instant, isStepName, type Message, type Plan, STEP_MESSAGES, type StepName } from '@moorage/domain';
import { assertLease, type Claim, LeaseLost, Outbox, type Outcome } from '@moorage/messaging';
import { HandlesWork, Metrics } from '@moorage/runtime';
import { Clock, Db, Log, Random, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { findServer, noteServer, type ServerRow } from '../server-store/server-store';
import { StepTable } from '../steps/step-table.service';
import { RunLifecycle } from './run-lifecycle.service';
import { advanceRun, beginStep, findRun, rememberInRun, stackIsCurrent } from '../runs/run-store';
import type { Memory, RunRow, StepOutcome } from '../runs/step';
import { RunTimeouts, type StepTimeouts } from '../runs/step-timeouts';
import { appendToTimeline, type TimelineOutcome } from './timeline';
import { deadlineMessage, failureOf } from '../runs/step-failure';

interface LoadedRun {
  readonly run: RunRow;
  readonly deployment: DeploymentRow;
  readonly server: ServerRow | null;
  readonly now: Instant;
  readonly fencingToken: number;
  readonly assertLease: (tx: Tx) => Promise<void>;
}

const TAKES_LONGER = STEP_MESSAGES.slow;
const UNKNOWN_STEP_PAUSE_MS = 60_000;

/** Number of runs that this process advances concurrently. */
const CONCURRENCY = 5;

/** Deadlines of steps that are shorter in some plans, because the deployment runs or its previous values can return. */
const SHORTER: Readonly<Partial<Record<`${Plan} ${StepName}`, (timeouts: StepTimeouts) => number>>> = {
  'restart validate-dns': ({ restart_dns_deadline_ms }) => restart_dns_deadline_ms,
  'resize validate-dns': ({ restart_dns_deadline_ms }) => restart_dns_deadline_ms,
  'undo-resize validate-dns': ({ restart_dns_deadline_ms }) => restart_dns_deadline_ms,
  'undo-reboot validate-dns': ({ restart_dns_deadline_ms }) => restart_dns_deadline_ms,
  'configure validate-dns': ({ restart_dns_deadline_ms }) => restart_dns_deadline_ms,
  'configure issue-certificate': ({ configure_certificate_deadline_ms }) => configure_certificate_deadline_ms,
  'update issue-certificate': ({ configure_certificate_deadline_ms }) => configure_certificate_deadline_ms,
};

/** First step after which resources of ours may exist on a machine, so that a failure requires a clean-up. */
const TOUCHES_A_SERVER: Readonly<Record<DeploymentRow['server_type'], StepName>> = {
  new: 'create-server',
  vps: 'preflight',
};

/** Returns the last message of the current step. */
function lastMessage({ memory: { message } }: RunRow): Message | null {
  return typeof message === 'object' ? message : null;
}

/** Name in logs and metrics. */
const providerOf = ({ server_type, cloud_provider }: DeploymentRow): string =>
  server_type === 'vps' ? 'own_server' : (cloud_provider ?? 'none');

function endOf(outcome: StepOutcome | { error: unknown }, signal: AbortSignal): string {
  if ('done' in outcome) return 'done';
  if ('failed' in outcome) return 'failed';
  if ('retry_at' in outcome) return 'waiting';
  return signal.aborted ? 'interrupted' : 'error';
}

/** Executes a plan, one step per claim. Stores nothing in memory between claims. The run row contains the position. */
@Injectable()
export class RunWalker {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly deployments: Deployments,
    private readonly outbox: Outbox,
    private readonly lifecycle: RunLifecycle,
    private readonly steps: StepTable,
    private readonly timeouts: RunTimeouts,
    private readonly log: Log,
    private readonly metrics: Metrics,
  ) {}

  /** Executes the run's next step once. */
  @HandlesWork(RUN_WORK, { concurrency: CONCURRENCY })
  async walk(claim: Claim, signal: AbortSignal): Promise<Outcome> {
    const found = await this.load(claim);
    if (found === null) return { done: true };
    const { run, deployment, now } = found;
    if (!this.lifecycle.mayGoOn(run, deployment)) return this.cancelling(found);
    const step = run.steps[run.position];
    if (!isStepName(step)) {
      this.log.error('run names a step unknown to this version', { run_id: run.id, step });
      return { retry_at: now + UNKNOWN_STEP_PAUSE_MS, reason: 'a newer version knows this step' };
    }

    const startedAt = run.step_started_at ?? now;
    const deadline = this.deadlineOf(found, step, startedAt);
    if (now >= deadline) return this.failing(found, step, deadlineMessage(step, lastMessage(run)));
    if (run.step_started_at === null && !(await this.begin(found, step)))
      return { retry_at: now, reason: 'the rows were changed concurrently' };

    const began = this.clock.localNow();
    const outcome = await this.attempt(found, step, startedAt, signal);
    this.log.info('run step', {
      run_id: run.id,
      deployment_id: deployment.id,
      plan: run.plan,
      step,
      provider: providerOf(deployment),
      outcome: endOf(outcome, signal),
      ms: this.clock.localNow() - began,
    });
    if ('done' in outcome) return this.advancing(found, step, outcome);
    if ('failed' in outcome) return this.failing(found, step, outcome.failed, outcome.commit);
    if ('retry_at' in outcome) {
      const { retry_at, reason, memory = {}, commit } = outcome;
      const wait = { at: Math.min(retry_at, deadline), message: reason, memory, errors: run.step_attempts };
      return this.waiting(found, step, { ...wait, as: 'waiting', ...(commit === undefined ? {} : { commit }) });
    }

    // Not a failure of the step. The process is stopping, or another worker has claimed the work.
    if (signal.aborted) return { retry_at: now, reason: 'the step was interrupted' };
    const failure = failureOf(step, outcome.error, deployment);
    if (failure.waits === true) {
      const wait = {
        at: Math.min(now + (failure.retry_after_ms ?? this.timeouts.of(deployment).busy_poll_ms), deadline),
        message: failure.message,
        memory: {},
      };
      return this.waiting(found, step, { ...wait, as: 'waiting', errors: run.step_attempts });
    }
    const errors = run.step_attempts + 1;
    const { errors_max, backoff_ms, backoff_max_ms } = this.timeouts.of(deployment).steps[step];
    this.log.warn('step failed', {
      run_id: run.id,
      deployment_id: deployment.id,
      step,
      errors,
      permanent: failure.permanent,
      reason: failure.detail,
    });
    if (errors_max !== null && (failure.permanent || errors >= errors_max))
      return this.failing(found, step, failure.message);
    const backoff = Math.min(backoff_max_ms, backoff_ms * 2 ** Math.min(errors - 1, 16));
    const pause = failure.retry_after_ms ?? backoff * (0.5 + this.random.fraction() / 2);
    const at = Math.min(now + pause, deadline);
    const actionRequired = failure.ownerActionRequired === true ? ({ actionRequired: 'access' } as const) : {};
    return this.waiting(found, step, {
      at,
      message: failure.message,
      as: 'retrying',
      errors,
      memory: {},
      ...actionRequired,
    });
  }

  private async load(claim: Claim): Promise<LoadedRun | null> {
    return this.db.tx('run.read', async (tx) => {
      const run = await findRun(tx, Number(claim.key));
      if (run?.state !== 'running') return null;
      const deployment = await this.deployments.lock(tx, run.deployment_id);
      if (deployment === null) return null;
      return {
        run,
        deployment,
        server: await findServer(tx, deployment.id),
        now: await this.clock.now(tx),
        fencingToken: claim.fencingToken,
        assertLease: (later) => assertLease(later, claim),
      };
    });
  }

  /**
   * Wraps every later transaction of a claim. Reads the rows again under lock, and does nothing if the run has ended.
   */
  private underLock(
    found: LoadedRun,
    act: (tx: Tx, run: RunRow, row: DeploymentRow, now: Instant) => Promise<void>,
  ): (tx: Tx) => Promise<void> {
    return async (tx) => {
      const row = await this.deployments.lock(tx, found.deployment.id);
      const run = await findRun(tx, found.run.id);
      if (row === null || run?.state !== 'running') return;
      await act(tx, run, row, await this.clock.now(tx));
    };
  }

  private note(
    tx: Tx,
    run: RunRow,
    row: DeploymentRow,
    entry: { step: string; outcome: TimelineOutcome; message?: Message; at: Instant },
  ): Promise<void> {
    return appendToTimeline(tx, this.outbox, { deployment: row, run_id: run.id, ...entry });
  }

  /** Measures the time since the step began. Waiting is recorded only once it is over. */
  private measure(
    tx: Tx,
    { plan, step_started_at }: RunRow,
    deployment: DeploymentRow,
    { step, outcome, at }: { step: string; outcome: 'done' | 'retry' | 'failed'; at: Instant },
  ): void {
    const provider = providerOf(deployment);
    const seconds = Math.max(0, at - (step_started_at ?? at)) / 1_000;
    tx.afterCommit(() => this.metrics.runStepSeconds.observe({ plan, step, provider, outcome }, seconds));
  }

  /**
   * Writes the timeline entry before the step, makes the status changes of entering it, and notes that a server may
   * exist from now on.
   */
  private async begin(found: LoadedRun, step: StepName): Promise<boolean> {
    return this.db.tx('run.begin', async (tx) => {
      let mayBegin = false;
      await this.underLock(found, async (_tx, run, row, now) => {
        if (run.position !== found.run.position || !this.lifecycle.mayGoOn(run, row)) return;
        mayBegin = true;
        await beginStep(tx, run.id, now);
        if (run.plan === 'create' && row.status === 'CREATING') {
          await this.deployments.move(tx, row, { to: 'PROVISIONING', by: 'provisioner', at: now });
        }
        if (TOUCHES_A_SERVER[row.server_type] === step && !row.server_exists) {
          await noteServer(tx, row.id, { server_exists: true });
        }
        await this.note(tx, run, row, { step, outcome: 'started', at: now });
      })(tx);
      await found.assertLease(tx);
      return mayBegin;
    });
  }

  /** Ends the run as failed. The plan decides the deployment's status. */
  private failing(found: LoadedRun, step: string, reason: Message, commit?: (tx: Tx) => Promise<void>): Outcome {
    return {
      done: true,
      commit: this.underLock(found, async (tx, run, row, now) => {
        this.measure(tx, run, row, { step, outcome: 'failed', at: now });
        await commit?.(tx);
        await this.note(tx, run, row, { step, outcome: 'failed', message: reason, at: now });
        if (!this.lifecycle.mayGoOn(run, row)) return this.lifecycle.cancel(tx, run, row, now);
        await this.lifecycle.fail(tx, run, row, now, reason);
      }),
    };
  }

  private cancelling(found: LoadedRun): Outcome {
    return {
      done: true,
      commit: this.underLock(found, (tx, run, row, now) => this.lifecycle.cancel(tx, run, row, now)),
    };
  }

  private deadlineOf(found: LoadedRun, step: StepName, startedAt: Instant): Instant {
    const { run, deployment } = found;
    const timeouts = this.timeouts.of(deployment);
    const whole = SHORTER[`${run.plan} ${step}`]?.(timeouts) ?? timeouts.steps[step].deadline_ms;
    const ends = [whole === null ? Infinity : startedAt + whole];
    // Many gigabytes of data take longer to restore than a server takes to create.
    const restores = run.steps.includes('restore-data');
    if (!restores && (deployment.status === 'CREATING' || deployment.status === 'PROVISIONING')) {
      ends.push(run.started_at + timeouts.provisioning_deadline_ms);
    }
    return Math.min(...ends);
  }

  /** Makes one attempt, which ends by its own deadline or when the lease is lost. */
  private async attempt(
    found: LoadedRun,
    step: StepName,
    startedAt: Instant,
    lease: AbortSignal,
  ): Promise<StepOutcome | { error: unknown }> {
    const over = new AbortController();
    const timer = this.clock.sleep(this.timeouts.of(found.deployment).steps[step].attempt_ms, over.signal).then(() => {
      if (!over.signal.aborted) over.abort(new Error('the attempt took too long'));
    });
    try {
      const { run, deployment, server, now, fencingToken, assertLease } = found;
      return await this.steps
        .of(step)
        .run(
          { run, deployment, server, startedAt, now, fencingToken, assertLease },
          AbortSignal.any([over.signal, lease]),
        );
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      return { error };
    } finally {
      over.abort();
      await timer;
    }
  }

  /**
   * Stores the results of a finished step, writes the timeline entry after it, and advances to the next step or the end
   * of the plan.
   */
  private advancing(found: LoadedRun, step: StepName, outcome: Extract<StepOutcome, { done: true }>): Outcome {
    const last = found.run.position + 1 >= found.run.steps.length;
    const commit = this.underLock(found, async (tx, run, row, now) => {
      if (run.position !== found.run.position) return;
      this.measure(tx, run, row, { step, outcome: 'done', at: now });
      await outcome.commit?.(tx);
      await this.note(tx, run, row, {
        step,
        outcome: 'done',
        ...(outcome.message === undefined ? {} : { message: outcome.message }),
        at: now,
      });
      const after = (await this.deployments.lock(tx, row.id)) ?? row;
      if (!this.lifecycle.mayGoOn(run, after)) return this.lifecycle.cancel(tx, run, after, now);
      if (last) return this.lifecycle.finish(tx, run, after, now, outcome.memory ?? {});
      await advanceRun(tx, run.id, outcome.memory ?? {});
      const next = run.steps[run.position + 1];
      if (run.plan === 'change-domain' && next === 'validate-dns') await stackIsCurrent(tx, row.id);
      if (run.plan === 'create' && next === 'validate-dns') {
        await this.deployments.move(tx, after, { to: 'DNS_VALIDATION', by: 'provisioner', at: now });
      }
    });
    return last ? { done: true, commit } : { retry_at: found.now, reason: 'the next step', commit };
  }

  /** Stores that the step is waiting. A message is written once, not at every attempt. */
  private waiting(
    found: LoadedRun,
    step: StepName,
    wait: {
      at: Instant;
      message: Message;
      as: 'waiting' | 'retrying';
      errors: number;
      memory: Memory;
      /** Action required from the owner before the run can continue, as a key that the console translates. */
      actionRequired?: 'access';
      commit?: (tx: Tx) => Promise<void>;
    },
  ): Outcome {
    return {
      retry_at: wait.at,
      reason: wait.message.detail,
      commit: this.underLock(found, async (tx, run, row, now) => {
        if (run.position !== found.run.position) return;
        await wait.commit?.(tx);
        if (wait.as === 'retrying') this.measure(tx, run, row, { step, outcome: 'retry', at: now });
        if (lastMessage(run)?.detail !== wait.message.detail)
          await this.note(tx, run, row, { step, outcome: wait.as, message: wait.message, at: now });
        const slow =
          row.status === 'PROVISIONING' &&
          run.memory.slow !== true &&
          now >= run.started_at + this.timeouts.of(row).slow_after_ms;
        if (slow) await this.note(tx, run, row, { step, outcome: 'waiting', message: TAKES_LONGER, at: now });
        await rememberInRun(
          tx,
          run.id,
          {
            ...wait.memory,
            action_required: wait.actionRequired ?? null,
            message: wait.message,
            ...(slow ? { slow: true } : {}),
          },
          wait.errors,
        );
      }),
    };
  }
}
