import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { recordStatements, testDatabase, type TestDatabase } from '@moorage/testing';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { systemClock } from './clock';
import { type Db, prepared, sqlState, violatedConstraint } from './db';

@Entity('notes')
class Note {
  @PrimaryColumn({ type: 'integer' })
  id!: number;

  @Column({ type: 'date', nullable: true })
  day!: string | null;

  @Column({ type: 'bigint', nullable: true })
  micros!: string | null;
}

describe('db.tx', () => {
  let database: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    database = await testDatabase();
    await database.sql(
      'create table notes (id integer primary key, at timestamptz, day date, micros bigint, tags integer[])',
    );
    db = await database.open();
  });
  afterAll(() => database.drop());

  it('commits everything or nothing', async () => {
    await expect(
      db.tx('half', async (tx) => {
        await tx.execute('insert into notes (id) values (1)');
        throw new Error('half way');
      }),
    ).rejects.toThrow('half way');
    expect(await database.sql('select * from notes')).toEqual([]);
  });

  it('reports that nothing was committed if an error was swallowed', async () => {
    await expect(
      db.tx('swallowing', async (tx) => {
        await tx.execute('insert into notes (id) values (10)');
        await tx.execute('insert into notes (id) values (10)').catch(() => undefined);
      }),
    ).rejects.toThrow('swallowing swallowed a database error: nothing was committed');
    expect(await database.sql('select * from notes')).toEqual([]);
    expect(await db.tx('next', (tx) => tx.query('select 1 as one'))).toEqual([{ one: 1 }]);
  });

  it('waits for the disk, except for a transaction that need not be durable', async () => {
    const single = await database.open({ connections_max: 1 });
    await single.read('setting', (tx) => tx.query('set synchronous_commit = on'));
    const setting = (durable?: boolean) =>
      single.tx('setting', (tx) => tx.query('show synchronous_commit'), durable === undefined ? {} : { durable });
    expect(await setting(false)).toEqual([{ synchronous_commit: 'off' }]);
    expect(await setting()).toEqual([{ synchronous_commit: 'on' }]);
  });

  it('returns instants as milliseconds, days as text and large amounts without loss', async () => {
    const at = Date.UTC(2026, 10, 30, 23, 59, 59, 999);
    await db.tx('write', (tx) =>
      tx.execute('insert into notes values (2, $1, $2, $3, $4)', [
        new Date(at).toISOString(),
        '2026-12-01',
        9_007_199_254_740_993n,
        [1, 2],
      ]),
    );
    const [row] = await db.tx('read', (tx) => tx.query('select at, day, micros, tags from notes where id = 2'));
    expect(row).toEqual({ at, day: '2026-12-01', micros: '9007199254740993', tags: [1, 2] });
  });

  it('has one time for the whole transaction, shifted by the lab offset', async () => {
    const clock = systemClock({ offsetMs: 86_400_000 });
    await db.tx('time', async (tx) => {
      const first = await clock.now(tx);
      await tx.query('select pg_sleep(0.01)');
      expect(await clock.now(tx)).toBe(first);
      expect(Math.abs(first - 86_400_000 - Date.now())).toBeLessThan(60_000);
    });
  });

  it('passes a checkpoint before and after, and runs callbacks only after a commit', async () => {
    const seen: string[] = [];
    const watched = await database.open({ checkpoints: { at: async (name) => void seen.push(name) } });
    await watched.tx('a', async (tx) => {
      tx.afterCommit(() => void seen.push('waited'));
      seen.push('inside');
    });
    await watched
      .tx('b', async (tx) => {
        tx.afterCommit(() => void seen.push('never'));
        throw new Error('no');
      })
      .catch(() => undefined);
    expect(seen).toEqual(['a', 'inside', 'a.committed', 'waited', 'b']);
  });

  it('reads without a transaction after a checkpoint, with the role and its own time', async () => {
    const seen: string[] = [];
    const watched = await database.open({
      service: 'billing',
      checkpoints: { at: async (name) => void seen.push(name) },
    });
    const checked = await watched.read('glance', async (reads) => {
      const first = await reads.transactionTime();
      const names = [];
      for (let turn = 0; turn < 2; turn++) {
        const [row] = await reads.query<{ name: string; role: string }>(
          'select pg_current_xact_id()::text as name, current_user as role',
        );
        names.push(row?.name);
        expect(row?.role).toBe('moorage_billing');
      }
      expect(await reads.transactionTime()).toBe(first);
      return names;
    });
    // Each statement is a separate transaction.
    expect(new Set(checked).size).toBe(2);
    expect(seen).toEqual(['glance']);
  });

  it('retries a deadlock until both transactions have succeeded', async () => {
    await database.sql('insert into notes (id, micros) values (10, 0), (11, 0)');
    const both = (first: number, second: number) => {
      let met: (() => void) | undefined;
      const locked = new Promise<void>((resolve) => (met = resolve));
      return {
        locked,
        run: (other: Promise<void>) =>
          db.tx('cross', async (tx) => {
            await tx.execute('update notes set micros = micros + 1 where id = $1', [first]);
            met?.();
            await other;
            await tx.execute('update notes set micros = micros + 1 where id = $1', [second]);
          }),
      };
    };
    const [up, down] = [both(10, 11), both(11, 10)];
    await Promise.all([up.run(down.locked), down.run(up.locked)]);
    expect(await database.sql('select micros from notes where id in (10, 11)')).toEqual([
      { micros: '2' },
      { micros: '2' },
    ]);
  });

  it('frees the locks of an idle transaction, and reports its end to the owner', async () => {
    await database.sql('insert into notes (id, micros) values (20, 0)');
    const frozen = await database.open({ idle_in_transaction_ms: 2_000, connections_max: 1 });
    let held: (() => void) | undefined;
    const holds = new Promise<void>((resolve) => (held = resolve));
    let thaw: (() => void) | undefined;
    const thawed = new Promise<void>((resolve) => (thaw = resolve));
    const over = frozen
      .tx('frozen', async (tx) => {
        await tx.execute('update notes set micros = micros + 1 where id = 20');
        held?.();
        await thawed;
        await tx.execute('update notes set micros = micros + 1 where id = 20');
      })
      .then(
        () => 'committed',
        () => 'refused',
      );
    await holds;
    // It would wait here forever.
    await db.tx('other', (tx) => tx.execute('update notes set micros = micros + 10 where id = 20'));
    // A stopped caller does not occupy a place in the pool with a lost connection either.
    expect(await frozen.tx('meanwhile', (tx) => tx.query('select 1 as one'))).toEqual([{ one: 1 }]);
    thaw?.();
    expect(await over).toBe('refused');
    expect(await database.sql('select micros from notes where id = 20')).toEqual([{ micros: '10' }]);
    expect(await frozen.tx('again', (tx) => tx.query('select 1 as one'))).toEqual([{ one: 1 }]);
  });

  it('survives a connection that breaks while it is handed over', async () => {
    let breaks = 0;
    // As when the database's last error arrives in the same packet as its readiness.
    class Breaks extends pg.Client {
      constructor(config?: string | pg.ClientConfig) {
        super(config);
        const connect = this.connect.bind(this) as (reported: (error: unknown) => void) => void;
        const broken = (reported: (error: unknown) => void): void =>
          connect((error) => {
            reported(error);
            breaks += Number(this.emit('error', new Error('terminating connection')));
          });
        this.connect = broken as typeof this.connect;
      }
    }
    const shaken = await database.open({ client: Breaks, connections_max: 1 });
    expect(breaks).toBe(1);
    expect(await shaken.tx('after', (tx) => tx.query('select 1 as one'))).toEqual([{ one: 1 }]);
  });

  it('plans a prepared statement once per connection', async () => {
    const more = prepared('select $1::integer + 1 as more');
    const [first, second, plans] = await db.tx('more', async (tx) => [
      await tx.query(more, [1]),
      await tx.query(more, [2]),
      await tx.query<{ name: string }>('select name from pg_prepared_statements where statement = $1', [more]),
    ]);
    expect([first, second]).toEqual([[{ more: 2 }], [{ more: 3 }]]);
    expect(plans).toHaveLength(1);
    expect(plans?.[0]).toMatchObject({ name: expect.stringMatching(/^prepared /) });
  });

  it('closes although a transaction is idle, and nothing of it is stored', async () => {
    const closing = await database.open();
    let held: (() => void) | undefined;
    const holds = new Promise<void>((resolve) => (held = resolve));
    let thaw: (() => void) | undefined;
    const thawed = new Promise<void>((resolve) => (thaw = resolve));
    const over = closing
      .tx('left open', async (tx) => {
        await tx.execute('insert into notes (id) values (30)');
        held?.();
        await thawed;
      })
      .then(
        () => 'committed',
        () => 'refused',
      );
    await holds;
    await closing.close();
    thaw?.();
    expect(await over).toBe('refused');
    expect(await database.sql('select * from notes where id = 30')).toEqual([]);
  });

  it('names the state and the constraint of an error', async () => {
    const error: unknown = await db
      .tx('twice', (tx) => tx.execute('insert into notes (id) values (2)'))
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(sqlState(error)).toBe('23505');
    expect(violatedConstraint(error)).toBe('notes_pkey');
  });

  describe('with a repository', () => {
    it('commits its writes with the rest of the transaction, or nothing', async () => {
      await expect(
        db.tx('half', async (tx) => {
          await tx.repository(Note).save({ id: 40 });
          expect(await tx.query('select id from notes where id = 40')).toEqual([{ id: 40 }]);
          throw new Error('half way');
        }),
      ).rejects.toThrow('half way');
      expect(await database.sql('select * from notes where id = 40')).toEqual([]);
    });

    it('begins no transaction of its own', async () => {
      const recording = recordStatements();
      await db.tx('save', (tx) => tx.repository(Note).save({ id: 41, day: '2026-12-01', micros: '9007199254740993' }));
      recording.stop();
      expect(recording.statements().map(({ text }) => text.replace(/ .*/s, '').toLowerCase())).toEqual([
        'start',
        'select',
        'insert',
        'commit',
      ]);
      expect(await db.read('read', (reads) => reads.repository(Note).findOneBy({ id: 41 }))).toEqual({
        id: 41,
        day: '2026-12-01',
        micros: '9007199254740993',
      });
    });

    it('turns a requested transaction into a savepoint', async () => {
      await db.tx('outer', async (tx) => {
        const { manager } = tx.repository(Note);
        await tx.repository(Note).insert({ id: 42 });
        await manager
          .transaction(async (inner) => {
            await inner.insert(Note, { id: 43 });
            throw new Error('only this');
          })
          .catch(() => undefined);
      });
      expect(await database.sql('select id from notes where id in (42, 43)')).toEqual([{ id: 42 }]);
    });

    it('names the state and the constraint of an error, and retries a conflict', async () => {
      const error: unknown = await db
        .tx('twice', (tx) => tx.repository(Note).insert([{ id: 44 }, { id: 44 }]))
        .then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
      expect([sqlState(error), violatedConstraint(error)]).toEqual(['23505', 'notes_pkey']);
      expect(Object.keys(error as object)).toEqual(['driverError', 'name']);
      let tries = 0;
      await db.tx('again', async (tx) => {
        tries += 1;
        await tx.repository(Note).insert({ id: 45 });
        if (tries === 1) await tx.repository(Note).query(`do $$ begin raise sqlstate '40001'; end $$`);
      });
      expect(tries).toBe(2);
    });

    it('has the same wrappers as the transaction', async () => {
      const requested: string[] = [];
      await db.tx('watched', async (tx) => {
        const watched: typeof tx = {
          ...tx,
          query: (sql, params) => (requested.push(sql), tx.query(sql, params)),
          execute: (sql, params) => (requested.push(sql), tx.execute(sql, params)),
        };
        await watched.repository(Note).insert({ id: 46 });
        expect((await watched.repository(Note).update({ id: 46 }, { day: '2026-12-02' })).affected).toBe(1);
      });
      expect(requested).toEqual([
        expect.stringMatching(/^INSERT INTO "notes"/),
        expect.stringMatching(/^UPDATE "notes"/),
      ]);
    });

    it('rejects a condition without a value', async () => {
      const id = undefined as unknown as number;
      await expect(db.tx('any', (tx) => tx.repository(Note).findOneBy({ id }))).rejects.toThrow('undefined');
      await expect(db.tx('all', (tx) => tx.repository(Note).update({ id }, { day: null }))).rejects.toThrow();
    });
  });
});
