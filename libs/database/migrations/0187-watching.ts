import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Metrics and incidents of running deployments. Past outages become incidents. */
export class Watching1767916900000 implements MigrationInterface {
  readonly name = 'Watching1767916900000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table metrics (
        deployment_id  integer not null references deployments (id),
        -- start of the span
        at             timestamptz not null,
        span_minutes   smallint not null check (span_minutes in (5, 60)),
        -- requests to the deployment's address, and those without a response
        checks         integer not null default 0 check (checks >= 0),
        failed         integer not null default 0 check (failed between 0 and checks),
        -- of each request with a response; in hours the median of each span
        response_ms    integer[] not null default '{}',
        -- null: the server reported nothing in the span
        cpu_percent    real,
        load           real,
        memory_used_mb integer,
        disk_used_mb   integer,
        primary key (deployment_id, span_minutes, at)
      );
      create index metrics_at on metrics (at);
      create index metrics_spans on metrics (at) where span_minutes = 5;

      create table incidents (
        id            integer generated always as identity primary key,
        deployment_id integer not null references deployments (id),
        user_id       integer not null references users (id),
        kind          text not null,
        -- container or host name; empty: the whole deployment
        subject       text not null check (length(subject) <= 255),
        facts         jsonb not null,
        began_at      timestamptz not null,
        ended_at      timestamptz,
        -- times that it returned within minutes of its end
        returned      integer not null default 0,
        -- when its owner was informed
        told_at       timestamptz,
        -- it can no longer return
        settled_at    timestamptz,
        -- conversation with support that it started
        conversation_id integer references support_messages (id) on delete set null,
        check (settled_at is null or ended_at is not null)
      );
      create unique index incidents_unsettled on incidents (deployment_id, kind, subject) where settled_at is null;
      create index incidents_open on incidents (began_at) where ended_at is null;
      create index incidents_of on incidents (deployment_id, began_at);
      create index incidents_ended on incidents (ended_at);
      create index incidents_conversation on incidents (conversation_id) where conversation_id is not null;

      alter table reachability
        add column response_ms     integer,
        -- results in a row that differ from the incidents; see libs/domain/watch/incidents.ts
        add column streaks         jsonb not null default '{}',
        -- no results in a row and no incident that is not settled
        add column is_quiet        boolean not null default false,
        add column host_due_at     timestamptz,
        add column host_checked_at timestamptz,
        -- the last figures of the server
        add column host            jsonb,
        -- CPU time counters of the last check, in ticks since the boot
        add column cpu_ticks       jsonb,
        -- the message that explains why the last check of the server failed
        add column host_failure    jsonb,
        add column names_due_at    timestamptz,
        -- state of the server in the last response of its provider
        add column server_runs     boolean,
        add column server_seen_at  timestamptz,
        alter column failures set default 0,
        alter column outages set default '[]',
        alter column mailed set default '[]';
      create index reachability_host_due on reachability (host_due_at) where host_due_at is not null;
      create index reachability_names_due on reachability (names_due_at) where names_due_at is not null;

      -- spread over their intervals
      update reachability set failures = 0, failed_since = null,
        host_due_at = now() + (deployment_id % 300) * interval '1 second',
        names_due_at = now() + (deployment_id % 3600) * interval '1 second'
        where due_at is not null;
      insert into incidents (deployment_id, user_id, kind, subject, facts, began_at, ended_at, told_at, settled_at)
        select r.deployment_id, d.user_id, 'down', '', '{}', began_at, ended_at,
          case when r.mailed @> (outage -> 'from') then began_at end, ended_at
          from reachability r join deployments d on d.id = r.deployment_id,
          jsonb_array_elements(r.outages) outage,
          to_timestamp((outage ->> 'from')::float8 / 1000) began_at,
          to_timestamp((outage ->> 'to')::float8 / 1000) ended_at;
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
