import { beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '@moorage/domain';
import { STACK_ROOT } from '../ssh/command';
import { type FixtureActor, type ProvisionerFixture, fixturesOfSuite } from '../testing';

const openBench = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;

beforeEach(async () => {
  fixture = await openBench();
  actor = await fixture.actor();
});

const DATABASE = 'config/db/db.sqlite';

async function pathOf(id: number): Promise<{ address: string; path: string }> {
  const { ref, instance_ip: address } = await fixture.row(id);
  return { address: address ?? '', path: `${STACK_ROOT}/${ref}/${DATABASE}` };
}

/** What the package wrote into its database. */
async function write(id: number, text: string): Promise<void> {
  const { address, path } = await pathOf(id);
  const machine = fixture.hosts.at(address);
  if (machine === null) throw new Error('no machine');
  machine.files[path] = { mode: 0o600, data: Buffer.from(text).toString('base64') };
}

async function read(id: number): Promise<string | null> {
  const { address, path } = await pathOf(id);
  const data = fixture.hosts.at(address)?.files[path]?.data;
  return data === undefined ? null : Buffer.from(data, 'base64').toString();
}

interface Row {
  readonly id: number;
  readonly kind: string;
  readonly state: string;
  readonly failure_reason: string | null;
  readonly removed_because: string | null;
}
const backupsOf = (id: number): Promise<Row[]> =>
  fixture.database.sql<Row>(
    'select id, kind, state, failure_reason, removed_because from backups where deployment_id = $1 order by id',
    [id],
  );

async function ready(level: 1 | 2 | 3 = 2): Promise<number> {
  const id = await fixture.order({ support_level: level });
  await fixture.until(actor, id, 'READY');
  return id;
}

/** The schedule's tick, and everything that follows from it. */
async function tick(): Promise<void> {
  await actor.provisioner.backups.run();
  await fixture.settle(actor);
}

async function backUp(id: number): Promise<number> {
  const backup = await fixture.backUp(id);
  await fixture.settle(actor, 60_000);
  return backup ?? 0;
}

describe('a backup', () => {
  it('is taken when its owner asks for it, with everything that the package keeps', async () => {
    const id = await ready();
    await write(id, 'three sites');
    const backup = await backUp(id);
    const [row] = await fixture.database.sql('select * from backups where id = $1', [backup]);
    expect(row).toMatchObject({
      kind: 'on_request',
      state: 'complete',
      attempts: 1,
      percent: 100,
      failure_reason: null,
    });
    expect(row).toMatchObject({ dumps: [{ name: 'database', bytes: 11 }] });
    const { ref } = await fixture.row(id);
    expect(fixture.copies.list(ref)).toHaveLength(1);
  });

  it('is taken every day at its own time, and only while the deployment runs', async () => {
    const id = await ready();
    await tick();
    expect(await backupsOf(id)).toEqual([]);
    for (let day = 0; day < 3; day++) {
      fixture.clock.at += DAY_MS;
      await tick();
    }
    expect((await backupsOf(id)).map(({ kind, state }) => `${kind} ${state}`)).toEqual(
      Array.from({ length: 3 }, () => 'scheduled complete'),
    );
    await fixture.ask(id, 'delete');
    await fixture.until(actor, id, 'DESTROYED');
    fixture.clock.at += DAY_MS;
    await tick();
    expect(await backupsOf(id)).toHaveLength(3);
  });

  it('is not planned for a level without backups', async () => {
    const id = await ready(1);
    await tick();
    fixture.clock.at += 2 * DAY_MS;
    await tick();
    expect(await backupsOf(id)).toEqual([]);
  });
});

describe('copies', () => {
  it.each([
    [2, 7],
    [3, 28],
  ] as const)('of level %i are kept for %i days', async (level, days) => {
    const id = await ready(level);
    await tick();
    for (let day = 0; day < days + 3; day++) {
      fixture.clock.at += DAY_MS;
      await tick();
    }
    const rows = await backupsOf(id);
    expect(rows.filter(({ state }) => state === 'complete')).toHaveLength(days);
    expect(rows.filter(({ removed_because }) => removed_because === 'retention')).toHaveLength(3);
    const { ref } = await fixture.row(id);
    expect(fixture.copies.list(ref)).toHaveLength(days);
  });
});

describe('a restore', () => {
  it('puts the data of a copy in place after a backup of now, and can be undone for a day', async () => {
    const id = await ready();
    await write(id, 'before');
    const backup = await backUp(id);
    await write(id, 'after');
    await fixture.restore(id, backup);
    const restored = await fixture.until(actor, id, 'READY');
    expect(restored.failure_reason).toBeNull();
    expect(await read(id)).toBe('before');
    expect((await backupsOf(id)).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'on_request complete',
      'before_restore complete',
    ]);
    await fixture.undoRestore(id);
    await fixture.until(actor, id, 'READY');
    expect(await read(id)).toBe('after');
    const [row] = await fixture.database.sql('select state from restores where deployment_id = $1', [id]);
    expect(row).toEqual({ state: 'undone' });
  });

  it('removes the data from before once it can no longer be undone', async () => {
    const id = await ready();
    await write(id, 'before');
    const backup = await backUp(id);
    await write(id, 'after');
    await fixture.restore(id, backup);
    await fixture.until(actor, id, 'READY');
    const { ref, instance_ip: address } = await fixture.row(id);
    const kept = (): string[] =>
      Object.keys(fixture.hosts.at(address ?? '')?.files ?? {}).filter((path) =>
        path.startsWith(`${STACK_ROOT}/${ref}/.before/`),
      );
    expect(kept()).not.toEqual([]);
    fixture.clock.at += 25 * HOUR_MS;
    await tick();
    expect(kept()).toEqual([]);
    expect(await read(id)).toBe('before');
  });
});

describe('a deployment that ends for lack of money', () => {
  it('is backed up a last time, and its copies are kept as its level says', async () => {
    const id = await ready(3);
    await write(id, 'all of it');
    await fixture.deplete(id);
    const gone = await fixture.until(actor, id, 'DESTROYED');
    expect((await backupsOf(id)).map(({ kind, state }) => `${kind} ${state}`)).toEqual(['last complete']);
    await tick();
    fixture.clock.at += 27 * DAY_MS;
    await tick();
    expect(fixture.copies.list(gone.ref)).toHaveLength(1);
    fixture.clock.at += 2 * DAY_MS;
    await tick();
    expect(fixture.copies.list(gone.ref)).toEqual([]);
    expect((await backupsOf(id))[0]).toMatchObject({ state: 'removed', removed_because: 'ended' });
  });
});
