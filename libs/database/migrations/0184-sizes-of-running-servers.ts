import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Prices and disks of servers that got another size. A price by a size has the change that caused it, and the price of
 * the instance before and after, because the hourly price of a row is a sum.
 */
export class SizesOfRunningServers1767744000000 implements MigrationInterface {
  readonly name = 'SizesOfRunningServers1767744000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table deployment_rates
        add column change_id integer,
        add column base_before_micros bigint,
        add column base_hourly_micros bigint,
        add constraint deployment_rates_of_size check ((reason is not distinct from 'resized')
          = (change_id is not null and base_before_micros is not null and base_hourly_micros is not null));
      create unique index deployment_rates_change on deployment_rates (change_id) where change_id is not null;

      -- null until the disk is known to differ from that of the size
      alter table servers add column disk_gb integer check (disk_gb > 0);
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
