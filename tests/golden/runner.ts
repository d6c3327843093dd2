import { expect } from '@jest/globals';
import {
  type Day,
  dayOf,
  DomainError,
  type Instant,
  instant,
  iso,
  type Money,
  type Bucket,
  type TransactionType,
} from '@moorage/domain';
import type { End, Given, Row, Scenario, Step } from './scenarios';

/** Runs scenarios on the pure rules, the ledger on PostgreSQL, or the billing service. */
export interface Runner {
  given(given: Given): Promise<void>;
  /**
   * Performs a step at the time `at`.
   *
   * @throws DomainError when the step is refused.
   */
  take(step: Step, at: Instant): Promise<Outcome>;
  recorded(): Promise<readonly Recorded[]>;
  /** Returns intervals that ended because the balance ran out. */
  depletions(): Promise<readonly { id: number; at: Instant }[]>;
  /** Returns the account at a given time. */
  account(at: Instant): Promise<{
    regular: Money;
    owed: Money;
    total: Money;
    available: Money;
    credits: ReadonlyMap<number, Money>;
    /** Sum of all amounts ever shown in rows. */
    rowsTotal: Money;
  }>;
}

export interface Outcome {
  readonly runway?: { endsAt: Instant | null; stopsFirst: number | null };
  readonly warned?: number | null;
  readonly billableTo?: Instant | null;
}

export interface Recorded {
  readonly type: TransactionType;
  readonly at: Instant;
  readonly id: number | null;
  readonly on: Day | null;
  readonly description: string;
  readonly lines: readonly { readonly bucket: Bucket; readonly credit: number | null; readonly micros: bigint }[];
}

/** Parses `12-01 13:17:05` as a time in 2026, UTC. */
export function when(text: string): Instant {
  const [day = '', time = ''] = text.split(' ');
  return instant(`2026-${day}T${time.length === 5 ? `${time}:00` : time}Z`);
}

const TYPE_OF: Partial<Record<Row['kind'], TransactionType>> = { expiry: 'credit_expired' };

/** Runs one variant of a scenario and compares rows, endings, refusals and balances to the micro-unit. */
export async function playScenario(runner: Runner, scenario: Scenario, steps: readonly Step[]): Promise<void> {
  await runner.given(scenario.given);
  for (const step of steps) await playStep(runner, step);
  await compareRows(runner, scenario.rows);
  await compareEnd(runner, scenario.end);
  for (const step of scenario.afterwards ?? []) await playStep(runner, step);
}

async function playStep(runner: Runner, step: Step): Promise<void> {
  const at = when(step.at);
  const refused = 'refused' in step ? step.refused : undefined;
  const outcome = await runner.take(step, at).then(
    (result) => result,
    (error: unknown) => error,
  );
  if (refused !== undefined) {
    expect(outcome).toBeInstanceOf(DomainError);
    const { code, fields } = outcome as DomainError;
    if (typeof refused === 'string') expect(code).toBe(refused);
    else {
      const { code: wanted, ...money } = refused;
      expect(code).toBe(wanted);
      for (const [name, micros] of Object.entries(money)) expect([name, fields[name]]).toEqual([name, micros / 1e6]);
    }
    return;
  }
  if (outcome instanceof Error) throw outcome;
  const { runway, warned, billableTo } = outcome as Outcome;
  if (step.do === 'runway') expect(runway).toEqual({ endsAt: when(step.endsAt), stopsFirst: step.stopsFirst });
  if (step.do === 'interval') expect(billableTo).toBe(step.endsAt === null ? null : when(step.endsAt));
  if (step.do === 'warning') expect(warned).toBe(step.sent);
  if (step.do === 'look') {
    const { total, available } = await runner.account(at);
    expect({ total: total.micros, available: available.micros }).toEqual({
      total: BigInt(step.total),
      available: BigInt(step.available),
    });
  }
}

async function compareRows(runner: Runner, rows: readonly Row[]): Promise<void> {
  const expected = rows
    .filter(({ kind }) => kind !== 'depleted')
    .map(({ at, kind, id, on, lines = '' }) => ({
      at: iso(when(at)),
      type: TYPE_OF[kind] ?? kind,
      id: ['charge', 'rerate', 'refund'].includes(kind) ? (id ?? 1) : null,
      on: ['charge', 'rerate', 'refund'].includes(kind) ? (on ?? dayOf(when(at))) : null,
      lines,
    }));
  const recorded = await runner.recorded();
  expect(
    recorded.map(({ at, type, id, on, lines }) => ({
      at: iso(at),
      type,
      id,
      on,
      lines: lines.map(lineText).join(', '),
    })),
  ).toEqual(expected);
  rows
    .filter(({ kind }) => kind !== 'depleted')
    .forEach(({ says }, index) => {
      if (says !== undefined) expect(recorded[index]?.description).toMatch(says);
    });
  expect((await runner.depletions()).map(({ id, at }) => ({ id, at: iso(at) }))).toEqual(
    rows.filter(({ kind }) => kind === 'depleted').map(({ at, id }) => ({ id: id ?? 1, at: iso(when(at)) })),
  );
}

function lineText({ bucket, credit, micros }: Recorded['lines'][number]): string {
  const absolute = (micros < 0n ? -micros : micros).toString().replace(/\B(?=(\d{3})+$)/g, ',');
  return `${bucket}${credit === null ? '' : `#${credit}`} ${micros < 0n ? '-' : '+'}${absolute}`;
}

async function compareEnd(runner: Runner, end: End): Promise<void> {
  const account = await runner.account(when(end.at));
  expect({
    regular: account.regular.micros,
    owed: account.owed.micros,
    credits: Object.fromEntries([...account.credits].map(([n, remaining]) => [n, remaining.micros])),
  }).toEqual({
    regular: BigInt(end.regular),
    owed: BigInt(end.owed ?? 0),
    credits: Object.fromEntries(Object.entries(end.credits ?? {}).map(([n, micros]) => [n, BigInt(micros)])),
  });
  // Once due expiries are posted, all rows add up to the total balance.
  expect(account.rowsTotal.micros).toBe(account.total.micros);
}
