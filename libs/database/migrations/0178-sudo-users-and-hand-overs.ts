import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users with sudo on customers' own servers, and deployments that were handed over to their owners. */
export class SudoUsersAndHandOvers1767571200000 implements MigrationInterface {
  readonly name = 'SudoUsersAndHandOvers1767571200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table deployments drop constraint deployments_destroy_reason_check;
      alter table deployments add constraint deployments_destroy_reason_check
        check (destroy_reason in ('deleted', 'depleted', 'account', 'failed', 'handed_over'));
      alter table vps_hosts add column ssh_user text not null default 'root';
      alter table vps_checks add column ssh_user text not null default 'root';
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
