import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Further domains of deployments, which redirect to the address of the package. */
export class FurtherDomains1767830400000 implements MigrationInterface {
  readonly name = 'FurtherDomains1767830400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table deployment_domains (
        id             integer generated always as identity primary key,
        deployment_id  integer not null references deployments (id),
        host           text not null check (host = lower(host)),
        kind           text not null check (kind = 'redirect'),
        added_at       timestamptz not null,
        -- removed by the owner: the row ends when the server has no redirect any more
        removed_at     timestamptz,
        -- no DNS record appeared: another deployment may use the name
        given_up_at    timestamptz,
        -- results of the last checks, as in dns_checks
        record         jsonb,
        certificate    jsonb,
        checked_at     timestamptz,
        -- since when the router has the redirect
        applied_at     timestamptz,
        failure_reason text,
        failure_code   text,
        failure_facts  jsonb,
        check (given_up_at is null or applied_at is null)
      );
      create unique index deployment_domains_of_deployment on deployment_domains (deployment_id, host);
      create unique index deployment_domains_host on deployment_domains (host) where given_up_at is null;
      create index deployments_by_domain on deployments (domain) where domain is not null and status not in ('DESTROYED', 'DELETED');
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
