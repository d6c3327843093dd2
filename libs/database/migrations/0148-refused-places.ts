import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where a provider does not permit us to create servers, and when the rules that its servers share were last checked. */
export class RefusedPlaces1766448000000 implements MigrationInterface {
  readonly name = 'RefusedPlaces1766448000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table refused_places (
        provider      text not null,
        region        text not null,
        instance_type text not null,
        -- whose order met the newest refusal
        deployment_id integer not null references deployments (id),
        refused_at    timestamptz not null,
        -- fingerprint of the credentials; null: a simulated provider
        refused_with  text,
        -- a server that was ordered later runs, so the account itself may create servers
        disproven     boolean not null default false,
        primary key (provider, region, instance_type)
      );
      create index refused_places_deployment on refused_places (deployment_id);

      -- when the firewalls that the provider's servers share were last checked; null: not yet
      alter table provider_breakers add column rules_checked_at timestamptz;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table refused_places;
      alter table provider_breakers drop column rules_checked_at;
    `);
  }
}
