import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each provider offers, as it last said itself: the provisioner asks, the api reads. */
export class Catalogues1764113000000 implements MigrationInterface {
  readonly name = 'Catalogues1764113000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table catalogues (
        provider     text primary key,
        -- 'live': the provider's own answer; 'built_in': a simulated provider's
        source       text check (source in ('live', 'built_in')),
        -- regions with their types and prices (libs/database/catalogues.ts); null until it has answered once
        regions      jsonb,
        refreshed_at timestamptz,
        -- when it is asked next
        due_at       timestamptz not null,
        check (num_nulls(source, regions, refreshed_at) in (0, 3))
      );
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
