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
import { createOutbox } from '@moorage/messaging';
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
import { createDeployments, type DeploymentRow, type Deployments } from './deployments';

const START = instant('2026-12-01T12:00:00Z');

describe('the billable interval of a deployment', () => {
  let database: TestDatabase;
  let db: Db;
  let clock: HandClock;
  let deployments: Deployments;
  let userId: number;

  beforeAll(async () => {
    database = await testDatabase();
    db = await database.open();
    clock = handClock(START);
    deployments = createDeployments({ outbox: createOutbox({ clock, random: systemRandom() }) });
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

  it('is closed by a move to a status that is not billable, also when nobody says at which instant', async () => {
    const id = await inserted('READY', START);
    const row = await db.tx('test.move', async (tx) =>
      deployments.move(tx, await locked(tx, id), { to: 'DESTROYING', by: 'api', at: START + HOUR_MS }),
    );
    expect(row.billable_to).toBe(START + HOUR_MS);
  });

  it('ends before the move where the caller says so, never after it and never before it began', async () => {
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

  it('is closed by the mark for destruction, and does not open after it', async () => {
    const running = await inserted('DNS_VALIDATION', START);
    const creating = await inserted('PROVISIONING');
    const at = START + HOUR_MS;
    const [marked, opened] = await db.tx('test.mark', async (tx) => {
      const first = await deployments.markDestroyed(tx, await locked(tx, running), { at, reason: 'account' });
      const second = await deployments.markDestroyed(tx, await locked(tx, creating), { at, reason: 'account' });
      return [first, await deployments.move(tx, second, { to: 'DNS_VALIDATION', by: 'provisioner', at })];
    });
    expect(marked).toMatchObject({ status: 'DNS_VALIDATION', billable_to: at });
    expect(opened).toMatchObject({ status: 'DNS_VALIDATION', billable_from: null });
  });

  it('cannot be left open in the table by whatever code', async () => {
    const id = await inserted('READY', START);
    const refused = await database
      .sql(`update deployments set status = 'DESTROYED' where id = $1`, [id])
      .catch((error: unknown) => error);
    expect(sqlState(refused)).toBe('23514');
  });

  it('is open in billable statuses only, along every path of moves and marks', async () => {
    const actors: readonly Actor[] = ['api', 'provisioner', 'billing'];
    const steps = fc.array(fc.record({ edge: fc.nat(), mark: fc.boolean() }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(steps, async (path) => {
        const id = await inserted('CREATING');
        await db.tx('test.walk', async (tx) => {
          let row = await locked(tx, id);
          for (const [index, { edge, mark }] of path.entries()) {
            const at = START + (index + 1) * HOUR_MS;
            const open = EDGES.filter(
              ({ from, to }) =>
                from === row.status && (from !== 'FAILED' || !BILLABLE.includes(to) || mayReturn(row, to)),
            );
            const taken = open[edge % Math.max(1, open.length)];
            if (taken === undefined) break;
            const by = actors.find((actor) => taken.by.includes(actor)) ?? 'api';
            if (mark && index % 3 === 2) row = await deployments.markDestroyed(tx, row, { at, reason: 'depleted' });
            const lost = taken.to === 'FAILED' && BILLABLE.includes(row.status) ? { lost_from: row.status } : {};
            row = await deployments.move(tx, row, { to: taken.to, by, at, changes: lost });
            const isOpen = row.billable_from !== null && row.billable_to === null;
            expect(isOpen && !BILLABLE.includes(row.status)).toBe(false);
            expect(isOpen && row.desired === 'destroyed').toBe(false);
            if (OPENS_INTERVAL.includes(row.status) && row.desired === 'running')
              expect(row.billable_from).not.toBeNull();
          }
        });
      }),
      { numRuns: 60 },
    );
  });
});
