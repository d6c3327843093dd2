import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { DataSource, getMetadataArgsStorage } from 'typeorm';
import './entities';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly has_default: boolean;
  readonly in_key: boolean;
}

const COLUMNS = `
select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
  a.atthasdef or a.attidentity <> '' as has_default, coalesce(a.attnum = any(k.conkey), false) as in_key
from pg_attribute a left join pg_constraint k on k.conrelid = a.attrelid and k.contype = 'p'
where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped
order by a.attname`;

const entities = getMetadataArgsStorage().tables.map(({ target }) => target as () => unknown);

describe('an entity and its migrated table have the same columns', () => {
  let database: TestDatabase;
  let source: DataSource;
  beforeAll(async () => {
    database = await testDatabase();
    source = new DataSource({ type: 'postgres', url: database.url, entities, installExtensions: false });
    await source.initialize();
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  it.each(entities.map((entity) => [entity.name, entity]))('%s', async (_, entity) => {
    const { tableName, columns } = source.getMetadata(entity);
    const described = columns.map((column): Column => ({
      name: column.databaseName,
      type: source.driver.normalizeType(column) + (column.isArray ? '[]' : ''),
      nullable: column.isNullable,
      has_default: column.default !== undefined || column.isGenerated,
      in_key: column.isPrimary,
    }));
    expect(described.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual(await database.sql(COLUMNS, [tableName]));
  });
});
