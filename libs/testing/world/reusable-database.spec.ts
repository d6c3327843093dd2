import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { instant } from '@moorage/domain';
import { NO_CHECKPOINTS } from '@moorage/server';
import { insertUser } from '../accounts';
import { createReusableDatabase, type ReusableDatabase } from './reusable-database';

let stage: ReusableDatabase;
beforeAll(async () => {
  stage = await createReusableDatabase();
  await addUser();
  await stage.store();
});
afterAll(() => stage.drop());

const AT = instant('2026-12-01T00:00:00Z');
const addUser = async (): Promise<number> => {
  const db = await stage.open('api', 'somebody', NO_CHECKPOINTS);
  return db.tx('add', (tx) => insertUser(tx, { at: AT }));
};
const users = () => stage.database.sql<{ id: number }>('select id from users order by id');

describe('reusable simulation database', () => {
  it('restores its initial rows and sequence numbers', async () => {
    const before = await users();
    await addUser();
    const during = await users();
    await stage.restore();
    expect(await users()).toEqual(before);
    await addUser();
    expect(await users()).toEqual(during);
    expect(during).toHaveLength(before.length + 1);
    await stage.restore();
  });

  it('restores rows that are protected against changes', async () => {
    const id = await addUser();
    await stage.database.sql(
      `insert into ledger_transactions (user_id, type, amount_micros, description, due_at, posted_at)
       values ($1, 'adjustment', 5, 'x', $2, $2)`,
      [id, new Date(AT).toISOString()],
    );
    await stage.restore();
    expect(await stage.database.sql('select id from ledger_transactions')).toEqual([]);
  });

  it('ends a transaction left open by a broken simulation run', async () => {
    const db = await stage.open('api', 'left open', NO_CHECKPOINTS);
    let begun = (): void => undefined;
    const open = new Promise<void>((resolve) => (begun = resolve));
    const left = db.tx('left', async (tx) => {
      await tx.query('select 1 from users for update');
      begun();
      await new Promise(() => undefined);
    });
    void left.catch(() => undefined);
    await open;
    await stage.restore();
    expect(await users()).toHaveLength(1);
  });

  it('passes the checkpoints of the latest connection', async () => {
    const passed: string[] = [];
    const first = await stage.open('billing', 'door', { at: (name) => Promise.resolve(void passed.push(`1 ${name}`)) });
    const second = await stage.open('billing', 'door', {
      at: (name) => Promise.resolve(void passed.push(`2 ${name}`)),
    });
    expect(second).toBe(first);
    await first.tx('look', async (tx) => tx.query('select 1'));
    expect(passed).toEqual(['2 look', '2 look.committed']);
  });
});
