import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which tax was included in payments from when on. */
export class TaxRates1766102400000 implements MigrationInterface {
  readonly name = 'TaxRates1766102400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table tax_rates (
        since  timestamptz primary key,
        -- in thousandths of a percent; null: none
        rate   integer check (rate between 0 and 100000),
        text   text,
        check ((rate is null) = (text is null))
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table tax_rates');
  }
}
