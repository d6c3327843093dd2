import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Buckets of customers into which the backups of a deployment are copied. */
export class BackupBuckets1766966400000 implements MigrationInterface {
  readonly name = 'BackupBuckets1766966400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table backup_buckets (
        deployment_id    integer primary key references deployments (id),
        -- counts the changes by the owner: a result of an older revision is not stored
        revision         integer not null default 1,
        endpoint         text not null,
        region           text not null,
        bucket           text not null,
        folder           text not null,
        state            text not null check (state in ('checking', 'ready', 'failed')),
        checked_at       timestamptz,
        -- since when a copy is under way
        copying_since    timestamptz,
        copied_at        timestamptz,
        copied_backup_id integer,
        -- copies that failed in a row, and when the next one is due
        failures         integer not null default 0,
        retry_at         timestamptz,
        failure_reason   text,
        failure_code     text,
        failure_facts    jsonb,
        check ((copied_at is null) = (copied_backup_id is null)),
        check ((state = 'failed') = (failure_reason is not null))
      );
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
