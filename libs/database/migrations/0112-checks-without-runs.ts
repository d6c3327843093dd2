import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The check of a user's own server is a kind of work: a run belongs to a deployment. Checks that are under way begin again.
 * Services of the version before must be stopped: they start checks as runs.
 */
export class ChecksWithoutRuns1764112000000 implements MigrationInterface {
  readonly name = 'ChecksWithoutRuns1764112000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      insert into work (kind, key, due_at, created_at)
        select 'check-vps', id::text, asked_at, asked_at from vps_checks where state = 'asked'
        on conflict (kind, key) do nothing;
      delete from work where kind = 'run' and key in (select id::text from runs where deployment_id is null);
      delete from runs where deployment_id is null;
      alter table runs
        drop column vps_check_id,
        alter column deployment_id set not null,
        drop constraint runs_plan_check,
        add constraint runs_plan_check check (plan in ('create', 'destroy', 'restart', 'validate-dns'));
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
