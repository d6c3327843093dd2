import { describe, expect, it } from '@jest/globals';
import { failingAt, type TransportFixture, until, upTo } from '../testing';
import type { WorkKind } from '../work';
import { WorkSchedule } from '../work-schedule';

/** Required behaviour of work on any work transport. */
export function workSituations({ clock, own, start, effects, sql, interrupt }: TransportFixture): void {
  describe('work', () => {
    const noteWork =
      (by: string): WorkKind['run'] =>
      async ({ key }) => ({
        done: true,
        commit: async (tx) =>
          void (await tx.execute('insert into effects (consumer, aggregate_id, sequence, by) values ($1, $2, 1, $3)', [
            'work',
            key,
            by,
          ])),
      });
    const left = async (kind: string): Promise<number> =>
      (await sql('select 1 from work where kind = $1', [kind])).length;

    it('runs at once when due, and never earlier', async () => {
      const ran: Record<string, number> = {};
      const kind = own('kind');
      const run: WorkKind['run'] = async ({ key }) => {
        ran[key] = clock.localNow();
        return { done: true };
      };
      const { scheduleWork } = await start('provisioner', { work: { [kind]: { concurrency: 2, run } } });
      await scheduleWork(kind, 'in an hour', 3_600_000);
      await scheduleWork(kind, 'soon', 700);
      const due = await sql<{ due_at: number }>(`select due_at from work where kind = $1 and key = 'soon'`, [kind]);
      await scheduleWork(kind, 'now');
      await until(async () => (await left(kind)) === 1);
      expect(Object.keys(ran).sort()).toEqual(['now', 'soon']);
      expect(ran.soon).toBeGreaterThanOrEqual(due[0]?.due_at ?? Infinity);
    });

    it('runs each step once among two processes, within the concurrency limit of its kind', async () => {
      const kind = own('kind');
      let running = 0;
      let most = 0;
      const limited = (by: string): WorkKind => ({
        concurrency: 3,
        run: async (claim, signal) => {
          most = Math.max(most, ++running);
          await clock.sleep(2);
          running--;
          return noteWork(by)(claim, signal);
        },
      });
      const first = await start('provisioner one', { work: { [kind]: limited('one') } });
      await start('provisioner two', { work: { [kind]: limited('two') } });
      const keys = upTo(120).map((n) => own(`k${n}`));
      for (const key of keys) await first.scheduleWork(kind, key);
      await until(async () => (await left(kind)) === 0);
      for (const key of keys) expect(await effects('work', key)).toEqual([1]);
      expect(most).toBeLessThanOrEqual(6);
      expect(most).toBeGreaterThan(1);
    });

    it.each(['work.claim.committed', 'work.finish', 'work.finish.effected', 'work.finish.committed'])(
      'has its effect once when the process dies at %s',
      async (place) => {
        const kind = own('kind');
        const checkpoints = failingAt(place);
        const { scheduleWork, db, messaging } = await start('provisioner', {
          checkpoints,
          work: { [kind]: { concurrency: 1, run: noteWork('p') } },
        });
        await scheduleWork(kind, own('k'));
        await until(() => checkpoints.failed());
        // A dead process leaves its lease behind. The test expires it here, and the sweep signals transports that do
        // not poll.
        if (place === 'work.claim.committed') {
          await db.tx('lapse', (tx) => tx.execute('update work set leased_until = due_at where kind = $1', [kind]));
          await messaging.sweepTick();
        }
        await until(async () => (await left(kind)) === 0);
        expect(await effects('work', own('k'))).toEqual([1]);
      },
    );

    it('runs once for any number of signals', async () => {
      const kind = own('kind');
      const { scheduleWork, transports } = await start('provisioner', {
        work: { [kind]: { concurrency: 4, run: noteWork('p') } },
      });
      await scheduleWork(kind, own('k'));
      for (let times = 0; times < 5; times++) await transports.work.signal(kind, own('k'), clock.localNow());
      await until(async () => (await left(kind)) === 0);
      for (let times = 0; times < 5; times++) await transports.work.signal(kind, own('k'), clock.localNow());
      await scheduleWork(kind, own('after'));
      await until(async () => (await effects('work', own('after'))).length === 1);
      expect(await effects('work', own('k'))).toEqual([1]);
    });

    it('is found by the sweep if its signal was lost', async () => {
      const kind = own('kind');
      const { db, messaging } = await start('provisioner', {
        work: { [kind]: { concurrency: 1, run: noteWork('p') } },
      });
      const silent = new WorkSchedule({ clock });
      await db.tx('ask', async (tx) => silent.schedule(tx, { kind, key: own('k'), due_at: await clock.now(tx) }));
      await messaging.sweepTick();
      await until(async () => (await left(kind)) === 0);
      expect(await effects('work', own('k'))).toEqual([1]);
    });

    it('occupies no worker while it waits: 200 waiting jobs leave 5 workers free', async () => {
      const kind = own('kind');
      const run: WorkKind['run'] = async (claim, signal) =>
        claim.key.startsWith('waits')
          ? { retry_at: clock.localNow() + 3_600_000, reason: 'no DNS yet' }
          : noteWork('p')(claim, signal);
      const { scheduleWork } = await start('provisioner', { work: { [kind]: { concurrency: 5, run } } });
      await Promise.all(upTo(200).map((n) => scheduleWork(kind, `waits ${n}`)));
      await until(
        async () => (await sql('select 1 from work where kind = $1 and reason is not null', [kind])).length === 200,
      );
      await scheduleWork(kind, own('next'));
      // Long before any of the waiting work is due again.
      await until(async () => (await effects('work', own('next'))).length === 1);
    });

    it('continues after a broken connection', async () => {
      const kind = own('kind');
      const { scheduleWork } = await start('provisioner', { work: { [kind]: { concurrency: 1, run: noteWork('p') } } });
      await scheduleWork(kind, own('before'));
      await until(async () => (await left(kind)) === 0);
      await interrupt();
      await until(() =>
        scheduleWork(kind, own('after')).then(
          () => true,
          () => false,
        ),
      );
      await until(async () => (await left(kind)) === 0);
      expect(await effects('work', own('after'))).toEqual([1]);
    });
  });
}
