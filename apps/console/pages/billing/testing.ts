import type { AutomaticTopUpAnswer, RunwayAnswer, Transactions } from '@moorage/contracts';

type Transaction = Transactions['transactions'][number]['transactions'][number];
type Facts = Transaction['facts'];

/** Facts of a transaction, empty by default. */
export const factsOf = (over: Partial<Facts> = {}): Facts => ({
  client_name: null,
  hours: null,
  credit: null,
  lapsed: 0,
  reopened: false,
  restored: false,
  level: null,
  note: null,
  ...over,
});

const DAY_MS = 86_400_000;

/** Wallet of the mockups: 39.95 on Sat 21 Nov at 14:18, 4.15 per day, two of four deployments stop on 1 December. */
export const NOW = '2026-11-21T14:18:48.000Z';

export function runwayOf(over: Partial<RunwayAnswer> = {}, lastsDays = 10): RunwayAnswer {
  const today = Date.parse(`${NOW.slice(0, 10)}T00:00:00Z`);
  const days = Array.from({ length: 14 }, (_, index) => {
    const lasts = index < lastsDays;
    const regular = lasts ? Math.max(0, Math.round((34 - index * 3.4) * 100) / 100) : 0;
    const referral = index === 0 ? 0.96 : 0;
    const signup = index === 0 ? 4.99 : index === 1 ? 1.5 : 0;
    return {
      date: new Date(today + index * DAY_MS).toISOString().slice(0, 10),
      regular,
      referral,
      signup,
      total: Math.round((regular + referral + signup) * 100) / 100,
      charged: lasts ? 4.15 : 0,
      lasts,
    };
  });
  const stops = [
    { deployment_id: 3, client_name: 'coolify-402118' },
    { deployment_id: 4, client_name: 'pangolin-338851' },
  ];
  return {
    ends_at: new Date(today + lastsDays * DAY_MS).toISOString(),
    stops_first: stops[0] ?? null,
    stops,
    level: lastsDays > 7 ? 'calm' : lastsDays > 3 ? 'week' : 'days',
    daily_cost: 4.15,
    running: 4,
    starting: 0,
    days,
    grace_periods: [],
    saving: null,
    longer: null,
    keep_until: null,
    locked_credits: 0,
    locked_now: 0,
    unlock_needs: 0,
    unlock_balance: 5,
    order_today: null,
    now: NOW,
    ...over,
  } as RunwayAnswer;
}

/** Forecast without running deployments, days or an end date. */
export const NOTHING_RUNS = runwayOf({
  ends_at: null,
  stops_first: null,
  stops: [],
  level: 'none',
  daily_cost: 0,
  running: 0,
  days: [],
});

/** Automatic top-up that is off, with a card that could be charged. */
export const topUpOf = (over: Partial<AutomaticTopUpAnswer> = {}): AutomaticTopUpAnswer => ({
  card: { brand: 'visa', last4: '4242', exp_month: 3, exp_year: 2029 },
  enabled: false,
  threshold: { kind: 'days', days: 3 },
  amount_cents: 1_000,
  month_cap_cents: 10_000,
  month_used_cents: 0,
  off_reason: null,
  last: null,
  ...over,
});

/** A charge of a deployment. */
export const transactionOf = (over: Partial<Transaction>): Transaction => ({
  id: 1,
  type: 'charge',
  description: '',
  facts: factsOf(),
  amount: -0.8544,
  created_at: '2026-11-21T00:00:00.000Z',
  deployment_id: 3,
  ...over,
});
