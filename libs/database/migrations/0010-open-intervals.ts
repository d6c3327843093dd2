import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An open billable interval exists only in a billable status. Rows that broke this before (a delete that raced the begin
 * of the interval) are closed at the instant their destruction began; billing's next sweep then returns what was charged
 * after it, because their meters are not reckoned.
 */
export class OpenIntervals1764000010000 implements MigrationInterface {
  readonly name = 'OpenIntervals1764000010000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      update deployments d set version = version + 1,
        billable_to = greatest(d.billable_from, coalesce(
          (select min(r.started_at) from runs r where r.deployment_id = d.id and r.plan = 'destroy'),
          d.deleted_at, d.updated_at))
      where d.billable_from is not null and d.billable_to is null
        and d.status not in ('ACTIVE', 'DNS_VALIDATION', 'READY', 'DNS_FAILED', 'RESTARTING');
      alter table deployments add constraint deployments_open_interval check (
        billable_from is null or billable_to is not null
        or status in ('ACTIVE', 'DNS_VALIDATION', 'READY', 'DNS_FAILED', 'RESTARTING'));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table deployments drop constraint deployments_open_interval');
  }
}
