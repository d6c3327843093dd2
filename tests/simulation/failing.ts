import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db, Tx } from '@moorage/server';

/**
 * Makes the settlement of one account throw for a while. Queries of billing are answered, so it still waits for the
 * account's lock. After that it fails, as with a row that has an invalid value.
 */
export interface Failing {
  /** Account for which the settlement currently throws. */
  readonly userId: number | null;
  /** Accounts that have ever thrown. */
  readonly ever: ReadonlySet<number>;
  /** Number of times it has thrown. */
  readonly thrown: number;
  /**
   * Counts how often settling the account threw in this call, without concurrent calls and without the statement of the
   * daily run.
   */
  counted(run: () => Promise<unknown>): Promise<number>;
  begin(userId: number): void;
  lift(): void;
  /** Wraps billing's database with the fault. */
  through(db: Db): Db;
}

class ValueRefused extends Error {
  override readonly name = 'ValueRefused';
  /** Error class 22 of PostgreSQL, which stands for invalid data in a row. */
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

  /** Wraps a transaction. `isAbout` returns whether a statement processes the account that throws. */
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

/**
 * Returns whether the statement of the daily run includes the account. Its last parameter lists the locked accounts.
 */
function isCharged(params: readonly unknown[], userId: number): boolean {
  const locked = params[5];
  return typeof locked === 'string' && locked.replace(/[{}]/g, '').split(',').includes(String(userId));
}
