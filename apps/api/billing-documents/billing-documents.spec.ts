import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { BillingDocumentAnswer, BillingDocumentsAnswer } from '@moorage/contracts';
import { BILLING_DOCUMENT_MESSAGES as MESSAGES, DAY_MS, HOUR_MS, iso, Money, type MovementKind } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { neighbours, ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount, TEST_SETTINGS } from '@moorage/tests/services/api/api-harness';
import { LIMITS } from '../http/limits';
import type { ApiSettings } from '../settings';
import { DocumentRenderer } from './document-renderer.service';
import { IssueDocuments } from './issue-documents.use-case';
import { pdfPages } from '@moorage/tests/services/api/billing-documents';

let api: ApiHarness;
let admin: TestAccount;
beforeAll(async () => {
  api = await apiHarness();
  admin = await api.admin();
});
afterAll(() => api.close());

const get = (path: string, { auth }: TestAccount) => api.http.get(`/api${path}`).set(auth);
const list = async (account: TestAccount, query = '?per_page=100'): Promise<BillingDocumentAnswer[]> =>
  ((await get(`/billing/documents${query}`, account)).body as BillingDocumentsAnswer).documents;
const pdf = (id: number, account: TestAccount) => get(`/billing/documents/${id}/pdf`, account).buffer(true);
const textOf = async (id: number, account: TestAccount): Promise<string> => {
  const file = await pdf(id, account);
  return (await pdfPages(file.body as Buffer)).flat().join('\n');
};
const save = (account: TestAccount, details: object) =>
  api.http.put('/api/billing/details').set(account.auth).send(details);
const statement = (account: TestAccount, month: string) =>
  api.http.post(`/api/billing/statements/${month}`).set(account.auth);
const tx = <T>(work: (tx: Tx, at: number) => Promise<T>): Promise<T> =>
  api.deps.db.tx('test.documents', async (tx) => work(tx, await api.deps.clock.now(tx)));
const now = (): Promise<number> => tx((_, at) => Promise.resolve(at));
const documents = (): IssueDocuments => api.api.app.get(IssueDocuments);
/** Returns the document numbers of all accounts in order. */
const numbers = async (letter: string): Promise<string[]> =>
  (
    await api.database.sql<{ number: string }>(
      'select number from billing_documents where number like $1 order by number',
      [`${letter}-%`],
    )
  ).map(({ number }) => number);

/** Logs the account in again, because sessions end within a month. */
async function loggedIn(account: TestAccount): Promise<TestAccount> {
  const { body } = await api.http.post('/api/auth/login').send({ username: account.email, password: account.password });
  const { access_token: token } = body as { access_token: string };
  return { ...account, token, auth: { authorization: `Bearer ${token}` } };
}
async function monthLater(account: TestAccount): Promise<TestAccount> {
  api.pass(32 * DAY_MS);
  return loggedIn(account);
}

const ADA = {
  name: 'Ada Lovelace Ltd',
  lines: ['12 St James’s Square', ' 2nd floor '],
  postal_code: 'SW1Y 4JH',
  city: 'London',
  country: 'GB',
  tax_id: 'gb 123 4567 89',
};

/** Moves money of the account's last checkout at the provider. */
let moved = 0;
async function move(account: TestAccount, kind: MovementKind, cents: number): Promise<void> {
  const [payment] = await api.database.sql<{ payment_intent: string | null; id: string; amount_cents: number }>(
    `select id, payment_intent, amount_cents from checkout_sessions where user_id = $1 and status = 'paid' order by created_at desc limit 1`,
    [account.id],
  );
  if (payment === undefined) throw new Error('nothing was paid');
  const paymentIntent = payment.payment_intent ?? `pi_${payment.id}`;
  await api.database.sql('update checkout_sessions set payment_intent = $2 where id = $1', [payment.id, paymentIntent]);
  await tx(async (tx, at) =>
    api.deps.ledger.recordMovement(tx, {
      userId: account.id,
      paymentIntent,
      paid: Money.ofCents(payment.amount_cents),
      movement: {
        id: `txn_${++moved}`,
        reversalId: 're_1',
        kind,
        amount: Money.ofCents(cents),
        fee: Money.ZERO,
        movedAt: at,
      },
      at,
    }),
  );
}

describe('billing address', () => {
  it('is stored as entered and belongs to one account', async () => {
    const [ada, bob] = [await api.user(), await api.user()];
    expect((await get('/billing/details', ada)).body).toEqual({ details: null });
    const stored = { ...ADA, lines: ['12 St James’s Square', '2nd floor'], tax_id: 'GB123456789' };
    expect((await save(ada, ADA)).body).toEqual({ details: stored });
    expect((await get('/billing/details', ada)).body).toEqual({ details: stored });
    expect((await get('/billing/details', bob)).body).toEqual({ details: null });
    expect((await save(ada, { ...ADA, tax_id: '' })).body).toMatchObject({ details: { tax_id: null } });
  });

  it.each([
    [{ name: ' ' }, 'name', MESSAGES.name_missing],
    [{ lines: [] }, 'lines', MESSAGES.lines_missing],
    [{ lines: ['1', '2', '3', '4'] }, 'lines', MESSAGES.lines_most({ most: 3 })],
    [{ city: 'x'.repeat(101) }, 'city', MESSAGES.line_long({ most: 100 })],
    [{ postal_code: '1'.repeat(21) }, 'postal_code', MESSAGES.line_long({ most: 20 })],
    [{ country: 'XX' }, 'country', MESSAGES.country_missing],
    [{ name: '株式会社サンプル' }, 'name', MESSAGES.letters_unprinted({ letters: '株式会社サ' })],
    [{ lines: ['東京都', 'שדרות'] }, 'lines', MESSAGES.letters_unprinted({ letters: '東京都' })],
    [{ tax_id: '<b>12</b>' }, 'tax_id', MESSAGES.tax_id_wrong],
  ])('is rejected next to its field: %j', async (wrong, path, message) => {
    const ada = await api.user();
    const { status, body } = await save(ada, { ...ADA, ...wrong });
    expect([status, (body as { errors: unknown[] }).errors]).toEqual([
      422,
      [{ path, message: message.detail, code: message.code, facts: message.facts }],
    ]);
    expect((await get('/billing/details', ada)).body).toEqual({ details: null });
  });
});

describe('receipts', () => {
  it('are issued for each payment with the address and tax at that time', async () => {
    const ada = await api.user();
    await save(ada, ADA);
    await api.pay(ada, 11_900);
    await api.run();
    // Issued by the event, before any request.
    expect(await api.database.sql('select kind from billing_documents where user_id = $1', [ada.id])).toEqual([
      { kind: 'receipt' },
    ]);
    const [receipt] = await list(ada);
    expect(receipt).toMatchObject({ kind: 'receipt', amount: 119, month: null });
    await save(ada, { ...ADA, name: 'Somebody else' });
    const text = await textOf(receipt?.id ?? 0, ada);
    for (const line of [
      'Moorage Hosting GmbH',
      `Receipt ${receipt?.number}`,
      'Ada Lovelace Ltd',
      'London SW1Y 4JH',
      'United Kingdom',
      'Tax number: GB123456789',
      'Net | 100.00',
      'VAT 19 % included | 19.00',
      'Total | 119.00',
      'Test payment: no money moved.',
    ])
      expect(text).toContain(line);
    expect(text).not.toContain('Somebody else');
  });

  it('name the user when no address was entered', async () => {
    const ada = await api.user();
    await api.pay(ada, 500);
    const [receipt] = await list(ada);
    const text = await textOf(receipt?.id ?? 0, ada);
    expect(text).toContain(ada.username);
    expect(text).toContain(ada.email);
  });

  it('name the email address when the username cannot be printed', async () => {
    const ada = await api.user();
    await api.database.sql('update users set username = $2 where id = $1', [ada.id, `株式会社${ada.id}`]);
    await api.pay(ada, 500);
    const [receipt] = await list(ada);
    const text = await textOf(receipt?.id ?? 0, ada);
    expect(text).toContain(ada.email);
    expect(text).not.toContain('?');
  });

  it('are downloaded as a PDF named by their number, identical every time', async () => {
    const ada = await api.user();
    await api.pay(ada, 500);
    const [receipt] = await list(ada);
    const [once, again] = [await pdf(receipt?.id ?? 0, ada), await pdf(receipt?.id ?? 0, ada)];
    expect(once.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${receipt?.number}.pdf"`,
      'cache-control': 'no-store',
    });
    expect((once.body as Buffer).subarray(0, 5).toString()).toBe('%PDF-');
    expect((again.body as Buffer).equals(once.body as Buffer)).toBe(true);
  });

  it('are visible to their account and to administrators', async () => {
    const [ada, bob] = [await api.user(), await api.user()];
    await api.pay(ada, 500);
    const [receipt] = await list(ada);
    const id = receipt?.id ?? 0;
    expect(await list(bob)).toEqual([]);
    const [foreign, absent] = [
      await get(`/billing/documents/${id}/pdf`, bob),
      await get('/billing/documents/999999/pdf', bob),
    ];
    expect([foreign.status, foreign.body]).toEqual([404, absent.body]);
    expect((await pdf(id, admin)).status).toBe(200);
    expect((await get(`/billing/admin/users/${ada.id}/documents`, admin)).body).toMatchObject({
      documents: [{ id }],
      total_pages: 1,
    });
    expect((await get(`/billing/admin/users/${ada.id}/documents`, bob)).status).toBe(403);
    expect((await get('/billing/admin/users/999999/documents', admin)).status).toBe(404);
  });

  it('are issued for payments of an earlier version when the list is opened', async () => {
    const ada = await api.user();
    await tx((tx, at) =>
      api.deps.ledger.recordPayment(tx, { userId: ada.id, amount: Money.of(7), cause: `old-${ada.id}`, at }),
    );
    expect(await list(ada)).toMatchObject([{ kind: 'receipt', amount: 7 }]);
    expect(await list(ada)).toHaveLength(1);
  });

  it('are issued once, however often and concurrently they are requested', async () => {
    const ada = await api.user();
    await api.pay(ada, 500);
    await Promise.all(Array.from({ length: 5 }, () => tx((tx) => documents().issueMissing(tx, ada.id))));
    expect(await list(ada)).toHaveLength(1);
  });

  it('are paged, newest first', async () => {
    const ada = await api.user();
    for (const cents of [100, 200, 300]) await api.pay(ada, cents);
    const { body } = await get('/billing/documents?per_page=2&page=2', ada);
    expect(body).toMatchObject({ documents: [{ amount: 1 }], total_pages: 2, current_page: 2, has_next: false });
    expect((await list(ada, '?per_page=2')).map(({ amount }) => amount)).toEqual([3, 2]);
  });
});

describe('document numbers', () => {
  const withoutGaps = async (letter: string): Promise<void> => {
    const all = await numbers(letter);
    const year = new Date(await now()).getUTCFullYear();
    expect(all.length).toBeGreaterThan(0);
    expect(all).toEqual(all.map((_, at) => `${letter}-${year}-${String(at + 1).padStart(6, '0')}`));
  };

  it('have neither gaps nor duplicates for twenty concurrent payments of several accounts', async () => {
    const accounts = await Promise.all(Array.from({ length: 5 }, () => api.user()));
    for (const account of accounts) for (let each = 0; each < 4; each++) await api.pay(account, 100 + each);
    const before = (await numbers('R')).length;
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => tx((tx) => documents().issueMissing(tx, accounts[at % 5]?.id ?? 0))),
    );
    expect((await numbers('R')).length).toBe(before + 20);
    await withoutGaps('R');
  });

  it('have no gap when a transaction is rolled back', async () => {
    const ada = await api.user();
    await api.pay(ada, 500);
    await expect(
      tx(async (tx) => {
        await documents().issueMissing(tx, ada.id);
        throw new Error('the end of this transaction');
      }),
    ).rejects.toThrow('the end of this transaction');
    expect(await list(ada)).toHaveLength(1);
    await withoutGaps('R');
  });

  it('match the ledger, and an issued document cannot be changed', async () => {
    await expect(api.database.sql(`update billing_documents set number = 'R-0'`)).rejects.toThrow('append-only');
    await expect(api.database.sql('delete from billing_documents')).rejects.toThrow('append-only');
  });
});

describe('money that moves back', () => {
  it('gets a credit note that names the receipt, and a receipt when it returns', async () => {
    const ada = await api.user();
    await api.pay(ada, 2_000);
    await move(ada, 'refund', 1_500);
    await move(ada, 'refund_failed', 1_500);
    await move(ada, 'dispute', 2_000);
    const all = await list(ada);
    expect(all.map(({ kind, amount }) => [kind, amount]).sort()).toEqual([
      ['credit_note', 15],
      ['credit_note', 20],
      ['receipt', 15],
      ['receipt', 20],
    ]);
    const receipt = all.find(({ kind, amount }) => kind === 'receipt' && amount === 20);
    const refund = all.find(({ kind, amount }) => kind === 'credit_note' && amount === 15);
    const back = all.find(({ kind, amount }) => kind === 'receipt' && amount === 15);
    const [note, returned] = [await textOf(refund?.id ?? 0, ada), await textOf(back?.id ?? 0, ada)];
    expect(note).toContain('Top-up refunded to the card | 15.00');
    for (const text of [note, returned]) expect(text).toContain(`For receipt | ${receipt?.number}`);
    expect(returned).toContain('Refund not accepted by the card, back on the balance | 15.00');
  });
});

describe('changed tax rate', () => {
  const operator = (tax: ApiSettings['operator']['tax']) => ({ ...TEST_SETTINGS.operator, tax });
  const partsOf = async ({ id }: TestAccount) =>
    api.database.sql(
      `select kind, facts #>> '{tax,text}' as text, (facts #>> '{tax,net_micros}')::int / 10000 as net,
         (facts #>> '{tax,tax_micros}')::int / 10000 as tax
       from billing_documents where user_id = $1 order by id`,
      [id],
    );

  it('applies by day of payment to late receipts, and by receipt to credit notes', async () => {
    const [ada, bob] = [await api.user(), await api.user()];
    await api.pay(ada, 11_900);
    await list(ada);
    // The receipt is not issued yet when the rate changes.
    await api.pay(bob, 11_900);
    const later = await apiHarness({
      beside: api,
      settings: { operator: operator({ rate: 16_000, text: 'VAT 16 %' }) },
    });
    // Half an hour later, whatever the clocks of the two processes show.
    await api.database.sql(`update tax_rates set since = now() - interval '1 day' where rate = 19000`);
    await api.database.sql(`update tax_rates set since = since + interval '30 minutes' where rate = 16000`);
    try {
      await move(ada, 'refund', 5_950);
      await move(ada, 'refund', 5_950);
      const see = ({ auth }: TestAccount) => later.http.get('/api/billing/documents').set(auth);
      expect([(await see(ada)).status, (await see(bob)).status]).toEqual([200, 200]);
      const nineteen = { text: 'VAT 19 % included', net: 5_000, tax: 950 };
      expect(await partsOf(ada)).toEqual([
        { kind: 'receipt', text: 'VAT 19 % included', net: 10_000, tax: 1_900 },
        { kind: 'credit_note', ...nineteen },
        { kind: 'credit_note', ...nineteen },
      ]);
      expect(await partsOf(bob)).toEqual([{ kind: 'receipt', text: 'VAT 19 % included', net: 10_000, tax: 1_900 }]);
      const cyd = await api.user();
      later.pass(HOUR_MS);
      await later.pay(cyd, 11_600);
      await see(cyd);
      expect(await partsOf(cyd)).toEqual([{ kind: 'receipt', text: 'VAT 16 %', net: 10_000, tax: 1_600 }]);
    } finally {
      await later.close();
    }
  });
});

describe('statement', () => {
  const factsOf = async (account: TestAccount, month: string): Promise<Facts> => {
    const { body } = await statement(account, month);
    const [row] = await api.database.sql<{ facts: Facts }>('select facts from billing_documents where id = $1', [
      (body as { id: number }).id,
    ]);
    if (row === undefined) throw new Error(`no statement of ${month}`);
    return row.facts;
  };

  const monthOf = (at: number): string => iso(at).slice(0, 7);
  const previous = (month: string): string => monthOf(Date.parse(`${month}-01T00:00:00Z`) - 1);

  it('adds up to the ledger, and each month opens with the previous closing balance', async () => {
    const others = await neighbours(api);
    let ada = await api.user();
    const first = monthOf(await now());
    await api.pay(ada, 3_000);
    await move(ada, 'refund', 1_000);
    const deployment = await ordered(api, ada);
    await others.moveTo(deployment.id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
    await tx((tx, at) => api.deps.ledger.grantCredit(tx, { userId: ada.id, creditType: 'signup', at }));
    // Two months later, with the daily charges in between.
    for (let day = 0; day < 63; day++) {
      api.pass(DAY_MS);
      await tx((tx, at) => api.deps.ledger.settleAccount(tx, { userId: ada.id, at }));
      if (day === 20) await api.pay(await loggedIn(ada), 4_000);
    }
    ada = await loggedIn(ada);
    const months = [
      ...new Set(((await get('/billing/statements', ada)).body as { month: string }[]).map(({ month }) => month)),
    ];
    expect(months).toContain(first);
    const facts = [];
    for (const month of [...months].reverse()) {
      const { status, body } = await statement(ada, month);
      expect([status, body]).toMatchObject([200, { kind: 'statement', month, amount: null }]);
      const [row] = await api.database.sql<{ facts: Facts }>('select facts from billing_documents where id = $1', [
        (body as { id: number }).id,
      ]);
      if (row !== undefined) facts.push(row.facts);
    }
    expect(facts.length).toBeGreaterThan(1);
    expect(facts[0]?.opening).toEqual({ regular_micros: '0', credit_micros: '0', owed_micros: '0' });
    for (const [at, { opening, rows, closing }] of facts.entries()) {
      expect(rows.length).toBeGreaterThan(0);
      for (const bucket of ['regular_micros', 'credit_micros', 'owed_micros'] as const)
        expect(BigInt(closing[bucket])).toBe(
          rows.reduce((sum, row) => sum + BigInt(row[bucket]), BigInt(opening[bucket])),
        );
      if (at > 0) expect(opening).toEqual(facts[at - 1]?.closing);
    }
    // The postings since the last statement lead to the current balance.
    const last = facts.at(-1);
    const [since] = await api.database.sql<{ sum: string; regular: string }>(
      `select coalesce(sum(l.amount_micros) filter (where t.posted_at >= $2), 0)::text as sum,
         (select regular_micros from wallets where user_id = $1)::text as regular
       from ledger_transactions t join ledger_lines l on l.transaction_id = t.id and l.ledger_account = 'regular'
       where t.user_id = $1`,
      [ada.id, `${months[0] === undefined ? '' : nextMonth(months[0])}-01T00:00:00Z`],
    );
    expect(BigInt(last?.closing.regular_micros ?? 0) + BigInt(since?.sum ?? 0)).toBe(BigInt(since?.regular ?? -1));
    const documents = await list(ada);
    const textOfMonth = (of: string): Promise<string> =>
      textOf(documents.find(({ month }) => month === of)?.id ?? 0, ada);
    const text = await textOfMonth(first);
    expect(text).toMatch(/Top-up \| 30\.0+/);
    expect(text).toMatch(/Top-up refunded \| −10\.0+/);
    // The first charge is made at the end of the first day, which may be the first of the next month.
    expect(await textOfMonth(nextMonth(first))).toContain('Daily charge');
  });

  it('opens with the debt when the previous month ended with one', async () => {
    const opened = await api.user();
    const month = monthOf(await now());
    await api.pay(opened, 1_000);
    await tx((tx, at) =>
      api.deps.ledger.adjust(tx, { userId: opened.id, amount: Money.of(-7), actorUserId: admin.id, at }),
    );
    await move(opened, 'dispute', 1_000);
    api.pass(32 * DAY_MS);
    const ada = await monthLater(opened);
    const owed = { regular_micros: '0', credit_micros: '0', owed_micros: '-7000000' };
    expect((await factsOf(ada, month)).closing).toEqual(owed);
    expect(await factsOf(ada, nextMonth(month))).toMatchObject({ opening: owed, rows: [], closing: owed });
  });

  it('lists late postings on the day of posting, not on the day they are for', async () => {
    const opened = await api.user();
    const others = await neighbours(api);
    await api.pay(opened, 3_000);
    const deployment = await ordered(api, opened);
    await others.moveTo(deployment.id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
    const begun = monthOf(await now());
    // The account is not settled until noon on the first of the month after.
    api.pass(Date.parse(`${nextMonth(begun)}-01T12:00:00Z`) - (await now()));
    const { charged } = await tx((tx, at) => api.deps.ledger.settleAccount(tx, { userId: opened.id, at }));
    expect(charged).toBeGreaterThan(1);
    const ada = await monthLater(opened);
    const typesOf = (rows: Facts['rows']) => rows.map(({ day, type, count }) => [day, type, count]);
    expect(typesOf((await factsOf(ada, begun)).rows)).toEqual([[expect.stringContaining(begun), 'payment', 1]]);
    expect(typesOf((await factsOf(ada, nextMonth(begun))).rows)).toEqual([
      [`${nextMonth(begun)}-01`, 'charge', charged],
    ]);
  });

  it('is issued once', async () => {
    const opened = await api.user();
    const month = monthOf(await now());
    const ada = await monthLater(opened);
    const answers = await Promise.all(Array.from({ length: 5 }, () => statement(ada, month)));
    const ids = answers.map(({ body }) => (body as { id: number }).id);
    expect(new Set(ids).size).toBe(1);
    expect((await get('/billing/statements', ada)).body).toContainEqual({ month, document_id: ids[0] });
    expect(await textOf(ids[0] ?? 0, ada)).toContain('There were no transactions in this month.');
  });

  it('does not exist for an unfinished month, one before the account, or an invalid month', async () => {
    const ada = await api.user();
    const month = monthOf(await now());
    const end = Date.parse(`${nextMonth(month)}-01T00:00:00Z`);
    const current = await statement(ada, month);
    expect([current.status, current.body]).toMatchObject([
      409,
      {
        code: 'STATEMENT_NOT_READY',
        detail: `The statement for ${month} will be available from ${nextMonth(month)}-01 01:00 UTC.`,
      },
    ]);
    expect((await statement(ada, '2999-01')).status).toBe(409);
    expect((await statement(ada, previous(month))).body).toMatchObject({
      code: 'NOT_FOUND',
      message_code: 'billing_document.statement_before_account',
    });
    for (const malformed of ['2026-13', '2026-1', 'x', '2026-01-01'])
      expect((await statement(ada, malformed)).status).toBe(404);
    api.pass(end - (await now()) + HOUR_MS - 60_000);
    const then = await loggedIn(ada);
    expect((await statement(then, month)).status).toBe(409);
    api.pass(120_000);
    expect((await statement(then, month)).status).toBe(200);
  });

  it('is in the language of the account', async () => {
    const opened = await api.user();
    await api.http.put('/api/users/self/language').set(opened.auth).send({ language: 'de' });
    const month = monthOf(await now());
    const ada = await monthLater(opened);
    const { body } = await statement(ada, month);
    expect(await textOf((body as { id: number }).id, ada)).toContain('Kontoauszug S-');
  });
});

interface Sums {
  readonly regular_micros: string;
  readonly credit_micros: string;
  readonly owed_micros: string;
}
interface Facts {
  readonly opening: Sums;
  readonly rows: readonly (Sums & { readonly day: string; readonly type: string; readonly count: number })[];
  readonly closing: Sums;
}

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}

describe('content of a document', () => {
  it('is rendered once and stored for later requests', async () => {
    const ada = await api.user();
    await api.pay(ada, 500);
    const [receipt] = await list(ada);
    const id = receipt?.id ?? 0;
    const render = jest.spyOn(api.api.app.get(DocumentRenderer), 'render');
    const bodies = [(await pdf(id, ada)).body as Buffer, (await pdf(id, ada)).body as Buffer];
    expect(bodies[0]?.equals(bodies[1] ?? Buffer.of())).toBe(true);
    expect(render).toHaveBeenCalledTimes(1);
    render.mockRestore();
  });

  it('is limited to thirty requests per minute and account', async () => {
    const strict = await apiHarness({
      beside: api,
      settings: { limits: { ...api.settings.limits, documents: LIMITS.documents } as never },
    });
    try {
      const ada = await api.user();
      const request = () => strict.http.get('/api/billing/documents/999999/pdf').set(ada.auth);
      for (let tries = 0; tries < 30; tries++) expect((await request()).status).toBe(404);
      const refused = await request();
      expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    } finally {
      await strict.close();
    }
  });
});

describe('erased account', () => {
  it('loses its address, while issued documents remain for administrators', async () => {
    const [ada, admin] = [await api.user(), await api.admin()];
    await save(ada, ADA);
    await api.pay(ada, 500);
    await list(ada);
    // An account with money cannot be deactivated.
    await move(ada, 'refund', 500);
    expect((await api.http.post(`/api/users/${ada.id}/deactivate`).set(admin.auth)).status).toBe(200);
    expect((await api.http.delete(`/api/users/${ada.id}`).set(admin.auth)).status).toBe(200);
    expect(await api.database.sql('select 1 from billing_details where user_id = $1', [ada.id])).toEqual([]);
    const { body } = await get(`/billing/admin/users/${ada.id}/documents`, admin);
    const receipt = (body as BillingDocumentsAnswer).documents.find(({ kind }) => kind === 'receipt');
    expect(await textOf(receipt?.id ?? 0, admin)).toContain('Ada Lovelace Ltd');
  });
});
