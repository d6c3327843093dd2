import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What owners may change of a deployment (decisions 51), and what is told of one that ended unpaid. */
export class ChangesOfDeployments1764806400000 implements MigrationInterface {
  readonly name = 'ChangesOfDeployments1764806400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table deployments
        add column deletion_locked   boolean not null default false,
        -- when its owner last chose another domain
        add column domain_changed_at timestamptz;
      -- a charge that was never paid and ended a deployment, for its owner to read
      create table unpaid_endings (
        deployment_id    integer primary key references deployments (id),
        user_id          integer not null references users (id),
        due_at           timestamptz not null,
        ended_at         timestamptz not null,
        due_micros       bigint not null check (due_micros >= 0),
        available_micros bigint not null check (available_micros >= 0),
        dismissed_at     timestamptz
      );
      create index unpaid_endings_told on unpaid_endings (user_id, deployment_id) where dismissed_at is null;
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
