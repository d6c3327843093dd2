import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Moves and clones of deployments. */
export class Moves1767484800000 implements MigrationInterface {
  readonly name = 'Moves1767484800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table moves (
        id            integer primary key generated always as identity,
        source_id     integer not null references deployments (id),
        target_id     integer not null unique references deployments (id),
        kind          text not null check (kind in ('move', 'clone')),
        state         text not null check (state in ('running', 'waiting', 'done', 'failed', 'cancelled')),
        requested_by  integer not null,
        requested_at  timestamptz not null,
        -- time at which the target was ready with the data
        switched_at   timestamptz,
        -- time at which the source is removed; null unless the move waits for it
        remove_at     timestamptz,
        finished_at   timestamptz,
        check (source_id < target_id),
        check ((state in ('running', 'waiting')) = (finished_at is null)),
        check ((state = 'waiting') = (remove_at is not null))
      );
      create index moves_of_source on moves (source_id, id desc);
      create unique index moves_one_at_a_time on moves (source_id) where state in ('running', 'waiting');
      create index moves_to_finish on moves (id) where state = 'waiting';
      create index moves_ended on moves (finished_at) where state not in ('running', 'waiting');
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
