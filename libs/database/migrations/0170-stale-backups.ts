import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Orders planned backups by the age of their newest copy, so that stale ones are found by an index. */
export class StaleBackups1767312000000 implements MigrationInterface {
  readonly name = 'StaleBackups1767312000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index backup_repositories_by_age;
      create index backup_repositories_by_age on backup_repositories (greatest(copied_at, created_at)) where due_at is not null;
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
