import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is known of our rights and quotas at each provider, credentials entered in the console, and confirmed projects. */
export class ProviderChecks1767139200000 implements MigrationInterface {
  readonly name = 'ProviderChecks1767139200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table provider_checks (
        provider     text primary key,
        -- when an administrator asked for a check
        requested_at timestamptz,
        -- when the last check ended; null: none has
        checked_at   timestamptz,
        -- null: the last check got no answer
        rights       jsonb,
        -- null: the provider reports none
        quota        jsonb,
        -- the last call that failed
        error_kind   text,
        error_words  text check (length(error_words) <= 1000),
        error_at     timestamptz
      );

      -- the values are sealed in secrets; credentials entered here win over those of the settings
      create table provider_credentials (
        provider       text primary key,
        -- rises whenever other credentials are to be used
        version        integer not null default 0,
        -- since when entered credentials are in use; null: those of the settings are
        stored_at      timestamptz,
        entered_at     timestamptz,
        entered_by     integer references users (id),
        entered_state  text check (entered_state in ('testing', 'refused')),
        -- why the entered ones were refused
        refused_reason text,
        refused_words  text check (length(refused_words) <= 1000),
        check ((entered_at is null) = (entered_state is null))
      );
      create index provider_credentials_entered_by on provider_credentials (entered_by);

      -- the project in which an administrator lets us create servers
      alter table provider_breakers add column confirmed_project_id text, add column confirmed_at timestamptz;
      update provider_breakers b set confirmed_project_id = project_id, confirmed_at = pinned_at
      where project_id is not null
        and exists (select 1 from servers s where s.provider = b.provider and s.state <> 'gone');
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
