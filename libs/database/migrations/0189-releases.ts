import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Releases of deployments, their rollout, and what owners have chosen about updates. */
export class Releases1768003400000 implements MigrationInterface {
  readonly name = 'Releases1768003400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- version in the manifest of its package; null: the first release
      alter table deployments add column release text;
      -- of the data
      alter table backups add column release text;
      -- of the data before the restore
      alter table restores add column release_before text;

      -- what administrators have decided about a release
      create table release_rollouts (
        package      text not null,
        version      text not null,
        ring         text not null check (ring in ('none', 'own', 'few', 'quarter', 'all')),
        state        text not null check (state in ('rolling', 'stopped', 'withdrawn')),
        -- earlier failures do not count
        counted_from timestamptz not null,
        changed_at   timestamptz not null,
        -- null: it was stopped by failures
        changed_by   integer references users (id),
        primary key (package, version)
      );

      create table update_settings (
        deployment_id integer primary key references deployments (id),
        automatic     text not null check (automatic in ('off', 'security', 'patch', 'minor')),
        is_held       boolean not null,
        -- of the week, 0 for Sunday
        days          smallint[] not null check (days <@ '{0,1,2,3,4,5,6}' and cardinality(days) between 1 and 7),
        -- start of the window
        hour          smallint not null check (hour between 0 and 23),
        hours         smallint not null check (hours between 1 and 12),
        time_zone     text not null check (length(time_zone) <= 60),
        changed_at    timestamptz not null,
        -- when to look for an automatic update; null: never
        due_at        timestamptz
      );
      create index update_settings_due on update_settings (due_at) where due_at is not null;

      alter table deployment_changes
        drop constraint deployment_changes_kind_check,
        add constraint deployment_changes_kind_check check (kind in ('configuration', 'resize', 'update')),
        -- when it was taken back automatically
        add column taken_back_at timestamptz;
      create index deployment_changes_updates on deployment_changes ((after ->> 'release'), taken_back_at)
        where kind = 'update';

      alter table runs
        drop constraint runs_plan_check,
        add constraint runs_plan_check check (plan in ('create', 'destroy', 'restart', 'validate-dns', 'change-domain',
          'restore', 'undo-restore', 'configure', 'undo-configure', 'resize', 'undo-resize', 'update', 'undo-update'));
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
