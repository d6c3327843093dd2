import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Actor,
  BILLABLE,
  type DeploymentStatus,
  EDGES,
  HOUR_MS,
  instant,
  mayReturn,
  OPENS_INTERVAL,
} from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { type Db, sqlState, systemRandom, type Tx } from '@moorage/server';
import {
  type HandClock,
  handClock,
  insertDeployment,
  insertUser,
  testDatabase,
  type TestDatabase,
} from '@moorage/testing';
import fc from 'fast-check';
import { Deployments, type DeploymentRow } from './deployments';

const START = instant('2026-12-01T12:00:00Z');

describe('billable interval of a deployment', () => {
  let database: TestDatabase;
  let db: Db;
  let clock: HandClock;
  let deployments: Deployments;
  let userId: number;

  beforeAll(async () => {
    database = await testDatabase();
    db = await database.open();
    clock = handClock(START);
    deployments = new Deployments({ outbox: new Outbox({ clock, random: systemRandom() }) });
    userId = await db.tx('test.user', (tx) => insertUser(tx, { at: START }));
  });
  afterAll(() => database.drop());

  async function locked(tx: Tx, id: number): Promise<DeploymentRow> {
    const row = await deployments.lock(tx, id);
    if (row === null) throw new Error('no such deployment');
    return row;
  }

  const inserted = (status: DeploymentStatus, billableFrom?: number): Promise<number> =>
    db.tx('test.insert', (tx) =>
      insertDeployment(tx, {
        userId,
        at: START,
        baseHourlyMicros: 35_600,
        status,
        ...(billableFrom === undefined ? {} : { billableFrom }),
      }),
    );

  it('is closed by a change to an unbillable status, even without an explicit time', async () => {
    const id = await inserted('READY', START);
    const row = await db.tx('test.move', async (tx) =>
      deployments.move(tx, await locked(tx, id), { to: 'DESTROYING', by: 'api', at: START + HOUR_MS }),
    );
    expect(row.billable_to).toBe(START + HOUR_MS);
  });

  it('ends at an explicit time before the change, but never after it and never before the start', async () => {
    const ended = async (billable_to: number): Promise<number | null> => {
      const id = await inserted('READY', START);
      return db.tx('test.move', async (tx) => {
        const move = { to: 'DESTROYING', by: 'api', at: START + HOUR_MS, changes: { billable_to } } as const;
        return (await deployments.move(tx, await locked(tx, id), move)).billable_to;
      });
    };
    expect(await ended(START + 1)).toBe(START + 1);
    expect(await ended(START + 2 * HOUR_MS)).toBe(START + HOUR_MS);
    expect(await ended(START - 1)).toBe(START);
  });

  it('is closed by the mark for destruction and not reopened afterwards', async () => {
    const running = await inserted('DNS_VALIDATION', START);
    const creating = await inserted('PROVISIONING');
    const at = START + HOUR_MS;
    const [marked, opened] = await db.tx('test.mark', async (tx) => {
      const first = await deployments.markDestroyed(tx, await locked(tx, running), {
        at,
        by: 'billing',
        reason: 'account',
      });
      const second = await deployments.markDestroyed(tx, await locked(tx, creating), {
        at,
        by: 'billing',
        reason: 'account',
      });
      return [first, await deployments.move(tx, second, { to: 'DNS_VALIDATION', by: 'provisioner', at })];
    });
    expect(marked).toMatchObject({ status: 'DNS_VALIDATION', billable_to: at });
    expect(opened).toMatchObject({ status: 'DNS_VALIDATION', billable_from: null });
  });

  it.each(['api', 'billing', 'provisioner'] as const)(
    'records that the %s ended it with a mark, and why',
    async (by) => {
      const id = await inserted('DNS_VALIDATION', START);
      const at = START + HOUR_MS;
      await db.tx('test.mark', async (tx) =>
        deployments.markDestroyed(tx, await locked(tx, id), { at, by, reason: 'depleted', billable_to: at - 1 }),
      );
      const changes = 'select actor, reason, billable_to from interval_changes where deployment_id = $1 order by id';
      expect(await database.sql(changes, [id])).toEqual([{ actor: by, reason: 'depleted', billable_to: at - 1 }]);
    },
  );

  it('cannot be left open in the table by any code', async () => {
    const id = await inserted('READY', START);
    const refused = await database
      .sql(`update deployments set status = 'DESTROYED' where id = $1`, [id])
      .catch((error: unknown) => error);
    expect(sqlState(refused)).toBe('23514');
  });

  it('is open only in billable statuses, along every path of changes and marks', async () => {
    const isOpen = (row: DeploymentRow): boolean => row.billable_from !== null && row.billable_to === null;
    const actors: readonly Actor[] = ['api', 'provisioner', 'billing'];
    const begins = fc.constantFrom<DeploymentStatus>('CREATING', 'DNS_VALIDATION', 'READY');
    const steps = fc.array(fc.record({ edge: fc.nat(), mark: fc.nat({ max: 4 }) }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(begins, steps, async (begin, path) => {
        const id = await inserted(begin, BILLABLE.includes(begin) ? START : undefined);
        await db.tx('test.walk', async (tx) => {
          let row = await locked(tx, id);
          for (const [index, { edge, mark }] of path.entries()) {
            const at = START + (index + 1) * HOUR_MS;
            // A deployment that has been given up may not return.
            if (mark === 0) row = await deployments.markDestroyed(tx, row, { at, by: 'billing', reason: 'depleted' });
            const open = EDGES.filter(
              ({ from, to }) =>
                from === row.status &&
                ((from !== 'FAILED' && from !== 'DESTROYING') || !BILLABLE.includes(to) || mayReturn(row, to)),
            );
            const taken = open[edge % Math.max(1, open.length)];
            if (taken === undefined) break;
            const by = actors.find((actor) => taken.by.includes(actor)) ?? 'api';
            const lost = taken.to === 'FAILED' && BILLABLE.includes(row.status) ? { lost_from: row.status } : {};
            row = await deployments.move(tx, row, { to: taken.to, by, at, changes: lost });
            expect(isOpen(row) && !BILLABLE.includes(row.status)).toBe(false);
            expect(isOpen(row) && row.desired === 'destroyed').toBe(false);
            if (OPENS_INTERVAL.includes(row.status) && row.desired === 'running')
              expect(row.billable_from).not.toBeNull();
          }
        });
      }),
      { numRuns: 60 },
    );
  });
});
