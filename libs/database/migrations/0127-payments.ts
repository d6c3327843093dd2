import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Payments by card in full: charges of saved cards beside checkout sessions, refunds and disputes under the payment
 * provider's own ids with what each of its balance transactions moved, refunds that administrators ask for, and what the
 * nightly comparison with the provider's books found.
 */
export class Payments1765152000000 implements MigrationInterface {
  readonly name = 'Payments1765152000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table checkout_sessions
        -- automatic: a saved card is charged without a checkout; the id is ours and stands in the charge's metadata
        add column kind text not null default 'checkout' check (kind in ('checkout', 'automatic')),
        -- the customer agreed that the card is kept
        add column save_card boolean not null default false,
        -- when the provider was last asked what became of it
        add column asked_at timestamptz,
        -- why the card was not charged, in the provider's word
        add column failure text check (length(failure) <= 100),
        drop constraint checkout_sessions_status_check,
        add constraint checkout_sessions_status_check check (status in ('open', 'paid', 'cancelled', 'expired', 'failed'));
      create index checkout_sessions_open on checkout_sessions (created_at) where status = 'open';
      create index checkout_sessions_newest on checkout_sessions (created_at desc, id);
      create index checkout_sessions_by_status on checkout_sessions (status, created_at desc, id);
      create index checkout_sessions_paid on checkout_sessions (paid_at) where status = 'paid';
      create unique index checkout_sessions_one_automatic on checkout_sessions (user_id) where kind = 'automatic' and status = 'open';

      alter table ledger_transactions
        drop constraint ledger_transactions_type_check,
        add constraint ledger_transactions_type_check check (type in ('payment', 'charge', 'rerate', 'refund', 'credit_granted',
          'credit_expired', 'credit_adjusted', 'adjustment', 'payment_refund', 'refund_failed', 'dispute', 'dispute_won',
          'owed_paid')) not valid;
      alter table ledger_transactions validate constraint ledger_transactions_type_check;

      -- one row a refund or dispute, by the provider's id, as the provider tells of it
      create table payment_reversals (
        id                text primary key,
        payment_intent    text not null,
        kind              text not null check (kind in ('refund', 'dispute')),
        amount_cents      integer not null check (amount_cents > 0),
        status            text not null check (length(status) <= 60),
        reason            text check (length(reason) <= 100),
        -- until when a dispute has to be answered
        due_by            timestamptz,
        -- whose request it answers; null: it was made at the provider
        refund_request_id uuid,
        created_at        timestamptz not null,
        seen_at           timestamptz not null
      );
      create index payment_reversals_of on payment_reversals (payment_intent);
      create index payment_reversals_newest on payment_reversals (kind, created_at desc);

      -- one row a balance transaction of a refund or dispute: the money that moved, and how much of it the account bore
      create table payment_movements (
        id              text primary key,
        reversal_id     text not null,
        payment_intent  text not null,
        kind            text not null check (kind in ('refund', 'refund_failed', 'dispute', 'dispute_won')),
        amount_micros   bigint not null check (amount_micros > 0),
        posted_micros   bigint not null check (posted_micros between 0 and amount_micros),
        fee_micros      bigint not null default 0,
        created_at      timestamptz not null,
        posted_at       timestamptz not null
      );
      create index payment_movements_of on payment_movements (payment_intent);
      create index payment_movements_age on payment_movements (created_at);

      -- a refund that an administrator asked for, written before the provider is asked
      create table refund_requests (
        id             uuid primary key,
        payment_id     text not null references checkout_sessions (id),
        amount_cents   integer not null check (amount_cents > 0),
        reason         text not null check (length(reason) <= 200),
        actor_user_id  integer not null,
        state          text not null default 'asked' check (state in ('asked', 'made', 'refused')),
        refusal        text check (length(refusal) <= 200),
        created_at     timestamptz not null
      );
      create index refund_requests_of on refund_requests (payment_id);
      create index refund_requests_refused on refund_requests (created_at) where state = 'refused';

      create table payment_comparisons (
        id           bigint generated always as identity primary key,
        from_at      timestamptz not null,
        to_at        timestamptz not null,
        compared     integer not null,
        differences  integer not null,
        at           timestamptz not null
      );
      create index payment_comparisons_age on payment_comparisons (at);
      -- where the provider's books and ours differ
      create table payment_differences (
        -- the provider's balance transaction, or what stands only in our books
        id              text primary key,
        kind            text not null check (kind in ('missing_here', 'missing_there', 'amount')),
        payment_intent  text,
        their_micros    bigint,
        our_micros      bigint,
        first_seen_at   timestamptz not null,
        last_seen_at    timestamptz not null,
        resolved_at     timestamptz
      );
      create index payment_differences_open on payment_differences (first_seen_at) where resolved_at is null;
      create index payment_differences_resolved on payment_differences (resolved_at) where resolved_at is not null;

      create index payment_differences_of on payment_differences (payment_intent) where payment_intent is not null;

      alter table stripe_events
        add column session_id text,
        add column payment_intent text;
      create index stripe_events_session on stripe_events (session_id) where session_id is not null;
      create index stripe_events_intent on stripe_events (payment_intent) where payment_intent is not null;

      -- refunds and disputes of the simulated payment provider
      create table test_reversals (
        id              text primary key,
        payment_intent  text not null,
        kind            text not null check (kind in ('refund', 'dispute')),
        amount_cents    integer not null check (amount_cents > 0),
        created_at      timestamptz not null,
        -- when the money came back: the dispute was won, the refund failed
        returned_at     timestamptz
      );
      create index test_reversals_of on test_reversals (payment_intent);
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
