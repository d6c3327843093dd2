import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Audit records name the account they concern, the credential that was used and the reason that was given. The network and
 * device of an act name a person, so they are rows of their own, which end with the account or after a year.
 */
export class Activity1765584000000 implements MigrationInterface {
  readonly name = 'Activity1765584000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table audit_records
        -- whose account or deployment; null: nobody's
        add column account_id integer references users (id),
        add column via text check (via in ('session', 'api_token', 'view')),
        -- the number of the session, or the id of the API token
        add column credential_number integer,
        -- why staff acted on somebody else's account, as it is told to its owner
        add column reason text check (length(reason) <= 500);
      alter table audit_records disable trigger audit_records_append_only;
      update audit_records r set account_id = u.id from users u where r.subject = 'user:' || u.id;
      update audit_records r set account_id = d.user_id from deployments d where r.subject = 'deployment:' || d.id;
      alter table audit_records enable trigger audit_records_append_only;
      create index audit_records_account on audit_records (account_id, id desc);

      create table audit_origins (
        record_id      bigint primary key references audit_records (id),
        actor_user_id  integer not null references users (id),
        ip_address     inet not null,
        user_agent     text,
        at             timestamptz not null
      );
      create index audit_origins_actor on audit_origins (actor_user_id);
      create index audit_origins_age on audit_origins (at);
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
