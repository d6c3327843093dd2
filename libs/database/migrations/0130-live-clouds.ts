import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a provider's credentials are good, and how long a provider told us to keep quiet. */
export class LiveClouds1764130000000 implements MigrationInterface {
  readonly name = 'LiveClouds1764130000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table provider_breakers
        -- when the credentials last showed our project; null: never yet
        add column proven_at timestamptz,
        -- since when they do not: refused, or leading to another project
        add column refused_at timestamptz;
      alter table cloud_budgets
        -- the provider answered that it had too many requests of this token, and said how long to wait
        add column blocked_until timestamptz;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table provider_breakers drop column proven_at, drop column refused_at;
      alter table cloud_budgets drop column blocked_until;
    `);
  }
}
