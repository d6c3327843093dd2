import { type Clock, correlated, type Db, iso, prepared, type Random, type Tx } from '@moorage/server';
import { errorName, workDelay } from './retries';
import type { Claim, OnError, Outcome, WorkHandler, WorkTransport } from './types';

/**
 * Result of a run. `not_due`: nothing was claimed. `lost`: another worker has the lease, and nothing of this step was
 * written.
 */
export type Ran = 'done' | 'again' | 'failed' | 'retry' | 'lost' | 'not_due';

export interface WorkKind {
  /** Number of steps of this kind that run concurrently in this process. */
  readonly concurrency: number;
  readonly run: WorkHandler;
}

/** Thrown when another worker has claimed the work in the meantime. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * `correlation_id` comes from the last request for the work, and the step runs under it. It is null if only the passage
 * of time made the work due.
 */
interface ClaimedRow {
  readonly fencing_token: string;
  readonly attempts: number;
  readonly correlation_id: string | null;
}

const LEASE_MS = 30_000;
const REASON_MAX = 200;
/**
 * Step in milliseconds to which the clock difference is rounded up, so that the same time is signalled again unchanged.
 */
const AHEAD_STEP_MS = 100;

/**
 * Checks in a handler's own transaction, before its outcome, that the claim still holds, and keeps others from claiming
 * until the transaction ends. Call it last (lock order: wallet, deployments, then the rest).
 *
 * @throws LeaseLost when the claim no longer holds.
 */
export async function assertLease(tx: Tx, claim: Claim): Promise<void> {
  const held = await tx.query(STILL_LEASED, [claim.kind, claim.key, claim.fencingToken]);
  if (held.length === 0) throw new LeaseLost(`the lease of ${claim.kind} was lost`);
}

export interface WorkOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly kinds: Readonly<Record<string, WorkKind>>;
  /** Name shown in the rows that this worker leases. */
  readonly worker: string;
  /** Receives signals of future steps. Without it, they are found by polling. */
  readonly transport?: Pick<WorkTransport, 'signal'>;
  readonly onError: OnError;
  /** Duration of a lease in milliseconds, 30 s by default. */
  readonly lease_ms?: number;
}

/**
 * The part of work that runs it. A claim runs one step and ends with the row deleted (done), due again at a given time,
 * failed, or due again with a growing delay (after an exception). Waiting work occupies a row and never a worker.
 */
export class Work {
  private readonly lease_ms: number;
  private readonly holder: string;
  private readonly running = new Set<{ ended: Promise<unknown>; stop: AbortController }>();

  constructor(private readonly options: WorkOptions) {
    this.lease_ms = options.lease_ms ?? LEASE_MS;
    this.holder = `${options.worker} ${options.random.text(6)}`;
  }

  /**
   * Claims the key if it is due and free, runs one step and writes the outcome.
   *
   * @throws Error when no handler is registered for the kind.
   */
  async runIfDue(kind: string, key: string): Promise<Ran> {
    const handler = this.options.kinds[kind]?.run;
    if (handler === undefined) throw new Error(`no handler registered for ${kind}`);
    const due = await this.claim(kind, key);
    if (due === null) return 'not_due';
    const { claimed, correlation_id } = due;
    const stop = new AbortController();
    const step = { stop, ended: Promise.resolve<unknown>(undefined) };
    this.running.add(step);
    const ended = correlated(correlation_id ?? undefined, () => this.runStep(claimed, handler, stop)).finally(() =>
      this.running.delete(step),
    );
    step.ended = ended.catch(() => undefined);
    return ended;
  }

  /** Runs one step of the longest-due work and returns the number of steps (0 or 1). */
  async tick(kind: string): Promise<number> {
    const { db, clock } = this.options;
    const [due] = await db.read('work.read', async (tx) =>
      tx.query<{ key: string }>(DUE_LONGEST, [kind, iso(await clock.now(tx))]),
    );
    return due !== undefined && (await this.runIfDue(kind, due.key)) !== 'not_due' ? 1 : 0;
  }

  /** Aborts the signals of steps that still run after `patience_ms` milliseconds, and waits for them to end. */
  async stop(patience_ms: number): Promise<void> {
    const all = Promise.all([...this.running].map(({ ended }) => ended));
    const patience = new AbortController();
    void all.then(() => patience.abort());
    await this.options.clock.sleep(patience_ms, patience.signal);
    for (const { stop } of this.running) stop.abort(new Error('the process is stopping'));
    await all;
  }

  private async claim(kind: string, key: string): Promise<{ claimed: Claim; correlation_id: string | null } | null> {
    const { db, clock } = this.options;
    const requested = clock.localNow();
    return db.tx('work.claim', async (tx) => {
      const now = await clock.now(tx);
      const [row] = await tx.query<ClaimedRow>(CLAIM, [kind, key, iso(now), iso(now + this.lease_ms), this.holder]);
      if (row !== undefined) {
        const { fencing_token, attempts, correlation_id } = row;
        return { claimed: { kind, key, fencingToken: Number(fencing_token), attempts: attempts - 1 }, correlation_id };
      }
      // The key was delivered too early, by a clock ahead of the database's. It is signalled again, later by the same
      // difference.
      const [later] = await tx.query<{ due_at: number }>(DUE_LATER, [kind, key, iso(now)]);
      const ahead_ms = Math.ceil(Math.max(0, requested - now) / AHEAD_STEP_MS) * AHEAD_STEP_MS;
      if (later !== undefined) tx.afterCommit(() => this.signal(kind, key, later.due_at + ahead_ms));
      return null;
    });
  }

  private async runStep(claimed: Claim, handler: WorkHandler, stop: AbortController): Promise<Ran> {
    const { onError } = this.options;
    const ended = new AbortController();
    void this.heartbeat(claimed, stop, ended.signal);
    let outcome: Outcome;
    try {
      outcome = checked(await handler(claimed, stop.signal));
      ended.abort();
      return await this.finish(claimed, outcome);
    } catch (error) {
      ended.abort();
      onError(error, { at: 'work.step', kind: claimed.kind, attempts: claimed.attempts + 1 });
      if (error instanceof LeaseLost) return 'lost';
      return await this.backOff(claimed, error);
    }
  }

  /** Writes the outcome, and signals the next step if there is one. */
  private async finish(claimed: Claim, outcome: Outcome): Promise<Ran> {
    const { db, onError } = this.options;
    const { kind, key } = claimed;
    const next_at = await db.tx('work.finish', (tx) => this.writeOutcome(tx, claimed, outcome));
    if (next_at !== null) this.signal(kind, key, next_at);
    if ('failed' in outcome)
      onError(new Error(`${kind} failed permanently: ${outcome.failed}`), { at: 'work.failed', kind, key });
    return 'done' in outcome ? 'done' : 'failed' in outcome ? 'failed' : 'again';
  }

  /**
   * Writes the outcome and returns the time of the next step, or null. `commit` comes first and the work row's lock
   * last, because elsewhere a wallet or a deployment is locked before work is scheduled. If the row shows that the lease
   * is lost, the transaction is rolled back with everything that `commit` wrote.
   */
  private async writeOutcome(tx: Tx, { kind, key, fencingToken }: Claim, outcome: Outcome): Promise<number | null> {
    await outcome.commit?.(tx);
    await this.options.db.checkpoints.at('work.finish.effected');
    const [row] = await tx.query<{ retry_at: number | null }>(LEASED, [kind, key, fencingToken]);
    if (row === undefined) throw new LeaseLost(`the lease of ${kind} was lost`);
    const wanted = [row.retry_at, 'retry_at' in outcome ? outcome.retry_at : null].filter((at) => at !== null);
    const next = wanted.length === 0 ? null : Math.min(...wanted);
    if (next === null) {
      await tx.execute(DONE, [kind, key, fencingToken]);
    } else {
      const reason = 'retry_at' in outcome ? outcome.reason.slice(0, REASON_MAX) : null;
      await tx.execute(AGAIN, [kind, key, fencingToken, iso(next), reason]);
    }
    return next;
  }

  private async backOff(claimed: Claim, error: unknown): Promise<Ran> {
    const { db, clock, random } = this.options;
    const { kind, key, fencingToken, attempts } = claimed;
    const next_at = await db.tx('work.back-off', async (tx) => {
      const next = (await clock.now(tx)) + workDelay(attempts + 1, random);
      const [row] = await tx.query<{ due_at: number }>(BACK_OFF, [
        kind,
        key,
        fencingToken,
        iso(next),
        errorName(error),
      ]);
      return row?.due_at;
    });
    if (next_at === undefined) return 'lost';
    this.signal(kind, key, next_at);
    return 'retry';
  }

  private signal(kind: string, key: string, due_at: number): void {
    const { transport, onError } = this.options;
    transport?.signal(kind, key, due_at).catch((error) => onError(error, { at: 'work.signal', kind }));
  }

  /** Renews the lease until the step has ended. Aborts the step when the lease is lost, or cannot be confirmed. */
  private async heartbeat(claimed: Claim, stop: AbortController, ended: AbortSignal): Promise<void> {
    const { clock, onError } = this.options;
    let held_until = clock.localNow() + this.lease_ms;
    for (;;) {
      await clock.sleep(this.lease_ms / 3, ended);
      if (ended.aborted) return;
      const requested = clock.localNow();
      try {
        if (!(await this.renew(claimed))) return stop.abort(new LeaseLost(`the lease of ${claimed.kind} was lost`));
        held_until = requested + this.lease_ms;
      } catch (error) {
        onError(error, { at: 'work.heartbeat', kind: claimed.kind });
        if (clock.localNow() >= held_until) return stop.abort(new LeaseLost('lease could not be renewed'));
      }
    }
  }

  private renew({ kind, key, fencingToken }: Claim): Promise<boolean> {
    const { db, clock } = this.options;
    return db.tx('work.heartbeat', async (tx) => {
      const until = iso((await clock.now(tx)) + this.lease_ms);
      const renewed = await tx.execute(
        'update work set leased_until = $4 where kind = $1 and key = $2 and fencing_token = $3 and leased_until is not null',
        [kind, key, fencingToken, until],
      );
      return renewed === 1;
    });
  }
}

function checked(outcome: Outcome): Outcome {
  if ('retry_at' in outcome && !Number.isFinite(outcome.retry_at)) throw new Error('retry_at is not an instant');
  return outcome;
}

/**
 * Increments `attempts` here, so that a step which kills its process is counted too. A request that is already due is
 * satisfied by this claim, so `retry_at` is cleared.
 */
const CLAIM = prepared(`
update work set
  fencing_token = nextval('work_fencing_tokens'), leased_until = $4, leased_by = $5, attempts = least(attempts + 1, 10000),
  retry_at = case when retry_at > $3 then retry_at end
where kind = $1 and key = $2 and due_at <= $3 and (leased_until is null or leased_until <= $3)
returning fencing_token, attempts, correlation_id`);

const DUE_LATER = prepared('select due_at from work where kind = $1 and key = $2 and due_at > $3');

const STILL_LEASED = prepared(
  'select 1 as held from work where kind = $1 and key = $2 and fencing_token = $3 for share',
);

const LEASED = prepared(
  'select retry_at from work where kind = $1 and key = $2 and fencing_token = $3 and leased_until is not null for update',
);

const DONE = prepared('delete from work where kind = $1 and key = $2 and fencing_token = $3');

const AGAIN = prepared(`
update work set due_at = $4, reason = $5, retry_at = null, leased_until = null, leased_by = null, attempts = 0,
  last_error = null
where kind = $1 and key = $2 and fencing_token = $3`);

const BACK_OFF = prepared(`
update work set due_at = least($4, retry_at), last_error = $5, retry_at = null, leased_until = null, leased_by = null
where kind = $1 and key = $2 and fencing_token = $3 and leased_until is not null
returning due_at`);

const DUE_LONGEST = `
select key from work where kind = $1 and due_at <= $2 and (leased_until is null or leased_until <= $2)
order by due_at limit 1`;
