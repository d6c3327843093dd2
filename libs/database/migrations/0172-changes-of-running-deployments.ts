import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Changes of running deployments that their runs apply or undo, such as other configuration values. */
export class ChangesOfRunningDeployments1767340800000 implements MigrationInterface {
  readonly name = 'ChangesOfRunningDeployments1767340800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table deployment_changes (
        id             integer primary key generated always as identity,
        deployment_id  integer not null references deployments (id),
        kind           text not null check (kind in ('configuration', 'resize')),
        state          text not null check (state in ('running', 'undoing', 'done', 'failed')),
        -- plain values before and after the change, by name
        before         jsonb not null,
        after          jsonb not null,
        -- names of the secrets that it changes
        secrets        text[] not null default '{}',
        requested_by   integer references users (id),
        requested_at   timestamptz not null,
        finished_at    timestamptz,
        failure_reason text,
        failure_code   text,
        failure_facts  jsonb,
        check ((state in ('done', 'failed')) = (finished_at is not null))
      );
      create index deployment_changes_of_deployment on deployment_changes (deployment_id, id desc);
      create unique index deployment_changes_one_at_a_time on deployment_changes (deployment_id)
        where state in ('running', 'undoing');
      create index deployment_changes_ended on deployment_changes (finished_at) where state in ('done', 'failed');

      alter table runs
        drop constraint runs_plan_check,
        add constraint runs_plan_check check (plan in ('create', 'destroy', 'restart', 'validate-dns', 'change-domain',
          'restore', 'undo-restore', 'configure', 'undo-configure', 'resize', 'undo-resize'));
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
