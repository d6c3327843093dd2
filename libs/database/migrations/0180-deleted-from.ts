import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores from which status a deployment was deleted, and how long its delete can be undone. */
export class DeletedFrom1767657600000 implements MigrationInterface {
  readonly name = 'DeletedFrom1767657600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table deployments
        add column deleted_from text check (deleted_from in ('ACTIVE', 'READY', 'DNS_FAILED')),
        add column undo_until timestamptz,
        add constraint deployments_undo check (undo_until is null or deleted_from is not null);
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
