import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the data from before a restore is removed from its server, apart from until when the restore can be undone. */
export class TidyingAfterRestores1766880000000 implements MigrationInterface {
  readonly name = 'TidyingAfterRestores1766880000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- when the data from before is removed from the server; null: there is none
      alter table restores add column tidy_at timestamptz;
      update restores set tidy_at = undo_until where undo_until is not null and before_removed_at is null;
      drop index restores_to_tidy;
      alter table restores drop column before_removed_at;
      create index restores_to_tidy on restores (tidy_at) where tidy_at is not null;
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
