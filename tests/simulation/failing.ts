import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db, Tx } from '@moorage/server';

/**
 * One account whose settling throws, for a while. What billing asks of it is answered, so that it waits for the account's
 * lock as ever; then it fails, as on a row with a value that nothing can be made of.
 */
export interface Failing {
  /** Whose settling throws now. */
  readonly userId: number | null;
  /** Who has ever thrown. */
  readonly ever: ReadonlySet<number>;
  /** How often it has thrown. */
  readonly thrown: number;
  /** How often settling it threw in this call: what others met meanwhile, and the night's own statement, are not counted. */
  counted(run: () => Promise<unknown>): Promise<number>;
  begin(userId: number): void;
  lift(): void;
  /** Billing's database, with the fault in it. */
  through(db: Db): Db;
}

class ValueRefused extends Error {
  override readonly name = 'ValueRefused';
  /** Of class 22, as PostgreSQL names it: a fault of a row. */
  readonly code = '22003';
}

export function createFailing(): Failing {
  let userId: number | null = null;
  let thrown = 0;
  const ever = new Set<number>();
  const calls = new AsyncLocalStorage<{ thrown: number }>();

  const fail = (tx: Tx): never => {
    thrown++;
    const call = calls.getStore();
    if (call !== undefined && tx.name === 'billing.settle') call.thrown++;
    if (userId !== null) ever.add(userId);
    throw new ValueRefused('a number of the account is out of range');
  };

  /** `isAbout`: does this statement take the account that throws? */
  const faulty = (tx: Tx, isAbout: (params: readonly unknown[], userId: number) => boolean): Tx => ({
    ...tx,
    async query(sql, params) {
      const rows = await tx.query(sql, params);
      if (userId !== null && isAbout(params ?? [], userId)) fail(tx);
      return rows as never;
    },
  });

  return {
    get userId() {
      return userId;
    },
    ever,
    get thrown() {
      return thrown;
    },
    async counted(run) {
      const call = { thrown: 0 };
      await calls.run(call, run);
      return call.thrown;
    },
    begin(id) {
      userId = id;
    },
    lift() {
      userId = null;
    },
    through: (db) => ({
      ...db,
      tx(name, fn) {
        if (name === 'billing.settle') return db.tx(name, (tx) => fn(faulty(tx, ([first], id) => first === id)));
        if (name === 'billing.chunk') return db.tx(name, (tx) => fn(faulty(tx, isCharged)));
        return db.tx(name, fn);
      },
    }),
  };
}

/** The night's own statement is told last which accounts are locked for it. */
function isCharged(params: readonly unknown[], userId: number): boolean {
  const locked = params[5];
  return typeof locked === 'string' && locked.replace(/[{}]/g, '').split(',').includes(String(userId));
}
