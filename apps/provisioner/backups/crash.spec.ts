import { beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '@moorage/domain';
import {
  CrashEverywhere,
  type FixtureActor,
  type ProvisionerFixture,
  fixturesOfSuite,
  untilDead,
} from '@moorage/tests/services/provisioner';
import { backupsOf } from '@moorage/tests/services/provisioner/backups';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
beforeAll(async () => {
  fixture = await openFixture();
});

const ROUNDS_MAX = 60;

describe('crash of a provisioner', () => {
  it('at any checkpoint of a backup, a restore, its undo or the copy maintenance leaves work that others finish', async () => {
    const crashes = new CrashEverywhere();
    let actor: FixtureActor = await fixture.actor();
    const { backUp, beside, copies, read, ready, states, write } = backupsOf(
      () => fixture,
      () => actor,
    );
    const id = await ready();

    /** Replaces every crashed process with another process. */
    function throughCrashes(work: string, act: (one: FixtureActor) => Promise<unknown>): Promise<void> {
      return crashes.during(async () => {
        for (let isDead = true; isDead;) {
          const one = await fixture.actor({ points: crashes.points() });
          await act(one).catch((error: unknown) => {
            if (!one.points.dead) throw error;
          });
          isDead = one.points.dead;
          await one.db.close();
        }
      }, work);
    }
    const untilReady = (one: FixtureActor): Promise<unknown> => untilDead(fixture, one, id, 'READY');

    for (let round = 0, before = -1; crashes.places.size > before; round++) {
      expect(round).toBeLessThan(ROUNDS_MAX);
      before = crashes.places.size;
      await write(id, `data of round ${round}`);
      const taken = (await states(id)).length;
      const backup = (await fixture.backUp(id)) ?? 0;
      await throughCrashes('backup', (one) => fixture.settle(one, 60_000));
      expect((await states(id)).slice(taken)).toEqual(['on_request complete']);

      await write(id, `changed in round ${round}`);
      await fixture.restore(id, backup);
      await throughCrashes('restore', untilReady);
      expect(await read(id)).toBe(`data of round ${round}`);
      expect(await beside(id, '.before')).not.toEqual([]);
      expect((await states(id)).slice(taken)).toEqual(['on_request complete', 'before_restore complete']);

      await fixture.undoRestore(id);
      await throughCrashes('undo', untilReady);
      expect(await read(id)).toBe(`changed in round ${round}`);

      fixture.clock.at += DAY_MS;
      await throughCrashes('copies', async (one) => {
        await one.provisioner.backups.run();
        await fixture.settle(one, 60_000);
      });
      const stored = (await states(id)).filter((state) => state.endsWith('complete')).length;
      expect(await copies(id)).toHaveLength(stored);
    }
    for (const place of [
      'backup backup.read.committed',
      'backup work.finish',
      'restore back-up.ask.committed',
      'restore swap.read.committed',
      'undo work.finish.effected',
      'copies backups.ask.committed',
      'copies copies.read.committed',
    ])
      expect(crashes.places).toContain(place);
    actor = await fixture.actor();
    await backUp(id);
  }, 300_000);
});
