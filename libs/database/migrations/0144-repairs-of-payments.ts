import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which customer an automatic top-up charged, and why an administrator settled a difference between the books. */
export class RepairsOfPayments1766188800000 implements MigrationInterface {
  readonly name = 'RepairsOfPayments1766188800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- the provider's customer whose card an automatic top-up charges; null: a checkout, or an attempt of an older version
      alter table checkout_sessions add column customer text;
      alter table payment_differences
        add column settled_by integer references users (id),
        add column settled_because text check (length(settled_because) <= 500),
        add check (settled_by is null or (resolved_at is not null and settled_because is not null));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table payment_differences drop column settled_by, drop column settled_because;
      alter table checkout_sessions drop column customer;
    `);
  }
}
