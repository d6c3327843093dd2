import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type FixtureActor,
  type ProvisionerFixture,
  fixturesOfSuite,
  START,
} from '@moorage/tests/services/provisioner';
import { WorkSchedule } from '@moorage/messaging';
import { findRun, startRun, endRun, runningRun } from './run-store';

const openFixture = fixturesOfSuite();

describe('runs of a deployment', () => {
  let fixture: ProvisionerFixture;
  let actor: FixtureActor;
  beforeAll(async () => {
    fixture = await openFixture();
    actor = await fixture.actor();
  });
  afterAll(() => actor.db.close());

  it('are limited to the newest twenty and the current run', async () => {
    const id = await fixture.order();
    const deployment = await fixture.row(id);
    const work = new WorkSchedule({ clock: fixture.clock });
    const started: number[] = [];
    for (let no = 0; no < 25; no++) {
      await actor.db.tx('run', async (tx) => {
        await startRun(tx, work, { plan: 'restart', deployment, at: START });
        const run = await runningRun(tx, id);
        if (run === null) throw new Error('no run was started');
        started.push(run.id);
        if (no < 24) await endRun(tx, run.id, { state: 'done', at: START });
      });
    }
    const stored = await actor.db.tx('look', async (tx) => {
      const found = [];
      for (const run of started) if ((await findRun(tx, run)) !== null) found.push(run);
      return found;
    });
    expect(stored).toEqual(started.slice(-20));
  });
});
