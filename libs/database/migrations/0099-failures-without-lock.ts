import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The check of a foreign key takes a lock on the wallet: an account could not be recorded as failed by the very reason that
 * somebody else holds its wallet. Wallets are never removed, so there is nothing to check.
 */
export class FailuresWithoutLock1764099000000 implements MigrationInterface {
  readonly name = 'FailuresWithoutLock1764099000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table billing_failures drop constraint billing_failures_user_id_fkey');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
