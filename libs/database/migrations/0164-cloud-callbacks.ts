import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Callbacks of clouds and of new servers (decisions 37). */
export class CloudCallbacks1767052800000 implements MigrationInterface {
  readonly name = 'CloudCallbacks1767052800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- the single-use token of a new server's first boot, valid while its run is running
      create table first_boot_tokens (
        deployment_id integer primary key references deployments (id),
        run_id        integer not null,
        token_hash    text not null,
        created_at    timestamptz not null,
        used_at       timestamptz
      );
      create index first_boot_tokens_age on first_boot_tokens (created_at);
      -- messages that were received once are ignored the second time
      create table cloud_messages (
        provider    text not null,
        message_id  text not null,
        received_at timestamptz not null,
        primary key (provider, message_id)
      );
      create index cloud_messages_age on cloud_messages (received_at);
      create index cloud_messages_latest on cloud_messages (provider, received_at);
      create index servers_by_provider_id on servers (provider, provider_server_id) where state <> 'gone';
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
