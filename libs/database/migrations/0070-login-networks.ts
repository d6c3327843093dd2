import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Networks that an account has logged in from: they keep a login budget of their own. In a table, for rate_limits is lost in a crash. */
export class LoginNetworks1764070000000 implements MigrationInterface {
  readonly name = 'LoginNetworks1764070000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table login_networks');
  }
}

const SCHEMA = `
create table login_networks (
  user_id       integer not null references users (id),
  network       cidr not null,
  last_login_at timestamptz not null,
  primary key (user_id, network)
);
create index login_networks_age on login_networks (last_login_at);
`;
