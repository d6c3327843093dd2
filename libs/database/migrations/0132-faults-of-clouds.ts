import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Addresses that changed at the provider, and credentials that may look but not create. */
export class FaultsOfClouds1764132000000 implements MigrationInterface {
  readonly name = 'FaultsOfClouds1764132000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table servers
        -- the provider showed another address at the last look; it is followed when the next one shows the same
        add column moved_to inet,
        -- when a change of the address was last followed
        add column address_changed_at timestamptz;
      alter table provider_breakers
        -- fingerprint of the credentials that a create was not permitted with, while they were refused for that
        add column create_refused_with text;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table servers drop column moved_to, drop column address_changed_at;
      alter table provider_breakers drop column create_refused_with;
    `);
  }
}
