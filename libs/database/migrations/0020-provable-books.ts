import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the nightly proof rests on. Facts that decide money get append-only tables with who wrote them and why; they draw
 * their ids from the sequence of the ledger transactions, so that facts and postings of an account have one order.
 * Ledger transactions get a hash. Rows from before carry none: the first seal covers them (`ledger_checkpoints`), so
 * that processes of the version before may go on writing until then.
 */
export class ProvableBooks1764020000000 implements MigrationInterface {
  readonly name = 'ProvableBooks1764020000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger deployment_rates_append_only on deployment_rates;
      alter table deployment_rates drop column id, drop column actor, drop column actor_user_id, drop column reason,
        drop column written_at;
      drop table interval_changes, credit_terms, ledger_seals, ledger_checkpoints;
      drop function transaction_content, line_content;
      alter table ledger_transactions drop column hash;
      alter table wallets drop column ledger_hash;
    `);
  }
}

const SCHEMA = `
-- The hash of a posting (everything that one statement writes for one account) covers the account's previous hash, and
-- each transaction followed by its lines, in order of id and line. All transactions of a posting carry the same hash.
alter table ledger_transactions add column hash bytea;
-- the hash of the account's newest posting
alter table wallets add column ledger_hash bytea;

-- Binary and with lengths: independent of the session's time zone, and no two rows have the same content. The leading
-- number is the version of the format: it never changes for rows that are written.
create function transaction_content(id bigint, user_id integer, type text, amount_micros bigint, description text,
  deployment_id integer, charged_on date, credit_id integer, due_at timestamptz, posted_at timestamptz, corrects_id bigint,
  cause text, actor_user_id integer)
returns bytea language sql stable parallel safe
return record_send(row(1, id, user_id, type, amount_micros, description, deployment_id, charged_on, credit_id, due_at,
  posted_at, corrects_id, cause, actor_user_id));
create function line_content(line_no smallint, pot text, credit_id integer, amount_micros bigint)
returns bytea language sql stable parallel safe
return record_send(row(line_no, pot, credit_id, amount_micros));

-- every change of a billable interval; the columns of deployments are a copy of the newest row
create table interval_changes (
  id            bigint primary key default nextval('ledger_transactions_id_seq'),
  deployment_id integer not null references deployments (id),
  user_id       integer not null,
  billable_from timestamptz not null,
  billable_to   timestamptz,
  actor         text not null,
  reason        text not null,
  written_at    timestamptz not null
);
create index interval_changes_deployment on interval_changes (deployment_id, id);

-- what a credit was granted and adjusted to; amount and end in credits are a copy of the newest row
create table credit_terms (
  id            bigint primary key default nextval('ledger_transactions_id_seq'),
  credit_id     integer not null references credits (id),
  user_id       integer not null,
  credit_type   text not null,
  amount_micros bigint not null check (amount_micros >= 0),
  expires_at    timestamptz not null,
  actor         text not null,
  actor_user_id integer,
  reason        text not null,
  written_at    timestamptz not null
);
create index credit_terms_credit on credit_terms (credit_id, id);

alter table deployment_rates
  add column id bigint not null default nextval('ledger_transactions_id_seq'),
  add column actor text,
  add column actor_user_id integer,
  add column reason text,
  add column written_at timestamptz;
create unique index deployment_rates_id on deployment_rates (id);

-- one row a night: a hash over the heads of the accounts that posted since the seal before, and over the facts written
create table ledger_seals (
  -- everything up to this id is sealed
  through_id  bigint primary key,
  after_id    bigint not null unique,
  day         date not null,
  accounts    integer not null,
  hash        bytea not null,
  -- hashes of stretches of accounts, to find the account that no longer fits
  stretches   jsonb not null,
  sealed_at   timestamptz not null,
  check (after_id < through_id or after_id = 0)
);

-- where a replay of an account may begin: its state after everything up to an id. What was posted before there were
-- hashes is covered by the hash of the account's first checkpoint.
create table ledger_checkpoints (
  user_id      integer not null,
  through_id   bigint not null,
  transactions integer not null,
  hash         bytea not null,
  state        jsonb not null,
  written_at   timestamptz not null,
  primary key (user_id, through_id)
);

create trigger deployment_rates_append_only before update or delete or truncate on deployment_rates
  for each statement execute function refuse_change();
create trigger interval_changes_append_only before update or delete or truncate on interval_changes
  for each statement execute function refuse_change();
create trigger credit_terms_append_only before update or delete or truncate on credit_terms
  for each statement execute function refuse_change();
create trigger ledger_seals_append_only before update or delete or truncate on ledger_seals
  for each statement execute function refuse_change();
create trigger ledger_checkpoints_append_only before update or delete or truncate on ledger_checkpoints
  for each statement execute function refuse_change();
`;
