import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people manage of their own account: sessions by device, sign-ins, scopes of tokens, two-factor, mails, exports. */
export class AccountsOfPeople1764288000000 implements MigrationInterface {
  readonly name = 'AccountsOfPeople1764288000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- two_factor_at: since when a code is asked for; null: not yet confirmed, or off
      alter table users
        add column two_factor_at timestamptz,
        add column two_factor_step bigint,
        add column muted_mails text[] not null default '{}';

      -- what its owner calls a session by: the id of the row is in the token
      alter table sessions
        add column number integer generated always as identity,
        add column ip_address inet,
        add column user_agent text;
      create unique index sessions_number on sessions (number);

      alter table user_tokens
        add column scope text not null default 'write' check (scope in ('read', 'write')),
        add column last_used_at timestamptz;

      create table sign_ins (
        id          bigint generated always as identity primary key,
        user_id     integer not null references users (id),
        at          timestamptz not null,
        kind        text not null check (kind in ('password', 'code', 'recovery_code', 'code_refused')),
        ip_address  inet not null,
        user_agent  text
      );
      create index sign_ins_user on sign_ins (user_id, id);
      create index sign_ins_age on sign_ins (at);

      create table recovery_codes (
        user_id     integer not null references users (id),
        code_hash   text not null,
        created_at  timestamptz not null,
        used_at     timestamptz,
        primary key (user_id, code_hash)
      );

      create table data_exports (
        id          integer generated always as identity primary key,
        user_id     integer not null references users (id),
        state       text not null check (state in ('preparing', 'ready', 'failed')),
        -- a zip archive
        content     bytea,
        created_at  timestamptz not null,
        ready_at    timestamptz
      );
      create index data_exports_user on data_exports (user_id, id);
      create index data_exports_age on data_exports (created_at);
      -- one at a time
      create unique index data_exports_one on data_exports (user_id) where state = 'preparing';
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
