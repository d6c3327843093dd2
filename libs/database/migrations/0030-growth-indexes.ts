import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is asked of an account answers from its own rows, however many others there are. */
export class GrowthIndexes1764030000000 implements MigrationInterface {
  readonly name = 'GrowthIndexes1764030000000';

  async up(runner: QueryRunner): Promise<void> {
    // "has this account ever had a server": deployments_user leaves out what is DELETED
    await runner.query(
      'create index deployments_ever_billable on deployments (user_id) where billable_from is not null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index deployments_ever_billable');
  }
}
