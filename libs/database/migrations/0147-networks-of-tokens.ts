import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The networks that each API token was used from lately. */
export class NetworksOfTokens1766016000000 implements MigrationInterface {
  readonly name = 'NetworksOfTokens1766016000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table user_tokens
        -- the newest first; empty: not used since this column exists
        add column networks text[] not null default '{}' check (cardinality(networks) <= 10);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table user_tokens drop column networks');
  }
}
