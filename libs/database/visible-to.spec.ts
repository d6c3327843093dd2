import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { instant } from '@moorage/domain';
import type { Db } from '@moorage/server';
import { insertDeployment, insertUser, testDatabase, type TestDatabase } from '@moorage/testing';
import { isVisibleTo, type Viewer, visibleTo } from './visible-to';

const at = instant('2026-12-01T12:00:00Z');

describe("visibility of Jane's, Kim's and an administrator's deployments", () => {
  let database: TestDatabase;
  let db: Db;
  let jane: Viewer;
  let kim: Viewer;
  let admin: Viewer;
  beforeAll(async () => {
    database = await testDatabase();
    db = await database.open();
    await db.tx('given', async (tx) => {
      const created = async (isAdmin: boolean): Promise<Viewer> => {
        const userId = await insertUser(tx, { at, isAdmin });
        await insertDeployment(tx, { userId, at, baseHourlyMicros: 35_600 });
        return { userId, isAdmin };
      };
      jane = await created(false);
      kim = await created(false);
      admin = await created(true);
    });
  });
  afterAll(() => database.drop());

  async function owners(viewer: Viewer, { of, ownOnly }: { of?: Viewer; ownOnly?: boolean } = {}): Promise<number[]> {
    const visible = visibleTo(viewer, { column: 'd.user_id', firstParameter: 2, ...(ownOnly && { ownOnly }) });
    const rows = await db.tx('look', (tx) =>
      tx.query<{ user_id: number }>(
        `select d.user_id from deployments d where ($1::integer is null or d.user_id = $1) and ${visible.sql} order by 1`,
        [of?.userId ?? null, ...visible.params],
      ),
    );
    return rows.map(({ user_id }) => user_id);
  }

  it('limits a user to their own deployments', async () => {
    expect(await owners(jane)).toEqual([jane.userId]);
    expect(await owners(jane, { of: jane })).toEqual([jane.userId]);
    expect(await owners(jane, { of: kim })).toEqual([]);
    expect(await owners(jane, { of: admin })).toEqual([]);
  });

  it('lets an administrator see all if the call allows it', async () => {
    expect(await owners(admin)).toEqual([jane.userId, kim.userId, admin.userId]);
    expect(await owners(admin, { of: kim })).toEqual([kim.userId]);
    expect(await owners(admin, { ownOnly: true })).toEqual([admin.userId]);
    expect(await owners(admin, { of: kim, ownOnly: true })).toEqual([]);
  });

  it('is the same for missing rows', () => {
    const seen = (viewer: Viewer, ownOnly: boolean) =>
      [jane, kim, admin].map(({ userId }) => isVisibleTo(viewer, userId, { ownOnly }));
    expect(seen(jane, false)).toEqual([true, false, false]);
    expect(seen(jane, true)).toEqual([true, false, false]);
    expect(seen(admin, false)).toEqual([true, true, true]);
    expect(seen(admin, true)).toEqual([false, false, true]);
  });

  it('uses the same statement for every user', () => {
    const request = (viewer: Viewer) => visibleTo(viewer, { column: 'user_id', firstParameter: 3 });
    expect(request(jane)).toEqual({ sql: 'user_id = $3', params: [jane.userId] });
    expect(request(kim).sql).toBe(request(jane).sql);
  });
});
