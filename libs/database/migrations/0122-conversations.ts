import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A message to the support becomes a conversation: what was said after it, who answers, and until when. */
export class Conversations1764720000000 implements MigrationInterface {
  readonly name = 'Conversations1764720000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table support_messages
        -- of the mails to whoever wrote
        add column language         text not null default 'en',
        add column deployment_id    integer references deployments (id),
        -- the deployment as it was then
        add column context          jsonb,
        -- of the deployment, else the account's highest
        add column level            integer not null default 1 check (level between 1 and 3),
        add column state            text not null default 'open' check (state in ('open', 'answered', 'closed')),
        add column assignee_user_id integer references users (id),
        -- since when an answer is waited for, until when one is promised, and when somebody is warned of that; null: warned
        add column waiting_since    timestamptz,
        add column due_at           timestamptz,
        add column warn_at          timestamptz,
        add column last_at          timestamptz not null default now(),
        add column entries          integer not null default 0,
        add check (state = 'open' or (waiting_since is null and due_at is null)),
        add check (due_at is not null or warn_at is null);
      -- they were mailed, and are answered where they went
      update support_messages set state = 'closed', last_at = created_at;
      create index support_messages_queue on support_messages (due_at, waiting_since, id) where state = 'open';
      create index support_messages_last on support_messages (last_at, id);
      create index support_messages_warn on support_messages (warn_at) where warn_at is not null;
      create index support_messages_assignee on support_messages (assignee_user_id) where assignee_user_id is not null;
      create index support_messages_email on support_messages (lower(email));

      create table support_entries (
        id              integer generated always as identity primary key,
        conversation_id integer not null references support_messages (id) on delete cascade,
        by              text not null check (by in ('person', 'support')),
        what            text not null check (what in ('message', 'note', 'closed')),
        -- who wrote it; null: a visitor
        user_id         integer references users (id),
        message         text not null,
        created_at      timestamptz not null,
        check (what <> 'note' or by = 'support')
      );
      create index support_entries_conversation on support_entries (conversation_id, id);
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
