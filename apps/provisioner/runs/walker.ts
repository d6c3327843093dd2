import type { DeploymentRow, Deployments } from '@moorage/database';
import { type Instant, isStepName, STEP_WORDS, type StepName } from '@moorage/domain';
import { assertHeld, type Claim, LeaseLost, type Outbox } from '@moorage/messaging';
import type { Clock, Db, Log, Random, Tx } from '@moorage/server';
import { noteServer } from './endings';
import type { Endings } from './endings';
import { findServer, type ServerRow } from '../servers/servers';
import type { StepTimeouts } from './step-timeouts';
import { advanceRun, beginStep, findRun, rememberInRun } from './run-store';
import type { Memory, RunRow, Step, StepOutcome } from './step';
import { appendToTimeline, type TimelineOutcome } from './timeline';
import { deadlineWords, troubleOf } from './words';

/** What a claim of `run` work comes to: the commit runs in the transaction that checks the fence. */
export type WalkOutcome = { readonly commit?: (tx: Tx) => Promise<void> } & (
  { readonly done: true } | { readonly again_at: Instant; readonly because: string }
);

export interface WalkerOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly deployments: Deployments;
  readonly outbox: Outbox;
  readonly endings: Endings;
  readonly steps: Readonly<Record<Exclude<StepName, 'check-vps'>, Step>>;
  /** A run without a deployment: the check of a user's own server. */
  readonly checkVps: (claim: Claim, signal: AbortSignal) => Promise<WalkOutcome>;
  readonly timeouts: StepTimeouts;
  readonly log: Log;
}

/** A plan is walked one step per claim. Nothing is kept in memory between claims: the run row says where we are. */
export interface Walker {
  walk(claim: Claim, signal: AbortSignal): Promise<WalkOutcome>;
}

interface Look {
  readonly run: RunRow;
  readonly deployment: DeploymentRow;
  readonly server: ServerRow | null;
  readonly now: Instant;
  readonly fence: number;
  readonly held: (tx: Tx) => Promise<void>;
}

const TAKES_LONGER = STEP_WORDS.slow;
const UNKNOWN_STEP_PAUSE_MS = 60_000;

export function createWalker(options: WalkerOptions): Walker {
  const { db, clock, random, deployments, outbox, endings, steps, checkVps, timeouts, log } = options;

  async function look(claim: Claim): Promise<Look | 'check' | null> {
    return db.tx('run.look', async (tx) => {
      const run = await findRun(tx, Number(claim.key));
      if (run?.state !== 'running') return null;
      if (run.deployment_id === null) return 'check';
      const deployment = await deployments.lock(tx, run.deployment_id);
      if (deployment === null) return null;
      return {
        run,
        deployment,
        server: await findServer(tx, deployment.id),
        now: await clock.now(tx),
        fence: claim.fence,
        held: (later) => assertHeld(later, claim),
      };
    });
  }

  /** Every later transaction of a claim: the rows again, under lock, or nothing when the run is over. */
  const underLock = (found: Look, act: (tx: Tx, run: RunRow, row: DeploymentRow, now: Instant) => Promise<void>) => {
    return async (tx: Tx): Promise<void> => {
      const row = await deployments.lock(tx, found.deployment.id);
      const run = await findRun(tx, found.run.id);
      if (row === null || run?.state !== 'running') return;
      await act(tx, run, row, await clock.now(tx));
    };
  };

  const note = (
    tx: Tx,
    run: RunRow,
    row: DeploymentRow,
    entry: { step: string; outcome: TimelineOutcome; message?: string; at: Instant },
  ) => appendToTimeline(tx, outbox, { deployment: row, run_id: run.id, ...entry });

  /** The line before the step, the moves that entering it means, and the note that a server may exist from now on. */
  async function begin(found: Look, step: StepName): Promise<boolean> {
    return db.tx('run.begin', async (tx) => {
      let mayBegin = false;
      await underLock(found, async (_tx, run, row, now) => {
        if (run.position !== found.run.position || !endings.mayGoOn(run.plan, row)) return;
        mayBegin = true;
        await beginStep(tx, run.id, now);
        if (run.plan === 'create' && row.status === 'CREATING') {
          await deployments.move(tx, row, { to: 'PROVISIONING', by: 'provisioner', at: now });
        }
        if (TOUCHES_A_SERVER[row.server_type] === step && !row.server_exists) {
          await noteServer(tx, row.id, { server_exists: true });
        }
        await note(tx, run, row, { step, outcome: 'started', at: now });
      })(tx);
      await found.held(tx);
      return mayBegin;
    });
  }

  /** Ends the run as failed; the deployment goes where its plan says. */
  const failing = (found: Look, step: string, words: string): WalkOutcome => ({
    done: true,
    commit: underLock(found, async (tx, run, row, now) => {
      await note(tx, run, row, { step, outcome: 'failed', message: words, at: now });
      if (!endings.mayGoOn(run.plan, row)) return endings.cancel(tx, run, row, now);
      await endings.fail(tx, run, row, now, words);
    }),
  });

  const cancelling = (found: Look): WalkOutcome => ({
    done: true,
    commit: underLock(found, (tx, run, row, now) => endings.cancel(tx, run, row, now)),
  });

  function deadlineOf(found: Look, step: StepName, startedAt: Instant): Instant {
    const { run, deployment } = found;
    const whole = timeouts.steps[step].deadline_ms;
    const restarts = run.plan === 'restart' && step === 'validate-dns';
    const ends = [
      restarts ? startedAt + timeouts.restart_dns_deadline_ms : whole === null ? Infinity : startedAt + whole,
    ];
    if (deployment.status === 'CREATING' || deployment.status === 'PROVISIONING') {
      ends.push(run.started_at + timeouts.provisioning_deadline_ms);
    }
    return Math.min(...ends);
  }

  /** One attempt, ended by its own deadline or by the loss of the lease. */
  async function attempt(
    found: Look,
    step: Exclude<StepName, 'check-vps'>,
    startedAt: Instant,
    lease: AbortSignal,
  ): Promise<StepOutcome | { error: unknown }> {
    const over = new AbortController();
    const timer = clock.sleep(timeouts.steps[step].attempt_ms, over.signal).then(() => {
      if (!over.signal.aborted) over.abort(new Error('the attempt took too long'));
    });
    try {
      const { run, deployment, server, now, fence, held } = found;
      return await steps[step](
        { run, deployment, server, startedAt, now, fence, held },
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

  /** The step is done: its facts, the line after it, and on to the next step or to the plan's end. */
  const advancing = (found: Look, step: StepName, outcome: Extract<StepOutcome, { done: true }>): WalkOutcome => {
    const last = found.run.position + 1 >= found.run.steps.length;
    const commit = underLock(found, async (tx, run, row, now) => {
      if (run.position !== found.run.position) return;
      await outcome.commit?.(tx);
      await note(tx, run, row, {
        step,
        outcome: 'done',
        ...(outcome.message === undefined ? {} : { message: outcome.message }),
        at: now,
      });
      const after = (await deployments.lock(tx, row.id)) ?? row;
      if (!endings.mayGoOn(run.plan, after)) return endings.cancel(tx, run, after, now);
      if (last) return endings.finish(tx, run, after, now, outcome.memory ?? {});
      await advanceRun(tx, run.id, outcome.memory ?? {});
      if (run.plan === 'create' && run.steps[run.position + 1] === 'validate-dns') {
        await deployments.move(tx, after, { to: 'DNS_VALIDATION', by: 'provisioner', at: now });
      }
    });
    return last ? { done: true, commit } : { again_at: found.now, because: 'the next step', commit };
  };

  /** Not yet: a row that waits. A sentence is said once, not at every look. */
  const waiting = (
    found: Look,
    step: StepName,
    wait: {
      at: Instant;
      words: string;
      as: 'waiting' | 'retrying';
      errors: number;
      memory: Memory;
      /** What the owner must do before this can go on: a key that the console translates. */
      yours?: 'access';
      commit?: (tx: Tx) => Promise<void>;
    },
  ): WalkOutcome => ({
    again_at: wait.at,
    because: wait.words,
    commit: underLock(found, async (tx, run, row, now) => {
      if (run.position !== found.run.position) return;
      await wait.commit?.(tx);
      if (run.memory.said !== wait.words)
        await note(tx, run, row, { step, outcome: wait.as, message: wait.words, at: now });
      const slow =
        row.status === 'PROVISIONING' && run.memory.slow !== true && now >= run.started_at + timeouts.slow_after_ms;
      if (slow) await note(tx, run, row, { step, outcome: 'waiting', message: TAKES_LONGER, at: now });
      await rememberInRun(
        tx,
        run.id,
        { ...wait.memory, yours: wait.yours ?? null, said: wait.words, ...(slow ? { slow: true } : {}) },
        wait.errors,
      );
    }),
  });

  return {
    async walk(claim, signal) {
      const found = await look(claim);
      if (found === null) return { done: true };
      if (found === 'check') return checkVps(claim, signal);
      const { run, deployment, now } = found;
      if (!endings.mayGoOn(run.plan, deployment)) return cancelling(found);
      const step = run.steps[run.position];
      if (!isStepName(step) || step === 'check-vps') {
        log.error('a run names a step that this version does not know', { run_id: run.id, step });
        return { again_at: now + UNKNOWN_STEP_PAUSE_MS, because: 'a newer version knows this step' };
      }

      const startedAt = run.step_started_at ?? now;
      const deadline = deadlineOf(found, step, startedAt);
      const said = typeof run.memory.said === 'string' ? run.memory.said : null;
      if (now >= deadline) return failing(found, step, deadlineWords(step, said));
      if (run.step_started_at === null && !(await begin(found, step)))
        return { again_at: now, because: 'the rows have changed' };

      const outcome = await attempt(found, step, startedAt, signal);
      if ('done' in outcome) return advancing(found, step, outcome);
      if ('failed' in outcome) return failing(found, step, outcome.failed);
      if ('again_at' in outcome) {
        const { again_at, because, memory = {}, commit } = outcome;
        const wait = { at: Math.min(again_at, deadline), words: because, memory, errors: run.step_attempts };
        return waiting(found, step, { ...wait, as: 'waiting', ...(commit === undefined ? {} : { commit }) });
      }

      // not the step's fault: the process stops, or somebody else has the work
      if (signal.aborted) return { again_at: now, because: 'the step was interrupted' };
      const trouble = troubleOf(step, outcome.error, deployment);
      if (trouble.waits === true) {
        const wait = { at: Math.min(now + timeouts.busy_poll_ms, deadline), words: trouble.words, memory: {} };
        return waiting(found, step, { ...wait, as: 'waiting', errors: run.step_attempts });
      }
      const errors = run.step_attempts + 1;
      const { errors_max, backoff_ms, backoff_max_ms } = timeouts.steps[step];
      log.warn('a step went wrong', {
        run_id: run.id,
        deployment_id: deployment.id,
        step,
        errors,
        lasting: trouble.lasting,
        reason: trouble.detail,
      });
      if (errors_max !== null && (trouble.lasting || errors >= errors_max)) return failing(found, step, trouble.words);
      const backoff = Math.min(backoff_max_ms, backoff_ms * 2 ** Math.min(errors - 1, 16));
      const pause = trouble.retry_after_ms ?? backoff * (0.5 + random.fraction() / 2);
      const at = Math.min(now + pause, deadline);
      const yours = trouble.yours === true ? ({ yours: 'access' } as const) : {};
      return waiting(found, step, { at, words: trouble.words, as: 'retrying', errors, memory: {}, ...yours });
    },
  };
}

/** From this step on something of ours may be on a machine, and a failure has to clean it up. */
const TOUCHES_A_SERVER: Readonly<Record<DeploymentRow['server_type'], StepName>> = {
  new: 'create-server',
  vps: 'preflight',
};
