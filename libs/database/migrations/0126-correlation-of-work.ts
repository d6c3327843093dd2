import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Work carries the id of the request it goes back to, so that what its steps log can be found by it. */
export class CorrelationOfWork1765065600000 implements MigrationInterface {
  readonly name = 'CorrelationOfWork1765065600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- null: nothing but time asked for it
      alter table work add column correlation_id text check (length(correlation_id) <= 200);
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
