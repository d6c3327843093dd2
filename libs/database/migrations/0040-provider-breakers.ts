import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a provider's answers may be believed, and since when it has not shown a server. A lost deployment remembers the
 * status it had; those that were lost before this are given the one of their last event, else one from which the
 * provisioner finds the right one by itself.
 */
export class ProviderBreakers1764040000000 implements MigrationInterface {
  readonly name = 'ProviderBreakers1764040000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table provider_breakers (
        provider      text primary key,
        -- the account or project that the credentials showed at the first look: answers from another one say nothing about ours
        project_id    text,
        pinned_at     timestamptz,
        -- the last comparison whose answers were believed
        compared_at   timestamptz,
        -- null: closed. Open: nothing is called lost, and operators are alerted
        opened_at     timestamptz,
        reason        text check (reason in ('credentials_refused', 'other_project', 'none_listed', 'many_missing')),
        facts         jsonb not null default '{}',
        check ((opened_at is null) = (reason is null)),
        check ((project_id is null) = (pinned_at is null))
      );
      -- the first of the comparisons, without a gap since, that did not show the server, believed or not
      alter table servers add column missed_at timestamptz;
      -- an operator decided that a server that came back after its deployment was given up may be removed
      alter table servers add column removal_confirmed_at timestamptz;
      create index servers_running on servers (provider) where state <> 'gone';
      -- where a deployment was when its server was lost; it stays, so that what comes back later is known
      alter table deployments add column lost_from text
        check (lost_from in ('ACTIVE', 'DNS_VALIDATION', 'READY', 'DNS_FAILED'));
      update deployments d set lost_from = coalesce(
          (select o.data ->> 'from' from outbox o
           where o.stream = 'deployment' and o.aggregate_id = d.id::text and o.event_name = 'deployment.status_changed'
             and o.data ->> 'to' = 'FAILED' and o.data ->> 'from' in ('ACTIVE', 'DNS_VALIDATION', 'READY', 'DNS_FAILED')
           order by o.sequence desc limit 1),
          case when d.domain is null then 'ACTIVE' else 'DNS_FAILED' end)
      where d.server_type = 'new' and d.billable_from is not null and d.destroy_reason = 'failed';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table provider_breakers;
      drop index servers_running;
      alter table servers drop column missed_at, drop column removal_confirmed_at;
      alter table deployments drop column lost_from;
    `);
  }
}
