/**
 * Corrupted ledgers, written directly to the tables by an attacker with full access who also adjusts the sums. Each
 * names the check that detects it. Accounts and deployments are those of `../proof/proof.service.spec.ts`.
 */
export interface Corruption {
  readonly does: string;
  /** `P1` to `P6` of `../proof/proof.service.ts`. Others may detect it too. */
  readonly seen_by: 'P1' | 'P2' | 'P3' | 'P4' | 'P5' | 'P6';
  readonly sql: string;
  /** Accounts with a hash chain that is recomputed afterwards, as an informed attacker would. */
  readonly rehash?: readonly number[];
  /** Rewrites the table of seals or the files as well. */
  readonly files?: 'forget newest';
}

const [RUNS, STOPPED, DISPUTED, IDLE] = [2, 3, 4, 5];
const newest = (type: string, userId: number): string =>
  `(select max(id) from ledger_transactions where type = '${type}' and user_id = ${userId})`;
const first = (type: string, userId: number): string =>
  `(select min(id) from ledger_transactions where type = '${type}' and user_id = ${userId})`;

/** Inserts a transaction with two lines and adjusts the wallet. */
function invented(
  userId: number,
  type: string,
  [from, to]: [string, string],
  micros: number,
  columns: Readonly<Record<string, string>> = {},
): string {
  const names = Object.keys(columns).map((name) => `, ${name}`);
  const values = Object.values(columns).map((value) => `, ${value}`);
  const moved = to === 'regular' ? micros : from === 'regular' ? -micros : 0;
  return `insert into ledger_transactions (user_id, type, amount_micros, description, due_at, posted_at${names.join('')})
      values (${userId}, '${type}', ${moved}, 'put right', '2026-12-03T12:00:00Z', '2026-12-03T12:00:00Z'${values.join('')});
    insert into ledger_lines values ((select max(id) from ledger_transactions), 1, '${from}', null, ${-micros}),
      ((select max(id) from ledger_transactions), 2, '${to}', null, ${micros});
    update wallets set regular_micros = regular_micros + ${moved}, owed_micros = owed_micros + ${to === 'owed' ? micros : 0} where user_id = ${userId};`;
}

/** Changes the amount a transaction took from the regular balance, and everything summed from it. */
const cheaper = (id: string, userId: number, micros: number): string => `
  update ledger_lines set amount_micros = amount_micros + ${micros} where transaction_id = ${id} and ledger_account = 'regular';
  update ledger_lines set amount_micros = amount_micros - ${micros} where transaction_id = ${id} and ledger_account = 'revenue';
  update ledger_transactions set amount_micros = amount_micros + ${micros} where id = ${id};
  update wallets set regular_micros = regular_micros + ${micros} where user_id = ${userId};`;

/** Deletes a transaction and reverts its effect. */
const removed = (id: string): string => `
  create temp table gone as select id, user_id from ledger_transactions where id = ${id};
  update wallets w set regular_micros = regular_micros - s.micros
    from (select sum(amount_micros) as micros from ledger_lines where transaction_id = (select id from gone) and ledger_account = 'regular' having count(*) > 0) s
    where w.user_id = (select user_id from gone);
  update credits c set remaining_micros = remaining_micros - l.amount_micros
    from ledger_lines l where l.transaction_id = (select id from gone) and l.credit_id = c.id;
  delete from ledger_lines where transaction_id = (select id from gone);
  delete from ledger_transactions where id = (select id from gone); drop table gone;`;

const corrupt = (
  seen_by: Corruption['seen_by'],
  does: string,
  sql: string,
  more: Pick<Corruption, 'rehash' | 'files'> = {},
): Corruption => ({ seen_by, does, sql, ...more });

export const CORRUPTIONS: readonly Corruption[] = [
  // Corruptions that the invariants did not detect.
  corrupt(
    'P5',
    'invents an adjustment without its audit record',
    invented(RUNS, 'adjustment', ['adjustments', 'regular'], 5_000_000, { actor_user_id: '1' }),
    { rehash: [RUNS] },
  ),
  corrupt(
    'P4',
    'moves the expiry of a credit after it was used',
    `update credits set expires_at = expires_at + interval '30 days' where user_id = ${STOPPED}`,
  ),
  corrupt(
    'P5',
    'changes a price for tomorrow',
    `insert into deployment_rates (deployment_id, effective_from, support_level, hourly_micros, actor, actor_user_id, reason, written_at)
       values (1, '2026-12-05T00:00:00Z', 1, 35600, 'api', 2, 'level changed', '2026-12-05T00:00:00Z');
     update meters set hourly_micros = 35600, rate_from = '2026-12-05T00:00:00Z' where deployment_id = 1;
     update deployments set support_level = 1, level_changed_at = '2026-12-05T00:00:00Z' where id = 1`,
  ),
  corrupt(
    'P4',
    'raises a level without its charge',
    `insert into deployment_rates (deployment_id, effective_from, support_level, hourly_micros, actor, actor_user_id, reason, written_at)
       values (1, '2026-12-04T01:10:00Z', 3, 309600, 'api', 2, 'level changed', '2026-12-04T01:10:00Z');
     update meters set hourly_micros = 309600, rate_from = '2026-12-04T01:10:00Z' where deployment_id = 1;
     update deployments set support_level = 3, level_changed_at = '2026-12-04T01:10:00Z' where id = 1`,
  ),
  corrupt(
    'P5',
    'moves the day of a payment, with new hashes',
    `update ledger_transactions set due_at = due_at - interval '1 day', posted_at = posted_at - interval '1 day' where id = ${newest('payment', RUNS)}`,
    { rehash: [RUNS] },
  ),
  corrupt(
    'P2',
    'moves the day of a payment',
    `update ledger_transactions set due_at = due_at - interval '1 day' where id = ${newest('payment', RUNS)}`,
  ),
  corrupt(
    'P3',
    'moves the contra entry of a payment to another account',
    `update ledger_lines set ledger_account = 'adjustments' where transaction_id = ${newest('payment', RUNS)} and ledger_account = 'payments'`,
    { rehash: [RUNS] },
  ),
  corrupt(
    'P4',
    'sets the time of a first payment',
    `update wallets set first_paid_at = '2026-12-03T00:00:00Z' where user_id = ${IDLE}`,
  ),
  corrupt(
    'P4',
    'removes the time of a first payment',
    `update wallets set first_paid_at = null where user_id = ${RUNS}`,
  ),
  corrupt(
    'P6',
    'marks a daily run finished that has not begun',
    `insert into billing_runs (day, started_at, finished_at) values ('2026-12-05', '2026-12-04T00:00:01Z', '2026-12-04T00:00:02Z')`,
  ),
  corrupt('P6', 'marks a daily run finished that never ran', `delete from billing_run_chunks where day = '2026-12-04'`),
  corrupt(
    'P6',
    'marks a daily run finished before it began',
    `update billing_runs set finished_at = started_at - interval '1 hour' where day = '2026-12-03'`,
  ),

  // Transactions.
  corrupt('P2', 'charges less', cheaper(newest('charge', RUNS), RUNS, 1)),
  corrupt('P3', 'charges less, with new hashes', cheaper(newest('charge', RUNS), RUNS, 1), { rehash: [RUNS] }),
  corrupt('P1', 'charges less on a sealed day, with new hashes', cheaper(first('charge', RUNS), RUNS, 1), {
    rehash: [RUNS],
  }),
  corrupt(
    'P2',
    'changes a description',
    `update ledger_transactions set description = 'nothing' where id = ${newest('charge', RUNS)}`,
  ),
  corrupt(
    'P1',
    'changes a description on a sealed day, with new hashes',
    `update ledger_transactions set description = 'nothing' where id = ${first('charge', RUNS)}`,
    { rehash: [RUNS] },
  ),
  corrupt(
    'P4',
    'omits the last charge, with the meter and new hashes',
    `${removed(newest('charge', RUNS))} update meters set charged_through = charged_through - 1 where deployment_id = 1`,
    { rehash: [RUNS] },
  ),
  corrupt(
    'P4',
    'grants a grace period for a covered charge',
    `${removed(newest('charge', RUNS))}
     update meters set charged_through = charged_through - 1, grace_period_day = charged_through, grace_period_started_at = '2026-12-04T00:00:05Z', grace_period_ends_at = '2027-12-04T00:00:05Z' where deployment_id = 1`,
    { rehash: [RUNS] },
  ),
  corrupt(
    'P3',
    'omits a charge in the middle',
    removed(
      `(select id from ledger_transactions where user_id = ${RUNS} and type = 'charge' and charged_on = '2026-12-03')`,
    ),
    { rehash: [RUNS] },
  ),
  corrupt(
    'P3',
    'charges another account for a deployment',
    `update ledger_transactions set user_id = ${DISPUTED} where id = ${newest('charge', RUNS)};
     update wallets set regular_micros = regular_micros + 2498400 where user_id = ${RUNS};
     update wallets set regular_micros = regular_micros - 2498400 where user_id = ${DISPUTED}`,
    { rehash: [RUNS, DISPUTED] },
  ),
  corrupt(
    'P5',
    'records another administrator',
    `update ledger_transactions set actor_user_id = 2 where type = 'adjustment' and id = ${newest('adjustment', RUNS)}`,
    { rehash: [RUNS] },
  ),
  corrupt(
    'P3',
    'pays with the checkout session of another account',
    `insert into checkout_sessions (id, user_id, amount_cents, test_mode, url, status, created_at, paid_at)
       values ('cs_foreign', ${IDLE}, 2000, true, 'none', 'paid', '2026-12-03T11:00:00Z', '2026-12-03T11:00:00Z');
     update ledger_transactions set cause = 'cs_foreign' where id = ${newest('payment', RUNS)}`,
    { rehash: [RUNS] },
  ),
  corrupt(
    'P3',
    'removes the cause of a payment',
    `update ledger_transactions set cause = null where id = ${newest('payment', RUNS)}`,
    { rehash: [RUNS] },
  ),
  corrupt(
    'P3',
    'forgives a debt with a separate transaction',
    invented(DISPUTED, 'owed_paid', ['regular', 'owed'], 1_000_000),
    { rehash: [DISPUTED] },
  ),
  corrupt(
    'P5',
    'invents a won dispute',
    invented(DISPUTED, 'dispute_won', ['payments', 'regular'], 1_000_000, { cause: `'evt_invented'` }),
    { rehash: [DISPUTED] },
  ),
  corrupt(
    'P5',
    "removes the payment provider's movement behind a dispute",
    `delete from payment_movements where id = 'txn_1'`,
  ),
  corrupt(
    'P3',
    'invents a payment',
    invented(IDLE, 'payment', ['payments', 'regular'], 5_000_000, { cause: `'cs_invented'` }),
    { rehash: [IDLE] },
  ),
  corrupt(
    'P3',
    'refunds a stopped deployment twice',
    invented(STOPPED, 'refund', ['revenue', 'regular'], 35_600, {
      deployment_id: '2',
      charged_on: `'2026-12-02'`,
      corrects_id: `(select id from ledger_transactions where type = 'charge' and deployment_id = 2 and charged_on = '2026-12-02')`,
    }),
    { rehash: [STOPPED] },
  ),
  corrupt(
    'P3',
    'corrects a price that has not changed',
    invented(RUNS, 'rerate', ['revenue', 'regular'], 35_600, {
      deployment_id: '1',
      charged_on: `'2026-12-03'`,
      corrects_id: `(select id from ledger_transactions where type = 'charge' and deployment_id = 1 and charged_on = '2026-12-03')`,
    }),
    { rehash: [RUNS] },
  ),
  corrupt(
    'P3',
    'refunds to the balance what a credit had paid',
    `update ledger_lines set ledger_account = 'regular', credit_id = null where transaction_id = ${newest('refund', STOPPED)} and ledger_account = 'credit';
     update credits set remaining_micros = remaining_micros - 284800 where user_id = ${STOPPED};
     update wallets set regular_micros = regular_micros + 284800 where user_id = ${STOPPED}`,
    { rehash: [STOPPED] },
  ),
  corrupt(
    'P3',
    'pays from the balance what a credit had paid',
    `update credits set remaining_micros = remaining_micros + 498400 where user_id = ${RUNS};
     update ledger_lines set ledger_account = 'regular', credit_id = null where transaction_id = ${first('charge', RUNS)} and ledger_account = 'credit';
     update wallets set regular_micros = regular_micros - 498400 where user_id = ${RUNS}`,
    { rehash: [RUNS] },
  ),
  corrupt(
    'P3',
    'posts a charge before it is due',
    `update ledger_transactions set posted_at = due_at - interval '1 second' where id = ${newest('charge', RUNS)}`,
    { rehash: [RUNS] },
  ),
  corrupt('P3', 'removes the charge of a level change', removed(newest('rerate', RUNS)), { rehash: [RUNS] }),
  corrupt(
    'P2',
    'writes a transaction without a hash',
    invented(IDLE, 'adjustment', ['adjustments', 'regular'], 1, { actor_user_id: '1' }),
  ),
  corrupt(
    'P2',
    'replaces the hash in the wallet',
    `update wallets set ledger_hash = sha256('x') where user_id = ${RUNS}`,
  ),
  corrupt('P2', 'removes the hash in the wallet', `update wallets set ledger_hash = null where user_id = ${RUNS}`),
  corrupt('P4', 'adds to a balance', `update wallets set regular_micros = regular_micros + 1 where user_id = ${RUNS}`),

  // Credits.
  corrupt(
    'P3',
    'grants a credit without terms',
    `insert into credits (id, user_id, credit_type, amount_micros, remaining_micros, granted_at, expires_at)
       values (77, ${IDLE}, 'signup', 4990000, 4990000, '2026-12-03T12:00:00Z', '2027-01-02T12:00:00Z');
     insert into ledger_transactions (user_id, type, amount_micros, description, credit_id, due_at, posted_at)
       values (${IDLE}, 'credit_granted', 4990000, '', 77, '2026-12-03T12:00:00Z', '2026-12-03T12:00:00Z');
     insert into ledger_lines values ((select max(id) from ledger_transactions), 1, 'adjustments', null, -4990000),
       ((select max(id) from ledger_transactions), 2, 'credit', 77, 4990000)`,
    { rehash: [IDLE] },
  ),
  corrupt(
    'P3',
    'raises a credit without new terms',
    `update credits set amount_micros = amount_micros + 1000000, remaining_micros = remaining_micros + 1000000 where user_id = ${STOPPED};
     insert into ledger_transactions (user_id, type, amount_micros, description, credit_id, due_at, posted_at, actor_user_id)
       select ${STOPPED}, 'credit_adjusted', 1000000, '', id, '2026-12-03T12:00:00Z', '2026-12-03T12:00:00Z', 1 from credits where user_id = ${STOPPED};
     insert into ledger_lines select (select max(id) from ledger_transactions), 1, 'adjustments', null, -1000000;
     insert into ledger_lines select (select max(id) from ledger_transactions), 2, 'credit', id, 1000000 from credits where user_id = ${STOPPED}`,
    { rehash: [STOPPED] },
  ),
  corrupt(
    'P4',
    'turns a referral credit into one that is never locked',
    `update credits set credit_type = 'signup' where user_id = ${STOPPED}`,
  ),
  corrupt(
    'P4',
    'fills a credit from the balance',
    `update credits set remaining_micros = remaining_micros + 1, amount_micros = amount_micros + 1 where user_id = ${RUNS} and expired_at is null; update wallets set regular_micros = regular_micros - 1 where user_id = ${RUNS}`,
  ),
  corrupt(
    'P4',
    'keeps an expired credit alive',
    `update credits set expired_at = null, expires_at = expires_at + interval '1 year' where user_id = ${IDLE}`,
  ),
  corrupt(
    'P1',
    'moves the expiry of a credit, including its terms',
    `update credits set expires_at = expires_at + interval '30 days' where user_id = ${STOPPED};
     update credit_terms set expires_at = expires_at + interval '30 days' where user_id = ${STOPPED}`,
  ),
  corrupt(
    'P4',
    'moves the expiry of a credit with further terms',
    `insert into credit_terms (credit_id, user_id, credit_type, amount_micros, expires_at, actor, reason, written_at)
       select credit_id, user_id, credit_type, amount_micros, expires_at + interval '30 days', 'api', 'adjusted', '2026-12-03T12:00:00Z' from credit_terms where user_id = ${STOPPED};
     update credits set expires_at = expires_at + interval '30 days' where user_id = ${STOPPED}`,
  ),

  // Intervals and prices.
  corrupt(
    'P4',
    'ends an interval earlier',
    `update deployments set billable_to = billable_to - interval '2 hours' where id = 2`,
  ),
  corrupt(
    'P4',
    'starts an interval later',
    `update deployments set billable_from = billable_from + interval '2 hours' where id = 1`,
  ),
  corrupt(
    'P4',
    'ends an interval earlier, including its record',
    `update deployments set billable_to = billable_to - interval '2 hours' where id = 2;
     insert into interval_changes (deployment_id, user_id, billable_from, billable_to, actor, reason, written_at)
       select id, user_id, billable_from, billable_to, 'api', 'deleted', '2026-12-03T12:00:00Z' from deployments where id = 2`,
  ),
  corrupt(
    'P4',
    'hosts for free: ends the interval of a running deployment, recorded and closed out',
    `alter table deployments drop constraint if exists deployments_open_interval;
     update deployments set billable_to = '2026-12-04T01:00:00Z' where id = 1; update meters set reckoned = true where deployment_id = 1;
     insert into interval_changes (deployment_id, user_id, billable_from, billable_to, actor, reason, written_at)
       select id, user_id, billable_from, billable_to, 'api', 'deleted', '2026-12-04T01:00:00Z' from deployments where id = 1`,
  ),
  corrupt(
    'P4',
    'hosts for free: closes out a running deployment',
    `update meters set reckoned = true where deployment_id = 1`,
  ),
  corrupt(
    'P1',
    'removes the record of an interval',
    `delete from interval_changes where deployment_id = 2 and billable_to is null`,
  ),
  corrupt(
    'P1',
    'removes who requested a level',
    `update deployment_rates set actor_user_id = 1 where deployment_id = 1 and reason = 'level changed'`,
  ),
  corrupt(
    'P3',
    'removes a level change but leaves its charge',
    `delete from deployment_rates where deployment_id = 1 and reason = 'level changed';
     update meters set hourly_micros = 35600, rate_from = (select effective_from from deployment_rates where deployment_id = 1) where deployment_id = 1;
     update deployments set support_level = 1, level_changed_at = null where id = 1`,
  ),
  corrupt(
    'P5',
    'lowers the price that the daily run reads',
    `update meters set hourly_micros = 1 where deployment_id = 1`,
  ),
  corrupt(
    'P5',
    'lowers the price that a level change stores',
    `update meters set base_hourly_micros = 1 where deployment_id = 1`,
  ),
  corrupt(
    'P5',
    'invents a cheaper size, from tomorrow',
    `insert into deployment_rates (deployment_id, effective_from, support_level, hourly_micros, actor, actor_user_id, reason, written_at,
         change_id, base_before_micros, base_hourly_micros)
       values (1, '2026-12-05T00:00:00Z', 2, 69500, 'billing', ${RUNS}, 'resized', '2026-12-04T01:10:00Z', 1, 35600, 1000);
     update meters set base_hourly_micros = 1000, hourly_micros = 69500, rate_from = '2026-12-05T00:00:00Z' where deployment_id = 1;
     update deployments set instance_hourly_micros = 1000 where id = 1`,
  ),
  corrupt(
    'P5',
    'moves the price from before a size',
    `insert into audit_records (actor_user_id, action, subject, account_id, facts, at)
       values (${RUNS}, 'deployment.resized', 'deployment:1', ${RUNS}, '{"hourly_micros": "61200"}', '2026-12-04T01:00:00Z');
     insert into deployment_rates (deployment_id, effective_from, support_level, hourly_micros, actor, actor_user_id, reason, written_at,
         change_id, base_before_micros, base_hourly_micros)
       values (1, '2026-12-05T00:00:00Z', 2, 129700, 'billing', ${RUNS}, 'resized', '2026-12-04T01:10:00Z', 1, 35500, 61200);
     update meters set base_hourly_micros = 61200, hourly_micros = 129700, rate_from = '2026-12-05T00:00:00Z' where deployment_id = 1;
     update deployments set instance_hourly_micros = 61200 where id = 1`,
  ),
  corrupt('P5', 'shows a level that is not paid for', `update deployments set support_level = 3 where id = 1`),
  corrupt(
    'P4',
    'records tomorrow as paid',
    `update meters set charged_through = charged_through + 1 where deployment_id = 1`,
  ),
  corrupt(
    'P3',
    'moves a deployment to another account',
    `update deployments set user_id = ${IDLE} where id = 3; update meters set user_id = ${IDLE} where deployment_id = 3`,
  ),

  // The proof itself.
  corrupt(
    'P4',
    'moves the start of the replay',
    `insert into ledger_checkpoints (user_id, through_id, transactions, hash, state, written_at)
       select ${RUNS}, (select last_value from ledger_transactions_id_seq), 0, ledger_hash,
         jsonb_build_object('head', encode(ledger_hash, 'hex'), 'regular', (regular_micros + 5000000)::text, 'owed', '0', 'first_paid_at', null, 'credits', '[]'::jsonb, 'deployments', '[]'::jsonb), now()
       from wallets where user_id = ${RUNS};
     update wallets set regular_micros = regular_micros + 5000000 where user_id = ${RUNS}`,
  ),
  corrupt(
    'P1',
    'exchanges a seal',
    `update ledger_seals set hash = sha256('x') where through_id = (select max(through_id) from ledger_seals)`,
  ),
  corrupt(
    'P1',
    'removes the newest seal',
    `delete from ledger_seals where through_id = (select max(through_id) from ledger_seals)`,
  ),
  corrupt('P1', 'removes all seals, so that everything is accepted as it is', `delete from ledger_seals`),
  corrupt('P1', 'removes the file of the newest seal', `select 1`, { files: 'forget newest' }),
];
