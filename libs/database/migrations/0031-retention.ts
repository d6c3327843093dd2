import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whatever goes by age has an index of its age, and a breach that is found every night is one row that counts. */
export class Retention1764031000000 implements MigrationInterface {
  readonly name = 'Retention1764031000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index sessions_age on sessions (expires_at);
      create index user_tokens_expired on user_tokens (expires_at) where expires_at is not null;
      create index user_tokens_revoked on user_tokens (revoked_at) where revoked_at is not null;
      create index mails_age on mails (created_at);
      create index stripe_events_age on stripe_events (received_at) where outcome <> 'waiting';
      create index checkout_sessions_unpaid on checkout_sessions (created_at) where status <> 'paid';
      -- the list of an account's credits: credits_live leaves out those that have ended
      create index credits_user on credits (user_id, id);

      -- a default: what an earlier build still writes counts as found once, now
      alter table audit_findings add column last_found_at timestamptz not null default now(),
        add column times integer not null default 1 check (times > 0);
      update audit_findings f set last_found_at = same.last_found_at, times = same.times
      from (
        select min(id) as id, max(found_at) as last_found_at, count(*)::int as times
        from audit_findings group by invariant, facts
      ) same
      where same.id = f.id;
      delete from audit_findings f using audit_findings first
      where first.invariant = f.invariant and first.facts = f.facts and first.id < f.id;
      create index audit_findings_same on audit_findings (invariant, md5(facts::text));
      create index audit_findings_age on audit_findings (last_found_at);
    `);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}
