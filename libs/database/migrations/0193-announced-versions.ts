import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Emails about versions that owners have received. */
export class AnnouncedVersions1768003800000 implements MigrationInterface {
  readonly name = 'AnnouncedVersions1768003800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table version_checks (
        user_id      integer primary key references users (id),
        checked_at   timestamptz not null,
        -- when the last email about available versions was sent
        announced_at timestamptz
      );
      create index version_checks_due on version_checks (checked_at);

      create table version_notices (
        deployment_id     integer primary key references deployments (id),
        -- version that was announced last
        announced         text,
        -- end of support about which the owner was notified last, and the days left at that notice
        support_version   text,
        support_until     date,
        support_notice    smallint,
        check (num_nulls(support_version, support_until, support_notice) in (0, 3))
      );
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
