import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reboots of servers, and those that owners have planned for the window. */
export class Reboots1768003500000 implements MigrationInterface {
  readonly name = 'Reboots1768003500000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table update_settings
        -- when to look for the window of a planned reboot; null: none is planned
        add column reboot_due_at timestamptz,
        add column reboot_requested_by integer references users (id);
      create index update_settings_reboot_due on update_settings (reboot_due_at) where reboot_due_at is not null;

      alter table deployment_changes
        drop constraint deployment_changes_kind_check,
        add constraint deployment_changes_kind_check check (kind in ('configuration', 'resize', 'update', 'reboot'));

      alter table runs
        drop constraint runs_plan_check,
        add constraint runs_plan_check check (plan in ('create', 'destroy', 'restart', 'validate-dns', 'change-domain',
          'restore', 'undo-restore', 'configure', 'undo-configure', 'resize', 'undo-resize', 'update', 'undo-update',
          'reboot', 'undo-reboot'));
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
