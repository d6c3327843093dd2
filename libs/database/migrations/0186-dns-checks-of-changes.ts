import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The DNS check from before a change of the configuration, which applies again if nothing has been replaced. */
export class DnsChecksOfChanges1767916800000 implements MigrationInterface {
  readonly name = 'DnsChecksOfChanges1767916800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deployment_changes add column dns_check jsonb');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
