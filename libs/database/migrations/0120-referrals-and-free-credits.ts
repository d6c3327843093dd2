import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Referrals with what was decided about them, and requests for free credits with their single-use codes. */
export class ReferralsAndFreeCredits1764547200000 implements MigrationInterface {
  readonly name = 'ReferralsAndFreeCredits1764547200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table referral_pairs (
        id                 integer generated always as identity primary key,
        -- one pair a referred user, whatever becomes of it
        referred_user_id   integer not null unique references users (id),
        referrer_user_id   integer not null references users (id),
        -- of the signup: an IPv4 /24 or an IPv6 /56; null: not known, or forgotten
        network            cidr,
        state              text not null check (state in ('granted', 'waiting', 'rejected')),
        -- why it had to wait for a review; empty: granted at once
        doubts             text[] not null,
        verified_at        timestamptz not null,
        granted_at         timestamptz,
        decided_at         timestamptz,
        decided_by_user_id integer references users (id),
        -- why it was rejected
        rejection          text,
        check ((state = 'granted') = (granted_at is not null)),
        check ((state = 'rejected') = (rejection is not null))
      );
      create index referral_pairs_referrer on referral_pairs (referrer_user_id, granted_at);
      create index referral_pairs_network on referral_pairs (network, verified_at) where network is not null;
      create index referral_pairs_state on referral_pairs (state, id);
      insert into referral_pairs (referred_user_id, referrer_user_id, network, state, doubts, verified_at, granted_at)
        select c.user_id, c.referral_user_id,
               network(set_masklen(c.ip_address, case family(c.ip_address) when 4 then 24 else 56 end)),
               'granted', '{}', c.granted_at, c.granted_at
          from credits c where c.credit_type = 'referred' and c.referral_user_id is not null order by c.id;

      create table credit_requests (
        id                 integer generated always as identity primary key,
        email              text not null,
        email_normalised   text not null,
        reason             text not null,
        -- who was signed in; null: a visitor
        user_id            integer references users (id),
        ip_address         inet,
        -- of the mails about it
        language           text not null,
        created_at         timestamptz not null,
        state              text not null check (state in ('waiting', 'approved', 'rejected')),
        decided_at         timestamptz,
        decided_by_user_id integer references users (id),
        -- why it was rejected; it was mailed
        rejection          text,
        -- the SHA-256 of the code that was mailed to an address without an account
        code_hash          text unique,
        code_expires_at    timestamptz,
        -- the account made with the code that gets the credit once its address is verified
        holder_user_id     integer references users (id),
        -- what it came to
        credit_id          integer unique references credits (id),
        credited_at        timestamptz,
        check ((state = 'waiting') = (decided_at is null)),
        check ((state = 'rejected') = (rejection is not null)),
        check ((code_hash is null) = (code_expires_at is null)),
        check ((credit_id is null) = (credited_at is null)),
        check (state = 'approved' or (code_hash is null and credit_id is null))
      );
      -- a mailbox has one request at a time
      create unique index credit_requests_waiting on credit_requests (email_normalised) where state = 'waiting';
      create index credit_requests_state on credit_requests (state, id);
      create index credit_requests_holder on credit_requests (holder_user_id) where holder_user_id is not null;
      create index credit_requests_user on credit_requests (user_id) where user_id is not null;
      create index credit_requests_age on credit_requests (created_at) where state <> 'waiting';

      -- the list of all credits, sorted by what administrators look for
      create index credits_granted on credits (granted_at, id);
      create index credits_amount on credits (amount_micros, id);
      create index credits_address on credits (ip_address, id);
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
