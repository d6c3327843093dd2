import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { correlated, correlationId, type Db, seededRandom, type Tx } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { collected, handClock, makeEffects, until } from '@moorage/testing/messaging';
import type { Claim, Outcome, WorkHandler } from './types';
import { assertLease, Work, LeaseLost } from './work';
import { WorkSchedule } from './work-schedule';

const SECOND = 1_000;

describe('work', () => {
  let database: TestDatabase;
  let db: Db;
  const clock = handClock();
  const { reported, onError } = collected();
  const schedule = new WorkSchedule({ clock });

  const workOf = (run: WorkHandler, worker = 'one'): Work =>
    new Work({ db, clock, random: seededRandom(2), kinds: { paint: { concurrency: 1, run } }, worker, onError });
  const scheduleWork = (key: string, due_at = clock.at) =>
    db.tx('ask', (tx) => schedule.schedule(tx, { kind: 'paint', key, due_at }));
  const rowOf = async (key: string) => {
    const [row] = await database.sql<{
      due_at: number;
      retry_at: number | null;
      attempts: number;
      fencing_token: string;
      leased_until: number | null;
      reason: string | null;
      last_error: string | null;
    }>('select * from work where key = $1', [key]);
    return row;
  };
  const effect = (key: string) => ({
    commit: async (tx: Tx) =>
      void (await tx.execute('insert into effects (consumer, aggregate_id, sequence) values ($1, $2, 1)', ['w', key])),
  });
  const effects = async (key: string) =>
    (await database.sql('select 1 from effects where aggregate_id = $1', [key])).length;

  /** Creates a step that blocks until it is released. */
  function held(outcome: (claim: Claim) => Outcome) {
    let enter: (claim: Claim) => void = () => undefined;
    let leave: () => void = () => undefined;
    const entered = new Promise<Claim>((resolve) => (enter = resolve));
    const left = new Promise<void>((resolve) => (leave = resolve));
    const run: WorkHandler = async (claim) => {
      enter(claim);
      await left;
      return outcome(claim);
    };
    return { run, entered, leave };
  }

  beforeAll(async () => {
    database = await testDatabase();
    await makeEffects(await database.open());
    db = await database.open();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    reported.splice(0);
    await database.sql('delete from work');
  });

  describe('correlation id', () => {
    const under: (string | undefined)[] = [];
    const note: WorkHandler = () => {
      under.push(correlationId());
      return Promise.resolve({ retry_at: clock.at + SECOND, reason: 'the next step' });
    };
    beforeEach(() => void under.splice(0));

    it('is that of its request for each step, wherever the worker was called', async () => {
      const work = workOf(note);
      await correlated('request-1', () => scheduleWork('asked'));
      await correlated('another', () => work.runIfDue('paint', 'asked'));
      clock.at += SECOND;
      await work.runIfDue('paint', 'asked');
      expect(under).toEqual(['request-1', 'request-1']);
    });

    it('changes to that of a later request, never to none', async () => {
      const work = workOf(note);
      await correlated('request-1', () => scheduleWork('twice'));
      await correlated('request-2', () => scheduleWork('twice'));
      await scheduleWork('twice');
      await work.runIfDue('paint', 'twice');
      expect(under).toEqual(['request-2']);
    });

    it('is empty for work started by time only', async () => {
      await scheduleWork('timed');
      await correlated('another', () => workOf(note).runIfDue('paint', 'timed'));
      expect(under).toEqual([undefined]);
    });
  });

  it('runs a step when due, not earlier, and removes the row when it is done', async () => {
    const work = workOf(async () => ({ done: true, ...effect('k1') }));
    await scheduleWork('k1', clock.at + 10 * SECOND);
    expect(await work.tick('paint')).toBe(0);
    clock.advance(10 * SECOND);
    expect(await work.tick('paint')).toBe(1);
    expect(await work.tick('paint')).toBe(0);
    expect(await rowOf('k1')).toBeUndefined();
    expect(await effects('k1')).toBe(1);
  });

  it('keeps the earliest requested time', async () => {
    await scheduleWork('k2', clock.at + 30 * SECOND);
    await scheduleWork('k2', clock.at + 10 * SECOND);
    await scheduleWork('k2', clock.at + 20 * SECOND);
    expect((await rowOf('k2'))?.due_at).toBe(clock.at + 10 * SECOND);
    await db.tx('many', (tx) =>
      schedule.scheduleMany(tx, [
        { kind: 'paint', key: 'k2', due_at: clock.at + 9 * SECOND },
        { kind: 'paint', key: 'k2', due_at: clock.at + 5 * SECOND },
        { kind: 'paint', key: 'k3', due_at: clock.at },
      ]),
    );
    expect((await rowOf('k2'))?.due_at).toBe(clock.at + 5 * SECOND);
    expect(await rowOf('k3')).toBeDefined();
  });

  it('runs the longest overdue work first', async () => {
    const seen: string[] = [];
    const work = workOf(async ({ key }) => {
      seen.push(key);
      return { done: true };
    });
    await scheduleWork('younger', clock.at - SECOND);
    await scheduleWork('older', clock.at - 2 * SECOND);
    await work.tick('paint');
    await work.tick('paint');
    expect(seen).toEqual(['older', 'younger']);
  });

  it('waits as a row with a reason, and starts without attempts', async () => {
    const seen: number[] = [];
    const work = workOf(async ({ attempts }) => {
      seen.push(attempts);
      return { retry_at: clock.at + 15 * SECOND, reason: 'the paint is wet' };
    });
    await scheduleWork('k4');
    await work.tick('paint');
    expect(await rowOf('k4')).toMatchObject({
      due_at: clock.at + 15 * SECOND,
      reason: 'the paint is wet',
      leased_until: null,
      attempts: 0,
    });
    clock.advance(15 * SECOND);
    await work.tick('paint');
    expect(seen).toEqual([0, 0]);
  });

  it.each([
    ['equal to that of the database, exactly', 0, 0],
    ['behind that of the database, exactly', -900, 0],
    ['ahead of that of the database, later by the difference', 730, 800],
  ])('is signalled again if delivered too early by a clock %s', async (_, ahead_ms, later_ms) => {
    const signals: unknown[] = [];
    const work = new Work({
      db,
      clock: { ...clock, localNow: () => clock.at + ahead_ms },
      random: seededRandom(2),
      kinds: { paint: { concurrency: 1, run: async () => ({ done: true }) } },
      worker: 'one',
      transport: { signal: async (...signal) => void signals.push(signal) },
      onError,
    });
    const due_at = clock.at + SECOND;
    await scheduleWork('early', due_at);
    expect(await work.runIfDue('paint', 'early')).toBe('not_due');
    expect(signals).toEqual([['paint', 'early', due_at + later_ms]]);
    clock.advance(SECOND);
    expect(await work.runIfDue('paint', 'early')).toBe('done');
    expect(await work.runIfDue('paint', 'early')).toBe('not_due');
    expect(signals).toHaveLength(1);
  });

  it('ends permanently after a failure and stores what the step returned', async () => {
    const work = workOf(async () => ({ failed: 'no such colour', ...effect('k5') }));
    await scheduleWork('k5');
    expect(await work.runIfDue('paint', 'k5')).toBe('failed');
    expect(await rowOf('k5')).toBeUndefined();
    expect(await effects('k5')).toBe(1);
    expect(reported).toMatchObject([{ error: { message: 'paint failed permanently: no such colour' } }]);
  });

  it('retries at growing intervals after exceptions, and stores their class but not their message', async () => {
    const seen: number[] = [];
    const work = workOf(async ({ attempts }) => {
      seen.push(attempts);
      throw Object.assign(new RangeError('token abc123 refused'), { code: 'ECONNREFUSED' });
    });
    await scheduleWork('k6');
    const pauses: number[] = [];
    for (let tries = 0; tries < 14; tries++) {
      expect(await work.runIfDue('paint', 'k6')).toBe('retry');
      const row = await rowOf('k6');
      expect(row).toMatchObject({ last_error: 'RangeError ECONNREFUSED', leased_until: null });
      pauses.push((row?.due_at ?? 0) - clock.at);
      clock.advance(pauses.at(-1) ?? 0);
    }
    expect(seen).toEqual(Array.from({ length: 14 }, (_, index) => index));
    expect(pauses[0]).toBeLessThanOrEqual(1_200);
    expect(pauses[13]).toBeGreaterThanOrEqual(480 * SECOND);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(720 * SECOND);
  });

  it('is not lost if requested during a step that then completes', async () => {
    const step = held(() => ({ done: true }));
    const work = workOf(step.run);
    await scheduleWork('k7');
    const running = work.runIfDue('paint', 'k7');
    await step.entered;
    await scheduleWork('k7', clock.at + 5 * SECOND);
    await scheduleWork('k7', clock.at + 3 * SECOND);
    step.leave();
    expect(await running).toBe('done');
    expect(await rowOf('k7')).toMatchObject({ due_at: clock.at + 3 * SECOND, retry_at: null, leased_until: null });
  });

  it('continues at the earlier of the time the step returned and the time requested meanwhile', async () => {
    const step = held(() => ({ retry_at: clock.at + 60 * SECOND, reason: 'later' }));
    await scheduleWork('k8');
    const running = workOf(step.run).runIfDue('paint', 'k8');
    await step.entered;
    await scheduleWork('k8', clock.at + 2 * SECOND);
    step.leave();
    await running;
    expect((await rowOf('k8'))?.due_at).toBe(clock.at + 2 * SECOND);
  });

  it('may schedule its own key in its commit', async () => {
    const work = workOf(async ({ kind, key }) => ({
      done: true,
      commit: (tx) => schedule.schedule(tx, { kind, key, due_at: clock.at + SECOND }),
    }));
    await scheduleWork('k9');
    await work.runIfDue('paint', 'k9');
    expect((await rowOf('k9'))?.due_at).toBe(clock.at + SECOND);
  });

  it('is not claimed twice during a lease', async () => {
    const step = held(() => ({ done: true }));
    await scheduleWork('k10');
    const running = workOf(step.run).runIfDue('paint', 'k10');
    await step.entered;
    expect(await workOf(step.run, 'two').runIfDue('paint', 'k10')).toBe('not_due');
    expect(await workOf(step.run, 'two').tick('paint')).toBe(0);
    step.leave();
    expect(await running).toBe('done');
  });

  it('moves to another worker when the lease has expired, and the first writes nothing more', async () => {
    const frozen = held(() => ({ done: true, ...effect('k11') }));
    const slow = new Work({
      db,
      clock: { ...clock, sleep: () => new Promise(() => undefined) }, // no heartbeat, as in a stopped process
      random: seededRandom(3),
      kinds: { paint: { concurrency: 1, run: frozen.run } },
      worker: 'frozen',
      onError,
    });
    await scheduleWork('k11');
    const first = slow.runIfDue('paint', 'k11');
    const old = await frozen.entered;
    clock.advance(31 * SECOND);
    let second: Claim | undefined;
    const other = workOf(async (claim) => {
      second = claim;
      return { retry_at: clock.at + SECOND, reason: 'half' };
    }, 'two');
    expect(await other.runIfDue('paint', 'k11')).toBe('again');
    expect(second).toMatchObject({ attempts: 1 });
    expect(second?.fencingToken).toBeGreaterThan(old.fencingToken);
    frozen.leave();
    expect(await first).toBe('lost');
    expect(await effects('k11')).toBe(0);
    expect(await rowOf('k11')).toMatchObject({ reason: 'half' });
  });

  it('rejects a stale lease holder even if the row was deleted and created again', async () => {
    const frozen = held(() => ({ done: true, ...effect('k12') }));
    const slow = new Work({
      db,
      clock: { ...clock, sleep: () => new Promise(() => undefined) },
      random: seededRandom(3),
      kinds: { paint: { concurrency: 1, run: frozen.run } },
      worker: 'frozen',
      onError,
    });
    await scheduleWork('k12');
    const first = slow.runIfDue('paint', 'k12');
    await frozen.entered;
    clock.advance(31 * SECOND);
    await workOf(async () => ({ done: true })).runIfDue('paint', 'k12');
    await scheduleWork('k12');
    const third = held(() => ({ done: true }));
    const running = workOf(third.run, 'three').runIfDue('paint', 'k12');
    await third.entered;
    frozen.leave();
    expect(await first).toBe('lost');
    expect(await effects('k12')).toBe(0);
    third.leave();
    expect(await running).toBe('done');
  });

  it('keeps its lease by a heartbeat, and aborts the signal of a step that lost it', async () => {
    let signal: AbortSignal | undefined;
    const step = held(() => ({ done: true }));
    await scheduleWork('k13');
    const running = workOf((claim, given) => {
      signal = given;
      return step.run(claim, given);
    }).runIfDue('paint', 'k13');
    const claim = await step.entered;
    for (let beats = 0; beats < 6; beats++) {
      const before = (await rowOf('k13'))?.leased_until ?? 0;
      clock.advance(10 * SECOND);
      await until(async () => ((await rowOf('k13'))?.leased_until ?? 0) > before);
    }
    expect(signal?.aborted).toBe(false);
    await database.sql('update work set fencing_token = fencing_token + 1 where key = $1', [claim.key]);
    clock.advance(10 * SECOND);
    await until(() => signal?.aborted === true);
    expect(signal?.reason).toBeInstanceOf(LeaseLost);
    step.leave();
    expect(await running).toBe('lost');
  });

  it('lets a step write in between only while it holds its claim', async () => {
    const outcomes: unknown[] = [];
    const work = workOf(async (claim) => {
      outcomes.push(await db.tx('mid', (tx) => assertLease(tx, claim)).catch((error: unknown) => error));
      await database.sql('update work set fencing_token = fencing_token + 1 where key = $1', [claim.key]);
      outcomes.push(await db.tx('mid', (tx) => assertLease(tx, claim)).catch((error: unknown) => error));
      return { done: true };
    });
    await scheduleWork('k14');
    expect(await work.runIfDue('paint', 'k14')).toBe('lost');
    expect(outcomes[0]).toBeUndefined();
    expect(outcomes[1]).toBeInstanceOf(LeaseLost);
  });

  it('does not deadlock with a transaction that locks the rows of the commit and then schedules', async () => {
    const owner = await database.open();
    await owner.tx('table', async (tx) => {
      await tx.execute('create table hulls (id int primary key)');
      await tx.execute('insert into hulls values (1)');
      await tx.execute('grant all on hulls to public');
    });
    let passes = 0; // a transaction that ended in a deadlock is retried
    const lockHull = async (tx: Tx): Promise<void> => {
      passes++;
      await tx.query('select * from hulls where id = 1 for update');
    };
    const work = workOf(async () => ({ done: true, commit: lockHull }));
    for (let round = 0; round < 30; round++) {
      await scheduleWork('k15');
      const asking = db.tx('hull first', async (tx) => {
        await lockHull(tx);
        await schedule.schedule(tx, { kind: 'paint', key: 'k15', due_at: clock.at });
      });
      const ran = await Promise.all([work.runIfDue('paint', 'k15'), asking]);
      expect(ran[0]).toBe('done');
    }
    expect(passes).toBe(60);
    expect(reported).toEqual([]);
  });

  it('stops after current work, and signals it to hurry when the timeout expires', async () => {
    let signal: AbortSignal | undefined;
    const step = held(() => ({ done: true }));
    const work = workOf(async (claim, given) => {
      signal = given;
      given.addEventListener('abort', step.leave);
      return step.run(claim, given);
    });
    await scheduleWork('k16');
    const running = work.runIfDue('paint', 'k16');
    await step.entered;
    const stopped = work.stop(5 * SECOND);
    expect(signal?.aborted).toBe(false);
    clock.advance(5 * SECOND);
    await stopped;
    expect(signal?.aborted).toBe(true);
    expect(await running).toBe('done');
  });
});
