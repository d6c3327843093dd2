import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What providers hold of ours and nobody needs. */
export class CloudLeaks1767225600000 implements MigrationInterface {
  readonly name = 'CloudLeaks1767225600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table cloud_leaks (
        id             integer primary key generated always as identity,
        provider       text not null,
        kind           text not null,
        region         text not null,
        -- what the provider calls it
        holding_id     text not null,
        name           text not null,
        labels         jsonb not null,
        -- the deployment that its labels name, if our rows know it
        deployment_id  integer references deployments (id),
        -- null: no price of it is known
        micros_per_day bigint check (micros_per_day >= 0),
        state          text not null check (
          state in ('suspected', 'confirmed', 'removing', 'adopting', 'kept', 'removed', 'adopted', 'gone')
        ),
        first_seen_at  timestamptz not null,
        last_seen_at   timestamptz not null,
        -- when a look first did not show it
        missed_at      timestamptz,
        times_seen     integer not null,
        -- who decided, and why
        decided_by     text,
        decided_at     timestamptz,
        reason         text,
        -- why the decision could not be carried out, and the provider's words
        failure        text,
        failure_words  text,
        ended_at       timestamptz,
        unique (provider, kind, region, holding_id),
        check ((state in ('removed', 'adopted', 'gone')) = (ended_at is not null)),
        check (state not in ('removing', 'adopting', 'kept', 'removed', 'adopted') or decided_at is not null)
      );
      create index cloud_leaks_open on cloud_leaks (provider, id) where ended_at is null;
      create index cloud_leaks_costly on cloud_leaks (micros_per_day desc nulls last, id desc);
      create index cloud_leaks_ended on cloud_leaks (ended_at) where ended_at is not null;
      create index cloud_leaks_deployment on cloud_leaks (deployment_id) where deployment_id is not null;

      alter table provider_breakers
        -- the last complete look for leaks
        add column leaks_looked_at timestamptz,
        -- why a later look was not complete
        add column leaks_failure   text;
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
