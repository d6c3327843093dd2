import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The SSH keys of deployments. The key of each order becomes the first one. */
export class SshKeys1767398400000 implements MigrationInterface {
  readonly name = 'SshKeys1767398400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table deployment_ssh_keys (
        id            integer primary key generated always as identity,
        deployment_id integer not null references deployments (id),
        name          text not null check (length(name) between 1 and 60),
        public_key    text not null,
        fingerprint   text not null,
        added_by      integer not null references users (id),
        added_at      timestamptz not null,
        unique (deployment_id, fingerprint)
      );
      create table deployment_ssh_key_states (
        deployment_id  integer primary key references deployments (id),
        -- counts the changes: the result of an older revision is not stored
        revision       integer not null default 1,
        wanted_since   timestamptz not null,
        -- null while the server does not have the keys of this revision
        applied_at     timestamptz,
        -- attempts that failed in a row, and when the next one is due
        failures       integer not null default 0,
        retry_at       timestamptz,
        failure_reason text,
        failure_code   text,
        failure_facts  jsonb,
        check (applied_at is null or failure_reason is null)
      );
      -- A key that cannot be decoded never opened a server.
      insert into deployment_ssh_keys (deployment_id, name, public_key, fingerprint, added_by, added_at)
      select id, coalesce(nullif(trim(left(substring(user_ssh_key from '^[^ ]+ [^ ]+ (.*)$'), 60)), ''), 'First key'), user_ssh_key,
        'SHA256:' || rtrim(encode(sha256(decode(split_part(user_ssh_key, ' ', 2), 'base64')), 'base64'), '='), user_id, created_at
      from deployments
      where user_ssh_key ~ '^[^ ]+ ([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})( |$)'
      order by id;
      -- The step that opened the billable interval has authorised the key.
      insert into deployment_ssh_key_states (deployment_id, wanted_since, applied_at)
      select d.id, d.created_at, d.billable_from
      from deployments d where exists (select from deployment_ssh_keys k where k.deployment_id = d.id);
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
