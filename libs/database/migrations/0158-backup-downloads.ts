import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Archives of backups that their owners download. */
export class BackupDownloads1766793600000 implements MigrationInterface {
  readonly name = 'BackupDownloads1766793600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table backup_downloads (
        id              integer primary key generated always as identity,
        deployment_id   integer not null references deployments (id),
        backup_id       integer not null,
        state           text not null check (state in ('preparing', 'ready', 'failed', 'expired')),
        requested_at    timestamptz not null,
        ready_at        timestamptz,
        -- until when the archive is kept
        expires_at      timestamptz,
        bytes           bigint,
        failure_reason  text,
        failure_code    text,
        failure_facts   jsonb,
        -- of the address that a browser fetches it at, and until when that leads anywhere
        link_hash       text,
        link_expires_at timestamptz,
        check ((state in ('ready', 'expired')) = (ready_at is not null))
      );
      create index backup_downloads_of_deployment on backup_downloads (deployment_id, id desc);
      create unique index backup_downloads_one_at_a_time on backup_downloads (deployment_id) where state = 'preparing';
      create unique index backup_downloads_by_link on backup_downloads (link_hash) where link_hash is not null;
      create index backup_downloads_to_remove on backup_downloads (expires_at) where state = 'ready';
      create index backup_downloads_ended on backup_downloads (requested_at) where state in ('failed', 'expired');
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
