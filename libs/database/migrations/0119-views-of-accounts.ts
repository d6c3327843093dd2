import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Administrators who see the console as somebody else: until when, and why. Filters of the list of accounts. */
export class ViewsOfAccounts1764460800000 implements MigrationInterface {
  readonly name = 'ViewsOfAccounts1764460800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table account_views (
        -- in the token; nobody is told it otherwise
        id                text primary key,
        user_id           integer not null references users (id),
        -- who looks: the view ends with this session, at the latest
        viewer_user_id    integer not null references users (id),
        viewer_session_id text not null,
        reason            text not null,
        started_at        timestamptz not null,
        expires_at        timestamptz not null,
        ended_at          timestamptz
      );
      create index account_views_viewer on account_views (viewer_user_id, user_id) where ended_at is null;
      create index account_views_age on account_views (expires_at);

      create index users_administrators on users (id) where is_admin and erased_at is null;
      create index users_unverified on users (id) where not is_verified and erased_at is null;
      create index wallets_low on wallets (user_id) where low_warned_days is not null;
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
