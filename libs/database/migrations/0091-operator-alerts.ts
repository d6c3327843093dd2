import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators must know of and look at, raised by any service and mailed by the api. */
export class OperatorAlerts1764091000000 implements MigrationInterface {
  readonly name = 'OperatorAlerts1764091000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- one row per kind and subject, opened again when it comes back: its number is bounded by what there is to watch
create table operator_alerts (
  kind          text not null,
  -- what it is about where a kind has several: a consumer, a provider; '' where it has one
  subject       text not null default '' check (length(subject) <= 200),
  facts         jsonb not null default '{}',
  first_seen_at timestamptz not null,
  last_seen_at  timestamptz not null,
  mailed_at     timestamptz,
  resolved_at   timestamptz,
  primary key (kind, subject)
);
create index operator_alerts_resolved on operator_alerts (resolved_at) where resolved_at is not null;

-- when a check ran last: one that no longer runs finds nothing
create table operator_checks (
  name   text primary key,
  ran_at timestamptz not null
);
`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
