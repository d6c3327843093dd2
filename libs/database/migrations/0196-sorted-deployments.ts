import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One index for each column that a list of all deployments is sorted by. Otherwise a page of a million deployments sorts
 * all of them.
 */
export class SortedDeployments1768004100000 implements MigrationInterface {
  readonly name = 'SortedDeployments1768004100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index deployments_by_client_name on deployments (client_name, id) where status <> 'DELETED';
      create index deployments_by_package on deployments (package, id) where status <> 'DELETED';
      create index deployments_by_provider on deployments (coalesce(cloud_provider, 'byovps'), id) where status <> 'DELETED';
      create index deployments_by_status on deployments (status, id) where status <> 'DELETED';
      create index wallets_by_balance on wallets (regular_micros, user_id);
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
