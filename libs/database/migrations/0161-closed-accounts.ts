import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The accounts that were closed, for the nightly look for payments that reached them later. */
export class ClosedAccounts1766923200000 implements MigrationInterface {
  readonly name = 'ClosedAccounts1766923200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index users_closed on users (deactivated_at) where deactivated_at is not null');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
