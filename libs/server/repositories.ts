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

/** Data source without a connection that knows every class marked with `@Entity`. */
class Entities extends DataSource {
  constructor() {
    super({
      type: 'postgres',
      driver: pg,
      entities: getMetadataArgsStorage().tables.map(({ target }) => target),
      logging: false,
      // A condition without a value would silently drop a filter such as the owner.
      invalidWhereValuesBehavior: { undefined: 'throw', null: 'throw' },
    });
  }

  build(): Promise<void> {
    return this.buildMetadatas();
  }
}

/** Sends TypeORM's statements in a transaction of this library. */
class TxRunner extends PostgresQueryRunner {
  constructor(
    entities: Entities,
    private readonly tx: Statements,
  ) {
    super(entities.driver as PostgresDriver, 'master');
    // TypeORM does not begin a transaction of its own, and turns requested transactions into savepoints.
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

/** Returns a function that creates TypeORM repositories on the statements of a transaction. */
export async function openRepositories(): Promise<
  <E extends ObjectLiteral>(tx: Statements, entity: EntityTarget<E>) => Repository<E>
> {
  const entities = new Entities();
  await entities.build();
  return (tx, entity) => new TxRunner(entities, tx).manager.getRepository(entity);
}
