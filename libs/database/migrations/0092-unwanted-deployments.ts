import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The look for stuck deployments, every few minutes, reads only what is on its way. */
export class UnwantedDeployments1764092000000 implements MigrationInterface {
  readonly name = 'UnwantedDeployments1764092000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create index deployments_unwanted on deployments (updated_at)
       where desired = 'destroyed' and status not in ('FAILED', 'DESTROYED', 'DELETED')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index deployments_unwanted');
  }
}
