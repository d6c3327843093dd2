import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS, iso, Money, type MovementKind } from '@moorage/domain';
import { findBreaches, INVARIANTS } from '@moorage/ledger';
import type { Db, SqlValue, Tx } from '@moorage/server';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
let auditor: Db;
let owner: Db;
let admin: TestAccount;
beforeAll(async () => {
  api = await apiHarness();
  admin = await api.admin();
  auditor = await api.database.open({ service: 'billing', connections_max: 1 });
  owner = await api.database.open({ connections_max: 1 });
  await writeBooks();
});
afterAll(async () => {
  await auditor.close();
  await owner.close();
  await api.close();
});

const BOOKS = INVARIANTS.filter(({ reads }) => reads === 'books');
const now = (): Promise<number> => api.deps.db.tx('test.now', (tx) => api.deps.clock.now(tx));

/** Returns the ids of the breaches that the nightly audit finds. */
async function found(tx: Tx): Promise<string[]> {
  const query = (sql: string, params: readonly SqlValue[]): Promise<object[]> => tx.query(sql, params);
  return (await findBreaches(query, BOOKS, { now: await now(), moment: 'always' })).map(({ id }) => id);
}

/** Returns the breaches after a manual change of the ledger with its guards disabled. The change is rolled back. */
async function foundAfter(sql: string): Promise<string[]> {
  const ids: string[][] = [];
  const undone = new Error('undone');
  const change = owner.tx('test.change', async (tx) => {
    await tx.execute('set local session_replication_role = replica');
    for (const statement of sql.split(';')) await tx.execute(statement);
    ids.push(await found(tx));
    throw undone;
  });
  await expect(change).rejects.toBe(undone);
  return ids.flat();
}

const anew = async (account: TestAccount): Promise<TestAccount> => {
  const { body } = await api.http.post('/api/auth/login').send({ username: account.email, password: account.password });
  return { ...account, auth: { authorization: `Bearer ${(body as { access_token: string }).access_token}` } };
};

async function move(account: TestAccount, kind: MovementKind, cents: number, no: number): Promise<void> {
  const [payment] = await api.database.sql<{ id: string; amount_cents: number }>(
    `select id, amount_cents from checkout_sessions where user_id = $1 and status = 'paid' order by created_at limit 1`,
    [account.id],
  );
  if (payment === undefined) throw new Error('nothing was paid');
  const { id, amount_cents } = payment;
  const paymentIntent = `pi_${id}`;
  await api.database.sql('update checkout_sessions set payment_intent = $2 where id = $1', [id, paymentIntent]);
  await api.deps.db.tx('test.move', async (tx) => {
    const at = await api.deps.clock.now(tx);
    const amount = Money.ofCents(cents);
    const movement = { id: `txn_${no}`, reversalId: `re_${no}`, kind, amount, fee: Money.ZERO, movedAt: at };
    await tx.execute(
      `insert into payment_reversals (id, payment_intent, kind, amount_cents, status, created_at, seen_at)
       values ($1, $2, $3, $4, 'done', $5, $5)`,
      [movement.reversalId, paymentIntent, kind, cents, iso(at)],
    );
    const paid = Money.ofCents(amount_cents);
    await api.deps.ledger.recordMovement(tx, { userId: account.id, paymentIntent, paid, movement, at });
  });
}

const receiptsOf = async ({ id }: TestAccount): Promise<number> =>
  (await api.database.sql(`select from billing_documents where user_id = $1 and kind = 'receipt'`, [id])).length;
const documentsOf = ({ auth }: TestAccount) => api.http.get('/api/billing/documents').set(auth);

/** Creates two accounts with receipts, credit notes, a statement and free credits, a month later. */
async function writeBooks(): Promise<void> {
  const accounts = [await api.user(), await api.user()];
  for (const account of accounts) await api.pay(account, 2_000);
  await api.run();
  const [ada, bob] = accounts;
  if (ada === undefined || bob === undefined) throw new Error('no accounts');
  await api.pay(ada, 1_000);
  await move(ada, 'refund', 1_500, 1);
  await move(bob, 'dispute', 2_000, 2);
  for (const account of accounts) await documentsOf(account);
  await redeemCode(bob);
  const month = iso(await now()).slice(0, 7);
  api.pass(32 * DAY_MS);
  const { status } = await api.http.post(`/api/billing/statements/${month}`).set((await anew(ada)).auth);
  expect(status).toBe(200);
}

async function redeemCode(account: TestAccount): Promise<void> {
  const email = 'free@example.org';
  await api.http.post('/api/support/referral-request').send({ email, reason: 'I want to try it with my team.' });
  const [request] = await api.database.sql<{ id: number }>('select id from credit_requests');
  await api.http.post(`/api/support/referral-requests/${request?.id}/approve`).set(admin.auth).send({});
  await api.run();
  const texts = (await api.mailsTo(email)).map(({ text }) => text).join('\n');
  const code = /signup\?ref=(\S+)/.exec(texts)?.[1];
  const { status } = await api.http.post('/api/signup-credits/redeem').set(account.auth).send({ code });
  expect(status).toBe(201);
}

const RECEIPT = `(select min(id) from billing_documents where kind = 'receipt')`;
const NEWEST = `(select max(id) from billing_documents where kind = 'receipt')`;
const NOTE = `(select min(id) from billing_documents where kind = 'credit_note')`;
const STATEMENT = `(select min(id) from billing_documents where kind = 'statement')`;
const otherAccount = (id: string): string => `(select min(user_id) from billing_documents where user_id <> (
  select user_id from billing_documents where id = ${id}))`;
/** Changes the content of a document together with its hash. */
const textAt = (id: string, path: string, value: string): string =>
  `update billing_documents set facts = jsonb_set(facts, '{${path}}', ${value}) where id = ${id};
   update billing_documents set facts_hash = sha256(convert_to(facts::text, 'UTF8')) where id = ${id}`;

describe('nightly audit of documents', () => {
  it('finds nothing in a ledger that the product wrote, with the role of the auditing service', async () => {
    const counted = await api.database.sql(
      'select kind, count(*)::int as count from billing_documents group by kind order by kind',
    );
    expect(counted).toEqual([
      { kind: 'credit_note', count: 2 },
      { kind: 'receipt', count: 3 },
      { kind: 'statement', count: 1 },
    ]);
    expect(await auditor.tx('test.audit', found)).toEqual([]);
  });

  it.each([
    ['a receipt that is gone', 'I21', `delete from billing_documents where id = ${NEWEST}`],
    [
      'a receipt that is gone, its number as well',
      'I21',
      `delete from billing_documents where id = ${NEWEST};
       update billing_document_counters set last = last - 1 where kind = 'receipt'`,
    ],
    ['a statement that is gone', 'I21', `delete from billing_documents where id = ${STATEMENT}`],
    [
      'a receipt made out to another name',
      'I21b',
      `update billing_documents set facts = jsonb_set(facts, '{customer,name}', '"Eve"') where id = ${RECEIPT}`,
    ],
    [
      'a receipt of another amount, its hash made anew',
      'I21b',
      `update billing_documents set amount_micros = 30000000 where id = ${RECEIPT};
       ${textAt(RECEIPT, 'amount_micros', `'"30000000"'`)}`,
    ],
    [
      'a receipt of another day, its hash made anew',
      'I21b',
      textAt(RECEIPT, 'moved_at', `'"2026-01-01T00:00:00.000Z"'`),
    ],
    [
      'a credit note of another account',
      'I21c',
      `update billing_documents set user_id = ${otherAccount(NOTE)} where id = ${NOTE}`,
    ],
    [
      'a credit note of another account, its hash made anew',
      'I21c',
      `update billing_documents set user_id = ${otherAccount(NOTE)} where id = ${NOTE};
       ${textAt(NOTE, 'customer,account_id', 'to_jsonb(user_id)')}`,
    ],
    [
      'a credit note that names the receipt of another account, its hash made anew',
      'I21c',
      textAt(
        NOTE,
        'receipt',
        `(select to_jsonb(number) from billing_documents where kind = 'receipt' and user_id = ${otherAccount(NOTE)} limit 1)`,
      ),
    ],
    [
      'a number given twice',
      'I21d',
      `alter table billing_documents drop constraint billing_documents_number_key;
       ${textAt(NEWEST, 'number', `(select to_jsonb(min(number)) from billing_documents where kind = 'receipt')`)};
       update billing_documents set number = facts ->> 'number' where id = ${NEWEST}`,
    ],
    [
      'two credit notes that changed their numbers, their hashes made anew',
      'I21d',
      `alter table billing_documents drop constraint billing_documents_number_key;
       update billing_documents d set number = o.number, facts = jsonb_set(d.facts, '{number}', to_jsonb(o.number))
         from billing_documents o where d.kind = 'credit_note' and o.kind = 'credit_note' and o.id <> d.id;
       update billing_documents set facts_hash = sha256(convert_to(facts::text, 'UTF8'))`,
    ],
    [
      'a number that skips some, the counter as well',
      'I21',
      `${textAt(NEWEST, 'number', `'"R-2026-000009"'`)};
       update billing_documents set number = 'R-2026-000009' where id = ${NEWEST};
       update billing_document_counters set last = 9 where kind = 'receipt'`,
    ],
    [
      'a statement with another balance at its beginning, its hash made anew',
      'I21e',
      `${textAt(STATEMENT, 'opening,regular_micros', `'"1000000"'`)}`,
    ],
    [
      'a statement with another balance at its end, its hash made anew',
      'I21e',
      `${textAt(STATEMENT, 'closing,owed_micros', `'"-1000000"'`)}`,
    ],
    ['a statement without a posting, its hash made anew', 'I21e', textAt(STATEMENT, 'rows', `(facts -> 'rows') - 0`)],
    [
      'a statement made out to another name',
      'I21e',
      `update billing_documents set facts = jsonb_set(facts, '{customer,name}', '"Eve"') where id = ${STATEMENT}`,
    ],
    [
      'a code for free credits made usable again',
      'I22',
      'update credit_requests set credit_id = null, credited_at = null',
    ],
    [
      'a code for free credits made usable for longer',
      'I22',
      `update credit_requests set code_expires_at = code_expires_at + interval '1 day'`,
    ],
    ['a dispute renamed to a refund', 'I12c', `update payment_movements set kind = 'refund' where kind = 'dispute'`],
    [
      'a dispute renamed to a refund at the provider',
      'I12c',
      `update payment_reversals set kind = 'refund' where kind = 'dispute'`,
    ],
  ])('reports %s (%s)', async (_, id, sql) => {
    expect(await foundAfter(sql)).toEqual([id]);
  });

  it('expects no receipt while the event of the payment is on its way', async () => {
    const sql = `delete from billing_documents where id = ${NEWEST};
      update billing_document_counters set last = last - 1 where kind = 'receipt';
      delete from inbox where consumer = 'api' and stream = 'payment';
      delete from inbox_positions where consumer = 'api' and stream = 'payment';
      update outbox set sent_at = '${iso(await now())}' where stream = 'payment'`;
    expect(await foundAfter(sql)).toEqual([]);
  });

  it('reports a dispute renamed to a refund in the ledger, and its contradicting credit note', async () => {
    const sql = `update ledger_transactions set type = 'payment_refund' where type = 'dispute'`;
    expect(await foundAfter(sql)).toEqual(['I12c', 'I21b']);
  });

  it('waits for the receipt of a payment while its event is to be sent or handled', async () => {
    const audited = () => auditor.tx('test.audit', found);
    const [ada, bob] = [await api.user(), await api.user()];
    await api.pay(bob, 500);
    api.pass(2 * DAY_MS);
    expect([await audited(), await receiptsOf(bob)]).toEqual([[], 0]);
    await api.run();
    expect([await audited(), await receiptsOf(bob)]).toEqual([[], 1]);
    await api.pay(await anew(ada), 500);
    // The event was sent, but has not arrived.
    await api.database.sql('update outbox set sent_at = occurred_at where sent_at is null');
    api.pass(2 * DAY_MS);
    expect(await audited()).toEqual([]);
    // It is lost.
    await api.database.sql(`delete from outbox where data ->> 'user_id' = '${ada.id}'`);
    expect(await audited()).toEqual(['I21']);
    await documentsOf(await anew(ada));
    expect(await audited()).toEqual([]);
  });
});
