import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Accounts that could not be settled, and when a night's run has tried everybody: with both, the nightly audit looks at
 * the newest night and leaves out only these accounts.
 */
export class BillingFailures1764090000000 implements MigrationInterface {
  readonly name = 'BillingFailures1764090000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
create table billing_failures (
  user_id         integer primary key references wallets (user_id),
  -- the first day that may be missing: everything before it was settled
  day             date not null,
  -- class and code of the last error
  code            text not null,
  tries           integer not null default 1,
  first_failed_at timestamptz not null,
  failed_at       timestamptz not null
);

-- every account was tried once; whoever failed is in billing_failures
alter table billing_runs add column passed_at timestamptz;
update billing_runs set passed_at = finished_at where finished_at is not null;
`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
