import pg from 'pg';
import {
  DataSource,
  type EntityManager,
  type EntityTarget,
  getMetadataArgsStorage,
  type ObjectLiteral,
  QueryFailedError as TypeOrmError,
  type Repository,
} from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';

/** A repository outside a transaction: it finds and counts. */
export type ReadRepository<E extends ObjectLiteral> = Pick<
  Repository<E>,
  'find' | 'findBy' | 'findOne' | 'findOneBy' | 'countBy' | 'existsBy'
>;

export interface Repositories {
  repository<E extends ObjectLiteral>(entity: EntityTarget<E>): Repository<E>;
}

/** What the database answered instead. Its message and detail can hold values of rows: they are not for a log. */
export class QueryFailedError extends Error {
  override readonly name = 'QueryFailedError';
  constructor(readonly driverError: Error) {
    super(driverError.message);
  }
}

/** Knows every class that `@Entity` marks, and has no connection of its own. */
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

class ClientRunner extends PostgresQueryRunner {
  constructor(entities: Entities, client: pg.PoolClient) {
    super(entities.driver as PostgresDriver, 'master');
    this.databaseConnection = client;
    // within ours: what TypeORM would begin by itself it leaves out, and what it is asked to begin is a savepoint
    this.isTransactionActive = true;
    this.transactionDepth = 1;
    this.manager = entities.createEntityManager(this);
  }

  override async query(...asked: Parameters<PostgresQueryRunner['query']>): ReturnType<PostgresQueryRunner['query']> {
    try {
      return await super.query(...asked);
    } catch (error) {
      throw error instanceof TypeOrmError ? new QueryFailedError(error.driverError as Error) : error;
    }
  }
}

/** TypeORM's repositories over connections of ours. Resolves with what makes those of one connection. */
export async function openRepositories(): Promise<(client: pg.PoolClient) => Repositories> {
  const entities = new Entities();
  await entities.build();
  return (client) => {
    let manager: EntityManager | undefined;
    return { repository: (entity) => (manager ??= new ClientRunner(entities, client).manager).getRepository(entity) };
  };
}
