import pg from 'pg';
import { DataSource, type EntityTarget, getMetadataArgsStorage, type ObjectLiteral, type Repository } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import { iso } from './clock';
import type { SqlValue, Statements } from './statements';

/** A repository that finds and counts. */
export type ReadRepository<E extends ObjectLiteral> = Pick<
  Repository<E>,
  'find' | 'findBy' | 'findOne' | 'findOneBy' | 'countBy' | 'existsBy'
>;

/** Knows every class that `@Entity` marks, and has no connection. */
class Entities extends DataSource {
  constructor() {
    super({
      type: 'postgres',
      driver: pg,
      entities: getMetadataArgsStorage().tables.map(({ target }) => target),
      logging: false,
      // a condition that has no value would leave out the owner
      invalidWhereValuesBehavior: { undefined: 'throw', null: 'throw' },
    });
  }

  build(): Promise<void> {
    return this.buildMetadatas();
  }
}

/** Sends what TypeORM asks as statements of a transaction, for it is one for them all. */
class TxRunner extends PostgresQueryRunner {
  constructor(
    entities: Entities,
    private readonly tx: Statements,
  ) {
    super(entities.driver as PostgresDriver, 'master');
    // what TypeORM would begin by itself it leaves out, and what it is asked to begin is a savepoint
    this.isTransactionActive = true;
    this.transactionDepth = 1;
    this.manager = entities.createEntityManager(this);
  }

  override async query(
    sql: string,
    values: (SqlValue | Date)[] = [],
    isStructured = false,
  ): ReturnType<PostgresQueryRunner['query']> {
    const params = values.map((value) => (value instanceof Date ? iso(value.getTime()) : value));
    const changes = /^(update|delete) /i.test(sql);
    const returns = !changes || / returning /i.test(sql);
    const records = returns ? await this.tx.query(sql, params) : [];
    const affected = returns ? records.length : await this.tx.execute(sql, params);
    const raw = changes ? [records, affected] : records;
    return isStructured ? { raw, records, affected } : raw;
  }
}

/** TypeORM's repositories, over the statements of a transaction. */
export async function openRepositories(): Promise<
  <E extends ObjectLiteral>(tx: Statements, entity: EntityTarget<E>) => Repository<E>
> {
  const entities = new Entities();
  await entities.build();
  return (tx, entity) => new TxRunner(entities, tx).manager.getRepository(entity);
}
