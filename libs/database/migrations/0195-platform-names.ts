import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names below the domain of the platform, their DNS records, and the certificates requested for them. */
export class PlatformNames1768004000000 implements MigrationInterface {
  readonly name = 'PlatformNames1768004000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table platform_names (
        -- with the domain
        name          text primary key check (length(name) <= 253),
        account_id    integer not null references users (id),
        -- null only within the order's transaction
        deployment_id integer references deployments (id),
        given_at      timestamptz not null,
        -- when its records were gone
        released_at   timestamptz
      );
      create index platform_names_deployment on platform_names (deployment_id);
      create index platform_names_released on platform_names (released_at) where released_at is not null;

      create table platform_records (
        name           text primary key check (length(name) <= 253),
        -- as last set; null: found in the zone with our mark
        address        inet,
        -- since when it belongs to no deployment
        unwanted_since timestamptz
      );

      create table platform_certificates (
        id           bigint generated always as identity primary key,
        host         text not null check (length(host) <= 253),
        requested_at timestamptz not null
      );
      create index platform_certificates_requested on platform_certificates (requested_at);
      create index platform_certificates_host on platform_certificates (host, requested_at);
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
