import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How strongly each credential was authenticated. Sessions record when their password and second factor were last
 * confirmed, API tokens record the role and the second factor of the session that created them.
 */
export class StrengthOfCredentials1765411200000 implements MigrationInterface {
  readonly name = 'StrengthOfCredentials1765411200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table sessions
        -- when the password, and the code where the account needs one, was last confirmed
        add column authenticated_at timestamptz not null default now(),
        -- when a second factor was last given; null: never
        add column second_factor_at timestamptz;
      update sessions set authenticated_at = created_at;
      -- a session that began after the second factor was turned on has given a code
      update sessions s set second_factor_at = s.created_at
        from users u where u.id = s.user_id and u.two_factor_at is not null and s.created_at >= u.two_factor_at;

      alter table user_tokens
        drop constraint user_tokens_scope_check,
        add constraint user_tokens_scope_check check (scope in ('read', 'write', 'admin')),
        -- the owner was an administrator when the API token was created
        add column owner_was_admin boolean not null default false,
        -- when the session that created the API token gave its second factor; null: never
        add column second_factor_at timestamptz,
        -- the session that requested a link to change the email address, which stays when the address changes
        add column session_id text;
      -- no API token lives for more than a year
      update user_tokens set expires_at = now() + interval '365 days'
        where purpose = 'api_token' and revoked_at is null
          and (expires_at is null or expires_at > now() + interval '365 days');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      update user_tokens set revoked_at = coalesce(revoked_at, now()), scope = 'write' where scope = 'admin';
      alter table user_tokens
        drop column session_id, drop column second_factor_at, drop column owner_was_admin,
        drop constraint user_tokens_scope_check,
        add constraint user_tokens_scope_check check (scope in ('read', 'write'));
      alter table sessions drop column second_factor_at, drop column authenticated_at;
    `);
  }
}
