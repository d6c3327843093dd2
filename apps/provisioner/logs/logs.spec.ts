import { beforeEach, describe, expect, it } from '@jest/globals';
import { deploymentSecrets, FOLLOW_LOGS, RESTART_CONTAINER } from '@moorage/contracts';
import { iso, LOG_MESSAGES, MASK, MINUTE_MS, STEP_MESSAGES } from '@moorage/domain';
import { systemClock } from '@moorage/server';
import {
  crashPoints,
  type FixtureActor,
  fixturesOfSuite,
  type ProvisionerFixture,
} from '@moorage/tests/services/provisioner';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor();
});

const { sleep } = systemClock();
async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let turns = 0; turns < 200; turns++) {
    if (await condition()) return;
    await sleep(50);
  }
  throw new Error('the condition was not met');
}

interface Line {
  readonly stamp: string;
  readonly container: string;
  readonly level: string;
  readonly text: string;
}
const linesOf = (id: number) =>
  fixture.database.sql<Line>(
    'select stamp, container, level, text from log_lines where deployment_id = $1 order by seq',
    [id],
  );
const followOf = async (id: number) =>
  (
    await fixture.database.sql<{ state: string; message_code: string | null; left_out: number; containers: object[] }>(
      'select * from log_follows where deployment_id = $1',
      [id],
    )
  )[0];

async function ready(): Promise<number> {
  const id = await fixture.order();
  await fixture.until(actor, id, 'READY');
  fixture.clock.at += 10 * MINUTE_MS;
  return id;
}
/** Reads the logs as the api does. */
const watch = (id: number, ms = 30_000) =>
  fixture.owner.tx('watch', async (tx) => {
    const at = iso(fixture.clock.at);
    const end = iso(fixture.clock.at + ms);
    await tx.execute(
      `insert into log_follows (deployment_id, wanted_until, started_at) values ($1, $2, $3)
       on conflict (deployment_id) do update set wanted_until = $2`,
      [id, end, at],
    );
    await tx.execute(
      `insert into work (kind, key, due_at, created_at) values ($1, $2, $3, $3) on conflict do nothing`,
      [FOLLOW_LOGS, String(id), at],
    );
  });
const stopWatching = (id: number) =>
  fixture.database.sql('update log_follows set wanted_until = $2 where deployment_id = $1', [
    id,
    iso(fixture.clock.at),
  ]);
/** Follows until the condition holds, then ends with the process or with the reader. */
async function followed(by: FixtureActor, id: number, condition: () => Promise<boolean>): Promise<void> {
  const following = by.messaging.workTick(FOLLOW_LOGS);
  await until(condition);
  await stopWatching(id);
  await following;
}

describe('logs that are read', () => {
  it('are followed, and removed when nobody reads them any longer', async () => {
    const id = await ready();
    await watch(id);
    let first: Line[] = [];
    let last: Line[] = [];
    await followed(actor, id, async () => {
      if (first.length === 0) {
        first = await linesOf(id);
        // New lines come with time.
        if (first.length > 0) fixture.clock.at += 10_000;
      }
      last = await linesOf(id);
      return last.length > first.length;
    });
    expect(last.slice(0, first.length)).toEqual(first);
    expect(new Set(first.map(({ container }) => container))).toContain('pangolin');
    expect(first.map(({ level }) => level)).toEqual(expect.arrayContaining(['info', 'warning', 'debug']));
    expect([await linesOf(id), await followOf(id)]).toEqual([[], undefined]);
    expect(await fixture.database.sql(`select 1 from work where kind = $1`, [FOLLOW_LOGS])).toEqual([]);
  });

  it('contain no secret of the deployment, and none that the log names', async () => {
    const id = await ready();
    await watch(id);
    let lines: Line[] = [];
    await followed(actor, id, async () => (lines = await linesOf(id)).length > 0);
    const values = await fixture.owner.tx('secrets', async (tx) => {
      const found: (string | null)[] = [];
      for (const name of await actor.secrets.names(tx, deploymentSecrets(id)))
        found.push(await actor.secrets.get(tx, deploymentSecrets(id), name));
      return found;
    });
    expect(values.length).toBeGreaterThan(2);
    const text = lines.map((line) => line.text).join('\n');
    for (const value of values) expect(text).not.toContain(value);
    expect(text).toContain(MASK);
    expect(text).not.toContain('not-the-right-one');
  });

  it('are followed on after a crash at any point, without repeating a line', async () => {
    const id = await ready();
    const died = new Set<string>();
    await watch(id, 60 * MINUTE_MS);
    for (let before = -1; died.size > before;) {
      before = died.size;
      const one = await fixture.actor({
        points: crashPoints((name) => died.size === before && !died.has(name) && died.add(name).has(name)),
      });
      const following = one.messaging.workTick(FOLLOW_LOGS).catch((error: unknown) => {
        if (!one.points.dead) throw error;
      });
      fixture.clock.at += 3_000;
      const count = (await linesOf(id)).length;
      await until(async () => one.points.dead || (await linesOf(id)).length > count);
      if (!one.points.dead) await stopWatching(id);
      await following;
      await one.db.close();
      if (died.size > before) await watch(id, 60 * MINUTE_MS);
      const lines = (await linesOf(id)).map(({ stamp, container, text }) => `${stamp} ${container} ${text}`);
      expect(new Set(lines).size).toBe(lines.length);
    }
    expect(died.size).toBeGreaterThan(3);
  });

  it('of a silent server say why, and are tried again', async () => {
    const id = await ready();
    const address = (await fixture.row(id)).instance_ip ?? '';
    await watch(id);
    fixture.hosts.switchOff(address, true);
    await actor.messaging.workTick(FOLLOW_LOGS);
    expect(await followOf(id)).toMatchObject({
      state: 'unreachable',
      message_code: STEP_MESSAGES.ssh_unreachable.code,
    });
    fixture.hosts.switchOff(address, false);
    fixture.clock.at += 10_000;
    let state: string | undefined;
    await followed(actor, id, async () => (state = (await followOf(id))?.state) === 'following');
    expect(state).toBe('following');
  });

  it('are at most 2,000 lines', async () => {
    const id = await ready();
    await watch(id);
    await fixture.database.sql(
      `insert into log_lines (deployment_id, stamp, at, container, level, text)
       select $1, '2020-01-01T00:00:00.000000000Z', '2020-01-01', 'old', 'none', 'line ' || n from generate_series(1, 2500) n`,
      [id],
    );
    let lines: Line[] = [];
    await followed(actor, id, async () => {
      lines = await linesOf(id);
      return lines.some(({ container }) => container !== 'old');
    });
    expect(lines).toHaveLength(2_000);
    expect(lines.at(-1)?.container).not.toBe('old');
  });

  it('end with the deployment', async () => {
    const id = await ready();
    await watch(id);
    await fixture.request(id, 'delete');
    await fixture.until(actor, id, 'DESTROYED');
    await actor.messaging.workTick(FOLLOW_LOGS);
    expect(await followOf(id)).toBeUndefined();
  });

  it('are searched on the server, except for text that only a secret or a time contains', async () => {
    const id = await ready();
    await watch(id);
    const ask = (contains: string) =>
      fixture.database.sql('insert into log_searches (deployment_id, contains, asked_at) values ($1, $2, $3)', [
        id,
        contains,
        iso(fixture.clock.at),
      ]);
    await ask('SERVER STARTED');
    await ask('not-the-right');
    // The simulation writes no nanoseconds, so every time ends with this.
    await ask('000000z');
    let found: { state: string; lines: Line[]; left_out: number }[] = [];
    await followed(actor, id, async () => {
      found = await fixture.database.sql(
        "select state, lines, left_out from log_searches where deployment_id = $1 order by contains = 'SERVER STARTED' desc",
        [id],
      );
      return found.every(({ state }) => state === 'done');
    });
    expect(found[0]?.lines.length).toBeGreaterThan(0);
    expect(found[0]?.lines[0]).toMatchObject({ level: 'info', text: expect.stringContaining('Server started') });
    expect(found.slice(1).map(({ lines }) => lines)).toEqual([[], []]);
    expect(found.some(({ left_out: leftOut }) => leftOut > 0)).toBe(false);
  });
});

describe('a restart of a container', () => {
  const request = (id: number, container: string) =>
    fixture.owner.tx('restart', async (tx) => {
      const at = iso(fixture.clock.at);
      const [row] = await tx.query<{ id: number }>(
        `insert into container_restarts (deployment_id, container, requested_by, requested_at) values ($1, $2, 1, $3)
         returning id`,
        [id, container, at],
      );
      await tx.execute(`insert into work (kind, key, due_at, created_at) values ($1, $2, $3, $3)`, [
        RESTART_CONTAINER,
        String(row?.id),
        at,
      ]);
    });
  const restarts = () =>
    fixture.database.sql<{ state: string; failure_code: string | null }>(
      'select state, failure_code from container_restarts order by id',
    );
  const startOf = async (id: number, container: string): Promise<string | undefined> => {
    const { ref, instance_ip } = await fixture.row(id);
    return fixture.hosts.at(instance_ip ?? '')?.marks[`started:${ref}:${container}`];
  };

  it('restarts only this container', async () => {
    const id = await ready();
    const before = await startOf(id, 'traefik');
    await request(id, 'pangolin');
    await fixture.settle(actor);
    expect(await restarts()).toEqual([{ state: 'done', failure_code: null }]);
    expect([await startOf(id, 'pangolin'), await startOf(id, 'traefik')]).toEqual([String(fixture.clock.at), before]);
  });

  it('of a container that the compose file does not declare fails', async () => {
    const id = await ready();
    await request(id, 'other');
    await fixture.settle(actor);
    expect(await restarts()).toEqual([{ state: 'failed', failure_code: LOG_MESSAGES.container_unknown.code }]);
  });

  it('of a silent server fails with the reason', async () => {
    const id = await ready();
    fixture.hosts.switchOff((await fixture.row(id)).instance_ip ?? '', true);
    await request(id, 'pangolin');
    await fixture.settle(actor);
    expect(await restarts()).toEqual([{ state: 'failed', failure_code: STEP_MESSAGES.ssh_unreachable.code }]);
  });

  it('waits for a run, and is given up after five minutes', async () => {
    const id = await ready();
    await request(id, 'pangolin');
    await fixture.database.sql(
      `insert into runs (deployment_id, plan, steps, started_at) values ($1, 'restart', '{finish}', now())`,
      [id],
    );
    await fixture.settle(actor, MINUTE_MS);
    expect(await restarts()).toEqual([{ state: 'asked', failure_code: null }]);
    await fixture.settle(actor, 5 * MINUTE_MS);
    expect(await restarts()).toEqual([{ state: 'failed', failure_code: LOG_MESSAGES.restart_late.code }]);
  });
});
