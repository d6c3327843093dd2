import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A plan that brings another domain to the stack (decisions 51), and the deployments that call for it. */
export class RunsThatChangeTheDomain1764892800000 implements MigrationInterface {
  readonly name = 'RunsThatChangeTheDomain1764892800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table runs
        drop constraint runs_plan_check,
        add constraint runs_plan_check check (plan in ('create', 'destroy', 'restart', 'validate-dns', 'change-domain'));
      -- the stack on its server does not have its domain yet
      alter table deployments add column stack_outdated boolean not null default false;
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
