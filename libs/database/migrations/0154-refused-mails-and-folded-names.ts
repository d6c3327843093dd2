import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The collation of `folded`, which no setting of the server changes: built in since PostgreSQL 17, before that one of
 * the collations that depend on the operating system.
 */
const COLLATIONS = ['pg_c_utf8', 'und-x-icu', 'C.utf8', 'C.UTF-8'];

/** What an unsent mail waits for, which mails were given up, and names that are equal in whatever way they are written. */
export class RefusedMailsAndFoldedNames1766620800000 implements MigrationInterface {
  readonly name = 'RefusedMailsAndFoldedNames1766620800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table mails
        -- mailbox: the mail server refuses this recipient; limit: the recipient is unconfirmed and had too many
        add column waits_for text not null default 'server' check (waits_for in ('server', 'mailbox', 'limit')),
        add column given_up_at timestamptz,
        add check (sent_at is null or given_up_at is null);
    `);
    await foldNames(runner);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}

async function foldNames(runner: QueryRunner): Promise<void> {
  const [found] = (await runner.query(
    `select collname as name from pg_collation
     where collname = any ($1) and collencoding in (-1, pg_char_to_encoding(getdatabaseencoding()))
     order by array_position($1::text[], collname::text) limit 1`,
    [COLLATIONS],
  )) as { name: string }[];
  const collation = `"${found?.name ?? 'default'}"`;
  await runner.query(`
    -- composed, without joiners, and in one case: a final sigma is a sigma
    create function folded(words text) returns text language sql immutable strict parallel safe
      return lower(upper(normalize(translate(words, U&'\\200C\\200D', ''), nfc) collate ${collation}) collate ${collation});

    -- names that only this database held apart; the older account keeps its name
    update users u set username = u.username || '_' || u.id, version = version + 1
     where exists (select 1 from users o where folded(o.username) = folded(u.username) and o.id < u.id);

    drop index users_username, users_search, deployments_search;
    create unique index users_username on users (folded(username));
    create index users_search on users using gin (folded(username || ' ' || email) gin_trgm_ops);
    create index deployments_search on deployments using gin
      (folded(client_name || ' ' || package || ' ' || coalesce(cloud_provider, 'byovps') || ' ' || coalesce(domain, '')) gin_trgm_ops);
  `);
}
