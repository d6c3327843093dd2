import type { MigrationInterface, QueryRunner } from 'typeorm';

/** All deployments that an account ever had: its failed creations are counted whether they were deleted since or not. */
export class DeploymentsOfUser1764032000000 implements MigrationInterface {
  readonly name = 'DeploymentsOfUser1764032000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index deployments_of_user on deployments (user_id, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index deployments_of_user');
  }
}
