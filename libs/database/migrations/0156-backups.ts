import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Backups of deployments and restores of them. */
export class Backups1766707200000 implements MigrationInterface {
  readonly name = 'Backups1766707200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table backup_repositories (
        deployment_id   integer primary key references deployments (id),
        mode            text not null check (mode in ('real', 'simulated')),
        created_at      timestamptz not null,
        -- of the next daily backup; null: none is planned
        due_at          timestamptz,
        -- backups have ended: until when the copies are kept; null: they go on
        ends_at         timestamptz,
        -- all copies were removed, and the repository with them
        removed_at      timestamptz,
        used_bytes      bigint not null default 0 check (used_bytes >= 0),
        -- when its newest copy was complete
        copied_at       timestamptz,
        -- when somebody looks after the copies next; null: there are none any more
        tend_at         timestamptz,
        -- the last look at the structure, and at a part of the data
        checked_at      timestamptz,
        check_failure   jsonb,
        data_checked_at timestamptz,
        -- the last restore test
        tested_at       timestamptz,
        test_failure    jsonb,
        test_bytes      bigint,
        test_ms         integer,
        -- when its owner was told last that the copies take more than the level includes
        quota_told_at   timestamptz
      );
      create index backup_repositories_due on backup_repositories (due_at) where due_at is not null;
      create index backup_repositories_to_tend on backup_repositories (tend_at) where tend_at is not null;
      create index backup_repositories_by_age on backup_repositories (coalesce(copied_at, created_at)) where due_at is not null;

      create table backups (
        id               integer primary key generated always as identity,
        deployment_id    integer not null references deployments (id),
        kind             text not null check (kind in ('scheduled', 'on_request', 'before_restore', 'before_update',
                           'before_move', 'before_resize', 'last')),
        state            text not null check (state in ('waiting', 'running', 'complete', 'failed', 'removed')),
        requested_at     timestamptz not null,
        started_at       timestamptz,
        finished_at      timestamptz,
        retry_at         timestamptz,
        attempts         integer not null default 0,
        failure_reason   text,
        failure_code     text,
        failure_facts    jsonb,
        snapshot_id      text,
        bytes            bigint,
        added_bytes      bigint,
        files            integer,
        -- [{name, bytes}]
        dumps            jsonb not null default '[]',
        percent          integer check (percent between 0 and 100),
        bytes_done       bigint,
        catalogue_version integer,
        removed_at       timestamptz,
        removed_because  text check (removed_because in ('retention', 'quota', 'ended')),
        check ((state in ('complete', 'removed')) = (snapshot_id is not null)),
        check ((state = 'removed') = (removed_at is not null))
      );
      create index backups_of_deployment on backups (deployment_id, id desc);
      create unique index backups_one_at_a_time on backups (deployment_id) where state in ('waiting', 'running');
      create index backups_ended on backups (finished_at) where state in ('failed', 'removed');

      create table restores (
        id             integer primary key generated always as identity,
        -- onto which
        deployment_id  integer not null references deployments (id),
        -- the copy, of this deployment or of another one of its owner, and when it was taken
        backup_id      integer not null,
        taken_at       timestamptz not null,
        kind           text not null check (kind in ('in_place', 'new')),
        state          text not null check (state in ('running', 'done', 'failed', 'undoing', 'undone')),
        requested_at   timestamptz not null,
        finished_at    timestamptz,
        -- until when the data from before is kept on the server
        undo_until     timestamptz,
        -- it was removed there
        before_removed_at timestamptz,
        failure_reason text,
        failure_code   text,
        failure_facts  jsonb
      );
      create index restores_of_deployment on restores (deployment_id, id desc);
      create index restores_ended on restores (finished_at) where state not in ('running', 'undoing');
      create unique index restores_one_at_a_time on restores (deployment_id) where state in ('running', 'undoing');
      create index restores_to_tidy on restores (undo_until) where undo_until is not null and before_removed_at is null;

      alter table runs
        drop constraint runs_plan_check,
        add constraint runs_plan_check check (plan in ('create', 'destroy', 'restart', 'validate-dns', 'change-domain',
          'restore', 'undo-restore'));
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
