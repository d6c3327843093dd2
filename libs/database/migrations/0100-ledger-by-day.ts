import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The transactions of all accounts by day, for administrators: the newest are found without reading the rest. */
export class LedgerByDay1764100000000 implements MigrationInterface {
  readonly name = 'LedgerByDay1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index ledger_due on ledger_transactions (due_at desc, id desc)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index ledger_due');
  }
}
