import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the audit has verified for good: the postings of closed months, of which no row changes any more, with what they add
 * up to. A later audit begins from there. `audits` says of each audit what it covered.
 */
export class AuditByMonths1764111000000 implements MigrationInterface {
  readonly name = 'AuditByMonths1764111000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table audit_months (
        month        date primary key check (month = date_trunc('month', month)),
        -- the ledger's ids of it: those behind the month before, to the last that was posted within it
        after_id     bigint not null,
        through_id   bigint not null check (through_id >= after_id),
        transactions bigint not null,
        lines        bigint not null,
        -- the sum of its lines by pot
        pots         jsonb not null,
        -- over every transaction and line
        digest       bytea not null,
        closed_at    timestamptz not null
      );
      create trigger audit_months_append_only before update or delete or truncate on audit_months
        for each statement execute function refuse_change();

      -- what accounts, credits and deployments had at the end of the newest closed month
      create table audit_accounts (
        through_id     bigint not null,
        user_id        integer not null,
        regular_micros bigint not null,
        owed_micros    bigint not null,
        -- the sum of the amounts of its transactions
        amounts_micros bigint not null,
        primary key (through_id, user_id)
      );
      create table audit_credits (
        through_id       bigint not null,
        credit_id        integer not null,
        remaining_micros bigint not null,
        granted_micros   bigint not null,
        primary key (through_id, credit_id)
      );
      create table audit_deployments (
        through_id      bigint not null,
        deployment_id   integer not null,
        charges         integer not null,
        charged_through date not null,
        primary key (through_id, deployment_id)
      );

      create table audits (
        id       bigint generated always as identity primary key,
        at       timestamptz not null,
        breaches integer not null,
        covered  jsonb not null
      );
      create index audits_age on audits (at);
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
