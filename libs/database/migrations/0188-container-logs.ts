import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Logs of containers while somebody watches them, and requested restarts of single containers. */
export class ContainerLogs1767917000000 implements MigrationInterface {
  readonly name = 'ContainerLogs1767917000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A deployment whose logs are being followed. The row and everything below it end with the last reader.
      create table log_follows (
        deployment_id integer primary key references deployments (id),
        -- renewed by each read
        wanted_until  timestamptz not null,
        started_at    timestamptz not null,
        state         text not null default 'connecting' check (state in ('connecting', 'following', 'unreachable')),
        -- why the server cannot be reached
        message       text,
        message_code  text,
        message_facts jsonb,
        containers    jsonb not null default '[]',
        -- lines that came too fast to be read
        left_out      integer not null default 0,
        -- newest line that was removed because there were too many
        floor         text not null default ''
      );
      create index log_follows_wanted_until on log_follows (wanted_until);
      create table log_lines (
        deployment_id integer not null references log_follows (deployment_id) on delete cascade,
        seq           bigint generated always as identity,
        -- Docker's time in nanoseconds
        stamp         text not null,
        at            timestamptz not null,
        container     text not null,
        level         text not null check (level in ('error', 'warning', 'info', 'debug', 'none')),
        -- without secrets
        text          text not null check (length(text) <= 2000),
        primary key (deployment_id, seq)
      );
      create table log_searches (
        deployment_id integer not null references log_follows (deployment_id) on delete cascade,
        contains      text not null check (length(contains) between 3 and 100),
        state         text not null default 'asked' check (state in ('asked', 'done', 'failed')),
        lines         jsonb not null default '[]',
        left_out      integer not null default 0,
        asked_at      timestamptz not null,
        answered_at   timestamptz,
        primary key (deployment_id, contains)
      );
      create table container_restarts (
        id             integer primary key generated always as identity,
        deployment_id  integer not null references deployments (id),
        container      text not null,
        requested_by   integer not null references users (id),
        state          text not null default 'asked' check (state in ('asked', 'done', 'failed')),
        failure_reason text,
        failure_code   text,
        failure_facts  jsonb,
        requested_at   timestamptz not null,
        finished_at    timestamptz,
        check ((finished_at is null) = (state = 'asked'))
      );
      create index container_restarts_of_deployment on container_restarts (deployment_id, container, requested_at);
      create index container_restarts_finished_at on container_restarts (finished_at) where state <> 'asked';
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
