import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Receipts, credit notes and monthly statements, numbered without gaps, and the address that they are made out to. */
export class BillingDocuments1765324800000 implements MigrationInterface {
  readonly name = 'BillingDocuments1765324800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table billing_details (
        user_id      integer primary key references users (id),
        name         text not null check (length(name) between 1 and 100),
        lines        text[] not null check (cardinality(lines) between 1 and 3),
        postal_code  text not null check (length(postal_code) <= 20),
        city         text not null check (length(city) between 1 and 100),
        country      text not null check (country ~ '^[A-Z]{2}$'),
        tax_id       text check (length(tax_id) between 2 and 40),
        changed_at   timestamptz not null
      );

      -- the last number given: raised in the transaction that inserts the document, so that no number is lost
      create table billing_document_counters (
        kind  text not null check (kind in ('receipt', 'credit_note', 'statement')),
        year  smallint not null,
        last  integer not null check (last > 0),
        primary key (kind, year)
      );

      create table billing_documents (
        id              bigint generated always as identity primary key,
        user_id         integer not null references users (id),
        kind            text not null check (kind in ('receipt', 'credit_note', 'statement')),
        number          text not null unique,
        issued_at       timestamptz not null,
        -- the transaction of the ledger that it is about; null: a statement
        transaction_id  bigint unique,
        -- the first day of a statement's month
        month           date check (extract(day from month) = 1),
        -- gross; null: a statement
        amount_micros   bigint check (amount_micros > 0),
        -- all that the document says, as it was when it was issued
        facts           jsonb not null,
        check ((kind = 'statement') = (transaction_id is null)),
        check ((kind = 'statement') = (month is not null)),
        check ((kind = 'statement') = (amount_micros is null))
      );
      create index billing_documents_of on billing_documents (user_id, id desc);
      create unique index billing_documents_one_statement on billing_documents (user_id, month) where kind = 'statement';

      -- what receipts and credit notes are of
      create index ledger_of_payments on ledger_transactions (user_id, id)
        where type in ('payment', 'payment_refund', 'refund_failed', 'dispute', 'dispute_won');

      create trigger billing_documents_append_only before update or delete or truncate on billing_documents
        for each statement execute function refuse_change();
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
