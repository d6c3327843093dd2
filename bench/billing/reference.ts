import pg from 'pg';
import { MIDNIGHT, MIDNIGHT_BEFORE } from './seed';

/**
 * Runs the hand-written reference for this day on the same tables, with chunks of 5,000 users, two connections, and
 * wallets locked first. It handles no grace periods, no missed days, no checkpoints and no second runner. With `hashes`
 * it writes the same ledger as the product. Without, it writes a ledger that the nightly proof would refuse, which
 * shows the cost of hashes.
 */
export async function handWrittenRun(
  url: string,
  { users, chunkUsers, workers, hashes }: { users: number; chunkUsers: number; workers: number; hashes: boolean },
): Promise<void> {
  const chunks: number[] = [];
  for (let first = 1; first <= users; first += chunkUsers) chunks.push(first);
  await Promise.all(
    Array.from({ length: workers }, async () => {
      const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' });
      await client.connect();
      for (let first = chunks.shift(); first !== undefined; first = chunks.shift()) {
        await client.query('begin');
        await client.query('select user_id from wallets where user_id between $1 and $2 order by user_id for update', [
          first,
          first + chunkUsers - 1,
        ]);
        for (const sql of hashes ? CHUNK_WITH_HASHES : CHUNK)
          await client.query(sql, sql.includes('$1') ? [first, first + chunkUsers - 1] : []);
        await client.query('commit');
      }
      await client.end();
    }),
  );
}

const DUE = `
  from meters m join deployments d on d.id = m.deployment_id
  where m.user_id between $1 and $2 and not m.reckoned and m.charged_through = '${MIDNIGHT_BEFORE}'
    and d.billable_from < '${MIDNIGHT} 00:00Z' and d.billable_to is null`;
const DESCRIPTION = `'Deployment ' || d.id || ': 24 hours on ${MIDNIGHT}'`;

const CREDITS_LAID_OUT = `create temp table pots on commit drop as
   select c.user_id, c.id, sum(c.remaining_micros) over w - c.remaining_micros as low, sum(c.remaining_micros) over w as high
   from credits c join wallets w on w.user_id = c.user_id and w.user_id between $1 and $2
   where c.user_id between $1 and $2 and c.expired_at is null and c.expires_at > '${MIDNIGHT} 00:00Z' and c.remaining_micros > 0
     and (c.credit_type = 'signup' or w.regular_micros >= 5000000)
   window w as (partition by c.user_id order by c.expires_at, c.id)`;

const TAKEN = `create temp table taken on commit drop as
   select c.id, c.user_id, p.id as credit_id, least(c.high, p.high) - greatest(c.low, p.low) as amount, p.low
   from charged c join pots p on p.user_id = c.user_id and p.low < c.high and p.high > c.low
   union all
   select c.id, c.user_id, null, c.high - greatest(c.low, coalesce(p.credit, 0)), 9e18
   from charged c left join (select user_id, max(high) as credit from pots group by user_id) p on p.user_id = c.user_id
   where c.high > coalesce(p.credit, 0)`;

const LINES = `
   select id, row_number() over (partition by id order by low), case when credit_id is null then 'regular' else 'credit' end, credit_id, -amount from taken
   union all
   select c.id, 100, 'revenue', null, c.amount from charged c`;

const SPENT_CREDITS = `update credits c set remaining_micros = c.remaining_micros - t.amount
   from (select credit_id, sum(amount) as amount from taken where credit_id is not null group by credit_id) t where c.id = t.credit_id and c.user_id between $1 and $2`;

const SPENT_REGULAR = `update wallets w set regular_micros = w.regular_micros - t.amount
   from (select user_id, sum(amount) as amount from taken where credit_id is null group by user_id) t where w.user_id = t.user_id and w.user_id between $1 and $2`;

const METERED = `update meters m set charged_through = '${MIDNIGHT}' from charged c
   where m.deployment_id = c.deployment_id and m.user_id between $1 and $2 and not m.reckoned`;

/** Derives the amounts from the rows that were actually inserted. */
const CHUNK = [
  `create temp table charged on commit drop as
   with new as (
     insert into ledger_transactions (user_id, type, amount_micros, description, deployment_id, charged_on, due_at, posted_at)
     select m.user_id, 'charge', -24 * m.hourly_micros, ${DESCRIPTION}, m.deployment_id, '${MIDNIGHT}',
       '${MIDNIGHT} 00:00Z', '${MIDNIGHT} 00:00:05Z'
     ${DUE}
     order by m.user_id, m.deployment_id
     on conflict (deployment_id, charged_on) where type = 'charge' do nothing
     returning id, user_id, deployment_id, -amount_micros as amount
   )
   select id, user_id, deployment_id, amount,
     sum(amount) over w - amount as low, sum(amount) over w as high
   from new window w as (partition by user_id order by deployment_id)`,
  CREDITS_LAID_OUT,
  TAKEN,
  `insert into ledger_lines (transaction_id, line_no, ledger_account, credit_id, amount_micros) ${LINES}`,
  SPENT_CREDITS,
  SPENT_REGULAR,
  METERED,
];

/**
 * The ledger is append-only, so ids and lines are generated first, then the hash of each account, and then rows are
 * inserted.
 */
const CHUNK_WITH_HASHES = [
  `create temp table charged on commit drop as
   select nextval('ledger_transactions_id_seq') as id, user_id, deployment_id, amount, description,
     sum(amount) over w - amount as low, sum(amount) over w as high
   from (
     select m.user_id, m.deployment_id, 24 * m.hourly_micros as amount, ${DESCRIPTION} as description
     ${DUE}
     order by m.user_id, m.deployment_id
   ) due window w as (partition by user_id order by deployment_id)`,
  CREDITS_LAID_OUT,
  TAKEN,
  `create temp table lines (transaction_id, line_no, ledger_account, credit_id, amount) on commit drop as ${LINES}`,
  `create temp table hashes on commit drop as
   select user_id, sha256(string_agg(content, '' order by id, line_no)) as hash
   from (
     select user_id, 0::bigint as id, 0 as line_no, coalesce(ledger_hash, '') as content
     from wallets where user_id between $1 and $2
     union all
     select user_id, id, 0, transaction_content(id, user_id, 'charge', (-amount)::bigint, description, deployment_id,
       '${MIDNIGHT}', null, '${MIDNIGHT} 00:00Z', '${MIDNIGHT} 00:00:05Z', null, null, null)
     from charged
     union all
     select c.user_id, c.id, l.line_no, line_content(l.line_no::smallint, l.ledger_account, l.credit_id, l.amount::bigint)
     from lines l join charged c on c.id = l.transaction_id
   ) contents
   group by user_id`,
  `insert into ledger_transactions (id, user_id, type, amount_micros, description, deployment_id, charged_on, due_at, posted_at, hash)
   overriding system value
   select c.id, c.user_id, 'charge', -c.amount, c.description, c.deployment_id, '${MIDNIGHT}', '${MIDNIGHT} 00:00Z',
     '${MIDNIGHT} 00:00:05Z', h.hash
   from charged c join hashes h on h.user_id = c.user_id`,
  `insert into ledger_lines (transaction_id, line_no, ledger_account, credit_id, amount_micros)
   select transaction_id, line_no, ledger_account, credit_id, amount from lines`,
  SPENT_CREDITS,
  SPENT_REGULAR,
  `update wallets w set ledger_hash = h.hash from hashes h
   where w.user_id = h.user_id and w.user_id between $1 and $2 and exists (select from charged c where c.user_id = w.user_id)`,
  METERED,
];

/** Runs a transaction per deployment, as most applications do. Returns deployments per second. */
export async function rowLoop(
  url: string,
  { deployments, connections }: { deployments: number; connections: number },
): Promise<number> {
  const queue = Array.from({ length: deployments }, (_, index) => index + 1);
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC' });
      await client.connect();
      return client;
    }),
  );
  const began = process.hrtime.bigint();
  await Promise.all(
    clients.map(async (client) => {
      for (let id = queue.shift(); id !== undefined; id = queue.shift()) await chargeOne(client, id);
    }),
  );
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  await Promise.all(clients.map((client) => client.end()));
  return deployments / seconds;
}

async function chargeOne(client: pg.Client, id: number): Promise<void> {
  await client.query('begin');
  const {
    rows: [meter],
  } = await client.query<{ user_id: number; hourly_micros: string }>(
    `select m.user_id, m.hourly_micros from meters m where m.deployment_id = $1`,
    [id],
  );
  if (meter === undefined) throw new Error(`no deployment ${id}`);
  const {
    rows: [wallet],
  } = await client.query<{ regular_micros: string }>(
    'select regular_micros from wallets where user_id = $1 for update',
    [meter.user_id],
  );
  const { rows: credits } = await client.query<{ id: number; remaining_micros: string; credit_type: string }>(
    `select id, remaining_micros, credit_type from credits
     where user_id = $1 and expired_at is null and expires_at > '${MIDNIGHT} 00:00Z' and remaining_micros > 0 order by expires_at, id`,
    [meter.user_id],
  );
  const amount = BigInt(meter.hourly_micros) * 24n;
  const regular = BigInt(wallet?.regular_micros ?? 0);
  const {
    rows: [charge],
  } = await client.query<{ id: string }>(
    `insert into ledger_transactions (user_id, type, amount_micros, description, deployment_id, charged_on, due_at, posted_at)
     values ($1, 'charge', $2, $3, $4, '${MIDNIGHT}', '${MIDNIGHT} 00:00Z', '${MIDNIGHT} 00:00:05Z') returning id`,
    [meter.user_id, (-amount).toString(), `Deployment ${id}: 24 hours on ${MIDNIGHT}`, id],
  );
  let rest = amount;
  const lines: [bucket: string, creditId: number | null, micros: bigint][] = [];
  for (const credit of credits) {
    if (rest === 0n || (credit.credit_type !== 'signup' && regular < 5_000_000n)) continue;
    const remaining = BigInt(credit.remaining_micros);
    const part = remaining < rest ? remaining : rest;
    rest -= part;
    lines.push(['credit', credit.id, -part]);
    await client.query('update credits set remaining_micros = remaining_micros - $2 where id = $1', [
      credit.id,
      part.toString(),
    ]);
  }
  if (rest > 0n) {
    lines.push(['regular', null, -rest]);
    await client.query('update wallets set regular_micros = regular_micros - $2 where user_id = $1', [
      meter.user_id,
      rest.toString(),
    ]);
  }
  lines.push(['revenue', null, amount]);
  // All lines in one statement, to make the loop as fast as possible.
  const values = lines.map(
    (_, index) => `($1, ${index + 1}, $${index * 3 + 2}, $${index * 3 + 3}::int, $${index * 3 + 4}::bigint)`,
  );
  await client.query(`insert into ledger_lines values ${values.join(', ')}`, [
    charge?.id,
    ...lines.flatMap(([bucket, creditId, micros]) => [bucket, creditId, micros.toString()]),
  ]);
  await client.query(`update meters set charged_through = '${MIDNIGHT}' where deployment_id = $1`, [id]);
  await client.query('commit');
}
