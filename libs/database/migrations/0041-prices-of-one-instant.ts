import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Of two prices of one instant the one written later (the higher id) holds. What costs nothing between the loss of a
 * server and its return is written behind the prices that were there: rows stay as they were written.
 */
export class PricesOfOneInstant1764041000000 implements MigrationInterface {
  readonly name = 'PricesOfOneInstant1764041000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table deployment_rates drop constraint deployment_rates_pkey;
      alter table deployment_rates add primary key (deployment_id, effective_from, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table deployment_rates drop constraint deployment_rates_pkey;
      alter table deployment_rates add primary key (deployment_id, effective_from);
    `);
  }
}
