import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Basic monitoring (decisions 41): whether each running deployment answers, and when it did not. */
export class Reachability1764979200000 implements MigrationInterface {
  readonly name = 'Reachability1764979200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table reachability (
        deployment_id integer primary key references deployments (id),
        -- of the next check; null: it does not run
        due_at        timestamptz,
        state         text not null check (state in ('unknown', 'reachable', 'unreachable')),
        since         timestamptz,
        checked_at    timestamptz,
        -- checks in a row without an answer
        failures      integer not null check (failures >= 0),
        failed_since  timestamptz,
        -- the newest ten: [{from, to}], instants in milliseconds
        outages       jsonb not null,
        -- when those that were mailed began, in milliseconds
        mailed        jsonb not null,
        check ((state = 'unknown') = (since is null)),
        check ((failures = 0) = (failed_since is null))
      );
      create index reachability_due on reachability (due_at) where due_at is not null;
      -- spread over the first five minutes
      insert into reachability (deployment_id, due_at, state, failures, outages, mailed)
        select id, now() + (id % 300) * interval '1 second', 'unknown', 0, '[]', '[]'
          from deployments where status in ('ACTIVE', 'READY');
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
