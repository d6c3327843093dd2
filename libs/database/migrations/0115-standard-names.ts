import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Persisted names become the terms of docs/glossary.md, in existing rows as well. The one exception to decision 48: it
 * renames at once what the version before still uses, because nothing is released yet (docs/adr/0018). Services of the
 * version before must be stopped. Values and hashes of the ledger stay as they are.
 */
export class StandardNames1764115000000 implements MigrationInterface {
  readonly name = 'StandardNames1764115000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(ROWS);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only lead forward'));
  }
}

const TABLES = `
alter table dns_looks rename to dns_checks;
alter table dns_checks rename column looked_at to checked_at;
alter table dns_checks rename constraint dns_looks_pkey to dns_checks_pkey;
alter table dns_checks rename constraint dns_looks_deployment_id_fkey to dns_checks_deployment_id_fkey;

alter table work rename column because to reason;
alter table work rename column again_at to retry_at;
alter table work rename column fence to fencing_token;
alter sequence work_fences rename to work_fencing_tokens;

alter table meters rename column held_on to grace_period_day;
alter table meters rename column hold_opened_at to grace_period_started_at;
alter table meters rename column hold_ends_at to grace_period_ends_at;
alter index meters_holds rename to meters_grace_periods;

alter table ledger_lines rename column pot to ledger_account;
alter table ledger_lines rename constraint ledger_lines_pot_check to ledger_lines_ledger_account_check;
alter table audit_months rename column pots to ledger_accounts;
`;

const ROWS = `
update work set kind = 'dns-check' where kind = 'dns-look';
update operator_alerts set subject = 'dns-check' where kind = 'work_overdue' and subject = 'dns-look';
update mails set template = 'grace_period_started' where template = 'hold_opened';

update outbox set event_name = 'balance.grace_period_started' where event_name = 'balance.hold_opened';
update inbox set event_name = 'balance.grace_period_started',
  envelope = jsonb_set(envelope, '{event_name}', '"balance.grace_period_started"')
where event_name = 'balance.hold_opened';

update runs set memory = memory - 'yours' || jsonb_build_object('action_required', memory -> 'yours')
where memory ? 'yours';

-- answers that a repeated request gets again
update idempotency_keys set answer = replace(replace(answer::text, '"hold_ends_at": ', '"grace_period_ends_at": '),
  '"yours": ', '"action_required": ')::jsonb
where answer::text like any (array['%"hold_ends_at": %', '%"yours": %']);
-- a breach that is found again is told by its facts
update audit_findings set facts = replace(replace(replace(replace(replace(facts::text,
  '"held_on": ', '"grace_period_day": '), '"hold_opened_at": ', '"grace_period_started_at": '),
  '"hold_ends_at": ', '"grace_period_ends_at": '), '"pot": ', '"ledger_account": '), '"pots": ', '"ledger_accounts": ')::jsonb
where facts::text like any (array['%"held_on": %', '%"hold_opened_at": %', '%"hold_ends_at": %', '%"pot": %', '%"pots": %']);
`;
