import { describe, expect, it } from '@jest/globals';
import {
  type AccountCopies,
  addDays,
  type CreditTerms,
  DAY_MS,
  type DeploymentFacts as Facts,
  entryAmount,
  faultsOfCopies,
  HOUR_MS,
  type Line,
  Money,
  type PostedTransaction,
  replay,
} from '@moorage/domain';
import { GRACE_PERIOD_SCENARIOS } from './grace-period-scenarios';
import { PureBooks, type WrittenBooks } from './pure-books';
import { REOPENING_SCENARIOS } from './reopening-scenarios';
import { RESIZING_SCENARIOS } from './resizing-scenarios';
import { type Scenario, SCENARIOS } from './scenarios';
import { playScenario, when } from './runner';

async function booksOf(scenario: Scenario, index: number, gracePeriodMinutes = 0): Promise<WrittenBooks> {
  const runner = new PureBooks({ gracePeriodMinutes });
  await playScenario(runner, scenario, scenario.plays[index] ?? []);
  return runner.written();
}

function faultsOf({ start, facts, postings, copies }: WrittenBooks, at: number | null): string[] {
  const { faults, state } = replay(start, facts, postings);
  return faults.length === 0 ? faultsOfCopies(state, facts, copies, { at, exempt: false }) : [...faults];
}

const PLAYS = [
  ...[...SCENARIOS, ...REOPENING_SCENARIOS, ...RESIZING_SCENARIOS].map((scenario) => ({
    scenario,
    gracePeriodMinutes: 0,
  })),
  ...GRACE_PERIOD_SCENARIOS.map((scenario) => ({ scenario, gracePeriodMinutes: scenario.gracePeriodMinutes })),
].flatMap(({ scenario, gracePeriodMinutes }) =>
  scenario.plays.map((_, index) => ({ name: `${scenario.id} (${index + 1})`, scenario, index, gracePeriodMinutes })),
);

describe('ledger of golden scenarios', () => {
  it.each(PLAYS)('follows from the facts: $name', async ({ scenario, index, gracePeriodMinutes }) => {
    const books = await booksOf(scenario, index, gracePeriodMinutes);
    expect(faultsOf(books, when(scenario.end.at))).toEqual([]);
  });
});

/**
 * Incorrect rows, each derived from a correct row, or undefined if it does not apply. The description is covered by the
 * hash and not by the rules.
 */
const WRONG_ROWS: Readonly<Record<string, (row: PostedTransaction) => PostedTransaction | undefined>> = {
  'moves a micro-unit more from one account': (row) =>
    withLine(row, (line) => ({ ...line, amount: line.amount.plus(MICRO) })),
  'moves a micro-unit more, in balance': (row) => {
    const [first, ...others] = row.lines;
    const last = others.pop();
    if (first === undefined || last === undefined) return undefined;
    const lines = [
      { ...first, amount: first.amount.plus(MICRO) },
      ...others,
      { ...last, amount: last.amount.minus(MICRO) },
    ];
    return { ...row, lines, amount: entryAmount({ lines }) };
  },
  'shows another amount': (row) => ({ ...row, amount: row.amount.plus(MICRO) }),
  'moves nothing': (row) => ({ ...row, lines: [], amount: Money.ZERO }),
  'is of another deployment': (row) =>
    row.deploymentId === null ? undefined : { ...row, deploymentId: row.deploymentId + 1_000 },
  'is of no deployment': (row) => (row.deploymentId === null ? undefined : { ...row, deploymentId: null }),
  'is of the day after': (row) =>
    row.chargedOn === null ? undefined : { ...row, chargedOn: addDays(row.chargedOn, 1) },
  'is of the day before': (row) =>
    row.chargedOn === null ? undefined : { ...row, chargedOn: addDays(row.chargedOn, -1) },
  'names another credit': (row) => (row.creditId === null ? undefined : { ...row, creditId: row.creditId + 1_000 }),
  'uses another credit': (row) =>
    row.lines.some(({ creditId }) => creditId !== null)
      ? {
          ...row,
          lines: row.lines.map((line) =>
            line.creditId === null ? line : { ...line, creditId: line.creditId + 1_000 },
          ),
        }
      : undefined,
  'uses a credit for the balance': (row) =>
    row.lines.some(({ bucket }) => bucket === 'regular')
      ? { ...row, lines: row.lines.map((line) => (line.bucket === 'regular' ? { ...line, bucket: 'credit' } : line)) }
      : undefined,
  'was posted before it was due': (row) => ({ ...row, postedAt: row.dueAt - 1 }),
  'has no cause': (row) => (row.cause === null ? undefined : { ...row, cause: null }),
  'has another cause': (row) => (row.type === 'payment' ? { ...row, cause: 'of-nothing' } : undefined),
  'has no actor': (row) => (row.actorUserId === null ? undefined : { ...row, actorUserId: null }),
  'was due an hour before': (row) =>
    ['charge', 'refund', 'rerate', 'credit_expired'].includes(row.type)
      ? { ...row, dueAt: row.dueAt - HOUR_MS }
      : undefined,
};

const MICRO = Money.micros(1n);

function withLine(row: PostedTransaction, change: (line: Line) => Line): PostedTransaction | undefined {
  const [first, ...others] = row.lines;
  return first === undefined ? undefined : { ...row, lines: [change(first), ...others] };
}

describe('altered row of a golden ledger', () => {
  it.each(Object.entries(WRONG_ROWS))('is detected when it %s', async (_, wrong) => {
    const missed: string[] = [];
    let tried = 0;
    for (const { name, scenario, index, gracePeriodMinutes } of PLAYS) {
      const books = await booksOf(scenario, index, gracePeriodMinutes);
      for (const [no, posting] of books.postings.entries())
        for (const [at, row] of posting.entries()) {
          const put = wrong(row);
          if (put === undefined) continue;
          tried += 1;
          const postings = books.postings.with(no, posting.with(at, put));
          if (faultsOf({ ...books, postings }, when(scenario.end.at)).length === 0)
            missed.push(`${name} ${row.id} ${row.type}`);
        }
    }
    expect(tried).toBeGreaterThan(0);
    expect(missed).toEqual([]);
  });

  it.each([
    ['is missing', (): PostedTransaction[] => []],
    ['is duplicated', (row: PostedTransaction) => [row, row]],
  ] as const)('is detected in every position when it %s', async (_, wrong) => {
    const missed: string[] = [];
    for (const { name, scenario, index, gracePeriodMinutes } of PLAYS) {
      const books = await booksOf(scenario, index, gracePeriodMinutes);
      for (const [no, posting] of books.postings.entries())
        for (const [at, row] of posting.entries()) {
          const put = [...posting.slice(0, at), ...wrong(row), ...posting.slice(at + 1)];
          const postings = books.postings.with(no, put);
          if (faultsOf({ ...books, postings }, when(scenario.end.at)).length === 0)
            missed.push(`${name} ${row.id} ${row.type}`);
        }
    }
    expect(missed).toEqual([]);
  });
});

describe('ledger of two deployments charged on two days', () => {
  const charges = async () => {
    const scenario = SCENARIOS.find(({ id }) => id === 'G20');
    if (scenario === undefined) throw new Error('no such scenario');
    const { start, facts, postings } = await booksOf(scenario, 1);
    const elsewhere = (line: Line): Line => (line.bucket === 'revenue' ? { ...line, bucket: 'lapsed' } : line);
    const ids = postings.flat().map(({ id }) => id);
    /**
     * Replays the postings. `wrong` holds the positions of incorrect charges. Returns the positions that are reported.
     */
    return (wrong: readonly number[]) =>
      replay(
        start,
        facts,
        postings.map((posting) =>
          posting.map((row) =>
            wrong.includes(ids.indexOf(row.id)) ? { ...row, lines: row.lines.map(elsewhere) } : row,
          ),
        ),
      ).faults.map((fault) => ids.indexOf(Number(/^transaction (\d+)/.exec(fault)?.[1])));
  };

  it('reports each wrongly charged deployment, and no other', async () => {
    const faultsWith = await charges();
    for (const wrong of [[0], [1], [0, 1], [0, 2]]) expect(faultsWith(wrong)).toEqual(wrong);
  });

  it('reports a deployment charged wrongly twice only once, as the second may follow from the first', async () => {
    expect((await charges())([1, 2])).toEqual([1]);
  });
});

/** Incorrect facts and copies. Omitted parts are correct. */
interface Wrong {
  readonly credits?: (terms: CreditTerms) => CreditTerms;
  readonly rates?: (rate: Facts['rates'][number]) => Facts['rates'][number];
  readonly intervals?: (interval: Facts['intervals'][number]) => Facts['intervals'][number];
  readonly payments?: (amount: Money) => Money;
  readonly copies?: (copies: AccountCopies) => AccountCopies | undefined;
}

const firstOf =
  <K extends 'credits' | 'deployments'>(list: K, change: (one: AccountCopies[K][number]) => AccountCopies[K][number]) =>
  (copies: AccountCopies): AccountCopies | undefined => {
    const [first, ...others] = copies[list];
    return first === undefined ? undefined : { ...copies, [list]: [change(first), ...others] };
  };

/** Incorrect facts with a pattern of the reported fault, in which `#` stands for numbers. */
const WRONG_FACTS: readonly (readonly [name: string, wrong: Wrong, says: RegExp])[] = [
  [
    'a higher price',
    { rates: (rate) => ({ ...rate, hourly: rate.hourly.plus(MICRO) }) },
    /does not follow from the rules|was not covered|owes/,
  ],
  [
    'a later beginning',
    { intervals: (i) => ({ ...i, from: i.from + DAY_MS }) },
    /not belong to a billable interval|not for the next day|start of|has ended|lost|cover|rejected/,
  ],
  [
    'a credit of another amount',
    { credits: (terms) => ({ ...terms, amount: terms.amount.plus(MICRO) }) },
    /does not follow from the rules|the amount of credit/,
  ],
  [
    'a credit with another end',
    { credits: (terms) => ({ ...terms, expiresAt: terms.expiresAt + 1 }) },
    /the end of credit|is not at the end of its credit/,
  ],
  ['another payment', { payments: (amount) => amount.plus(MICRO) }, /does not follow from the rules/],
  ['another regular balance', { copies: (c) => ({ ...c, regular: c.regular.plus(MICRO) }) }, /^the regular balance is/],
  ['another debt', { copies: (c) => ({ ...c, owed: c.owed.minus(MICRO) }) }, /^the debt is/],
  [
    'another mark of the first payment',
    { copies: (c) => ({ ...c, firstPaidAt: (c.firstPaidAt ?? 0) + 1 }) },
    /^the time of the first payment is/,
  ],
  [
    'another amount of a credit',
    { copies: firstOf('credits', (c) => ({ ...c, amount: c.amount.plus(MICRO) })) },
    /^the amount of credit/,
  ],
  [
    'another remainder',
    { copies: firstOf('credits', (c) => ({ ...c, remaining: c.remaining.plus(MICRO) })) },
    /^the remainder of credit/,
  ],
  [
    'another lapsed amount',
    { copies: firstOf('credits', (c) => ({ ...c, lapsed: c.lapsed.plus(MICRO) })) },
    /^the lapsed amount of credit/,
  ],
  [
    'another end of a credit',
    { copies: firstOf('credits', (c) => ({ ...c, expiresAt: c.expiresAt + 1 })) },
    /^the end of credit/,
  ],
  [
    'another type of a credit',
    { copies: firstOf('credits', (c) => ({ ...c, creditType: 'referred' })) },
    /^the type of credit/,
  ],
  [
    'a credit that was never granted',
    { copies: firstOf('credits', (c) => ({ ...c, id: c.id + 1_000 })) },
    /was never granted$/,
  ],
  [
    'no credit',
    { copies: (c) => (c.credits.length === 0 ? undefined : { ...c, credits: c.credits.slice(1) }) },
    /^credit \d+ is missing$/,
  ],
  [
    'no meter',
    { copies: (c) => (c.deployments.length === 0 ? undefined : { ...c, deployments: c.deployments.slice(1) }) },
    /has no meter$/,
  ],
  [
    'another last day',
    { copies: firstOf('deployments', (d) => ({ ...d, chargedThrough: '2027-01-01' })) },
    /^the last day of deployment/,
  ],
  [
    'another beginning',
    { copies: firstOf('deployments', (d) => ({ ...d, billableFrom: d.billableFrom + 1 })) },
    /^the start of deployment/,
  ],
  [
    'another end',
    { copies: firstOf('deployments', (d) => ({ ...d, billableTo: (d.billableTo ?? 0) + 1 })) },
    /^the end of deployment/,
  ],
];

describe('golden ledger with wrong facts', () => {
  it.each(WRONG_FACTS)('is reported: %s', async (_, wrong, says) => {
    const missed: string[] = [];
    let tried = 0;
    for (const { name, scenario, index, gracePeriodMinutes } of PLAYS) {
      const books = await booksOf(scenario, index, gracePeriodMinutes);
      const { credits, deployments, payments } = books.facts;
      const same = <T>(value: T): T => value;
      const facts = {
        credits: new Map([...credits].map(([id, terms]) => [id, terms.map(wrong.credits ?? same)] as const)),
        deployments: new Map(
          [...deployments].map(
            ([id, { rates, intervals }]) =>
              [
                id,
                { rates: rates.map(wrong.rates ?? same), intervals: intervals.map(wrong.intervals ?? same) },
              ] as const,
          ),
        ),
        payments: new Map([...payments].map(([cause, amount]) => [cause, (wrong.payments ?? same)(amount)] as const)),
      };
      const copies = (wrong.copies ?? same)(books.copies);
      const touches =
        wrong.copies !== undefined ||
        (wrong.credits !== undefined && credits.size > 0) ||
        (wrong.payments !== undefined && payments.size > 0) ||
        (wrong.intervals !== undefined && deployments.size > 0) ||
        (wrong.rates !== undefined && books.postings.flat().some(({ type }) => type === 'charge'));
      if (copies === undefined || !touches) continue;
      tried += 1;
      const faults = faultsOf({ ...books, facts, copies }, when(scenario.end.at));
      if (!faults.some((fault) => says.test(fault))) missed.push(`${name}: ${faults.join('; ')}`);
    }
    expect(tried).toBeGreaterThan(0);
    expect(missed).toEqual([]);
  });
});
