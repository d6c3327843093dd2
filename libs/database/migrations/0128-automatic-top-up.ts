import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A card that is kept with its owner's consent, and when it is charged by itself (decisions 54). */
export class AutomaticTopUp1765238400000 implements MigrationInterface {
  readonly name = 'AutomaticTopUp1765238400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- the provider's references; of the card itself only what a person knows it by
      create table saved_cards (
        user_id         integer primary key references users (id),
        customer        text not null,
        payment_method  text not null,
        brand           text not null check (length(brand) <= 40),
        last4           text not null check (last4 ~ '^[0-9]{4}$'),
        exp_month       smallint not null check (exp_month between 1 and 12),
        exp_year        smallint not null,
        test_mode       boolean not null,
        saved_at        timestamptz not null
      );
      create index saved_cards_method on saved_cards (payment_method);
      create table automatic_top_ups (
        user_id           integer primary key references users (id),
        enabled           boolean not null,
        -- charged when available money is below this, or when it lasts for fewer days than this
        threshold_micros  bigint check (threshold_micros > 0),
        threshold_days    integer check (threshold_days between 1 and 30),
        amount_cents      integer not null check (amount_cents >= 100),
        month_cap_cents   integer not null check (month_cap_cents >= amount_cents),
        -- why it was switched off by itself; null: its owner did, or it is on
        off_reason        text check (length(off_reason) <= 60),
        changed_at        timestamptz not null,
        check ((threshold_micros is null) <> (threshold_days is null))
      );
      create index automatic_top_ups_on on automatic_top_ups (user_id) where enabled;
      create index checkout_sessions_automatic on checkout_sessions (user_id, created_at) where kind = 'automatic';
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
