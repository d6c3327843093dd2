import type { Scenario } from './scenarios';

/**
 * Scenarios of depletion with a grace period. A charge that is not covered waits `gracePeriodMinutes` minutes for money, from
 * the time it was found.
 */
export interface GracePeriodScenario extends Scenario {
  readonly gracePeriodMinutes: number;
}

export const GRACE_PERIOD_SCENARIOS: readonly GracePeriodScenario[] = [
  {
    id: 'G25 with 60 minutes',
    gracePeriodMinutes: 60,
    title: 'a top-up two minutes later keeps the deployment',
    given: { regular: 1_000_000 },
    plays: [
      [
        { at: '11-30 23:50', do: 'billable', id: 1, price: 'V2', inFlight: true },
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-01 00:02', do: 'pay', amount: 10_000_000 },
        { at: '12-01 00:02', do: 'look', total: 9_162_500, available: 9_162_500 },
        { at: '12-01 00:03', do: 'run' },
        { at: '12-02 00:00:05', do: 'run' },
      ],
    ],
    rows: [
      { at: '11-30 23:50', kind: 'charge', lines: 'regular -73,500, revenue +73,500' },
      { at: '12-01 00:02', kind: 'payment', lines: 'payments -10,000,000, regular +10,000,000' },
      { at: '12-01 00:00', kind: 'charge', lines: 'regular -1,764,000, revenue +1,764,000' },
      { at: '12-02 00:00', kind: 'charge', lines: 'regular -1,764,000, revenue +1,764,000' },
    ],
    end: { at: '12-02 06:00', regular: 7_398_500 },
  },
  {
    id: 'HOLD-END',
    gracePeriodMinutes: 60,
    title: 'without a payment: removed after an hour, nothing owed from the due time',
    given: { regular: 1_000_000, running: [{ id: 1, price: 'V2' }] },
    plays: [
      [
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-01 01:00:04.999', do: 'run' },
        { at: '12-01 01:00:04.999', do: 'interval', id: 1, endsAt: null },
        { at: '12-01 01:00:04.999', do: 'runway', endsAt: '12-01 00:00', stopsFirst: 1 },
        { at: '12-01 01:00:05', do: 'run' },
        { at: '12-01 01:00:05', do: 'interval', id: 1, endsAt: '12-01 00:00' },
        // Too late, because an end is final.
        { at: '12-01 01:00:06', do: 'pay', amount: 10_000_000 },
        { at: '12-02 00:00:05', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-01 00:00', kind: 'depleted' },
      { at: '12-01 01:00:06', kind: 'payment', lines: 'payments -10,000,000, regular +10,000,000' },
    ],
    end: { at: '12-02 06:00', regular: 11_000_000 },
  },
  {
    id: 'HOLD-DELETE',
    gracePeriodMinutes: 60,
    title: 'a delete in the grace period acts like its end',
    given: { regular: 1_000_000, running: [{ id: 1, price: 'V2' }] },
    plays: [
      [
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-01 00:40', do: 'delete', id: 1 },
        { at: '12-01 00:40', do: 'interval', id: 1, endsAt: '12-01 00:00' },
        { at: '12-01 01:00:05', do: 'run' },
      ],
      // The delete itself finds that the charge is not covered.
      [
        { at: '12-01 00:40', do: 'delete', id: 1 },
        { at: '12-01 00:40', do: 'interval', id: 1, endsAt: '12-01 00:00' },
        { at: '12-02 01:00:05', do: 'run' },
      ],
    ],
    rows: [],
    end: { at: '12-02 06:00', regular: 1_000_000 },
  },
  {
    id: 'HOLD-LEVEL',
    gracePeriodMinutes: 60,
    title: 'a lowered level reduces the pending charge to the new cost of the day',
    given: { regular: 2_000_000, running: [{ id: 1, price: 'H3' }] },
    plays: [
      [
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-01 00:30', do: 'level', id: 1, to: 1 },
        { at: '12-01 01:00:05', do: 'run' },
      ],
    ],
    // 309,600 for the hour begun, 23 x 35,600 for the rest.
    rows: [{ at: '12-01 00:00', kind: 'charge', lines: 'regular -1,128,400, revenue +1,128,400' }],
    end: { at: '12-01 06:00', regular: 871_600 },
  },
  {
    id: 'HOLD-CREDIT-ENDED',
    gracePeriodMinutes: 60,
    title: 'a credit that expired in the grace period does not pay, although it was valid at the due time',
    given: {
      regular: 1_000_000,
      credits: [{ n: 1, type: 'signup', amount: 500_000, until: '12-01 00:20' }],
      running: [{ id: 1, price: 'V2' }],
    },
    plays: [
      [
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-01 00:30', do: 'pay', amount: 400_000 },
        { at: '12-01 01:00:05', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-01 00:30', kind: 'payment', lines: 'payments -400,000, regular +400,000' },
      { at: '12-01 00:20', kind: 'expiry', lines: 'credit#1 -500,000, lapsed +500,000' },
      { at: '12-01 00:00', kind: 'depleted' },
    ],
    end: { at: '12-01 06:00', regular: 1_400_000, credits: { 1: 0 } },
  },
  {
    id: 'HOLD-CREDIT-PAYS',
    gracePeriodMinutes: 60,
    title: 'the same top-up before the credit expires is enough',
    given: {
      regular: 1_000_000,
      credits: [{ n: 1, type: 'signup', amount: 500_000, until: '12-01 00:20' }],
      running: [{ id: 1, price: 'V2' }],
    },
    plays: [
      [
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-01 00:19', do: 'pay', amount: 400_000 },
        { at: '12-01 01:00:05', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-01 00:19', kind: 'payment', lines: 'payments -400,000, regular +400,000' },
      { at: '12-01 00:00', kind: 'charge', lines: 'credit#1 -500,000, regular -1,264,000, revenue +1,764,000' },
    ],
    end: { at: '12-01 06:00', regular: 136_000, credits: { 1: 0 } },
  },
  {
    id: 'HOLD-GRANT',
    gracePeriodMinutes: 60,
    title: 'a credit granted in the grace period pays',
    given: { regular: 1_000_000, running: [{ id: 1, price: 'V2' }] },
    plays: [
      [
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-01 00:30', do: 'grant', credit: { n: 1, type: 'signup', amount: 4_990_000, until: '12-31 00:30' } },
        { at: '12-01 01:00:05', do: 'run' },
      ],
    ],
    rows: [{ at: '12-01 00:00', kind: 'charge', lines: 'credit#1 -1,764,000, revenue +1,764,000' }],
    end: { at: '12-01 06:00', regular: 1_000_000, credits: { 1: 3_226_000 } },
  },
  {
    id: 'HOLD-DEAR',
    gracePeriodMinutes: 60,
    title:
      'an expensive deployment is in its grace period while a cheaper, younger one is paid, then a top-up pays the expensive one',
    given: {
      regular: 2_000_000,
      running: [
        { id: 11, price: 'H2' },
        { id: 12, price: 'V1' },
      ],
    },
    plays: [
      [
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-01 00:45', do: 'pay', amount: 1_000_000 },
        { at: '12-01 01:00:05', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-01 00:00', kind: 'charge', id: 12, lines: 'regular -120,000, revenue +120,000' },
      { at: '12-01 00:45', kind: 'payment', lines: 'payments -1,000,000, regular +1,000,000' },
      { at: '12-01 00:00', kind: 'charge', id: 11, lines: 'regular -2,498,400, revenue +2,498,400' },
    ],
    end: { at: '12-01 06:00', regular: 381_600 },
  },
  {
    id: 'HOLD-REFUND',
    gracePeriodMinutes: 60,
    title: 'a refund from another deployment covers the pending charge',
    given: {
      regular: 900_000,
      running: [
        { id: 21, price: 'H1' },
        { id: 22, price: 'V1' },
      ],
    },
    plays: [
      [
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-01 00:30', do: 'delete', id: 21 },
        { at: '12-01 01:00:05', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-01 00:00', kind: 'charge', id: 21, lines: 'regular -854,400, revenue +854,400' },
      { at: '12-01 00:30', kind: 'refund', id: 21, lines: 'revenue -818,800, regular +818,800' },
      { at: '12-01 00:00', kind: 'charge', id: 22, lines: 'regular -120,000, revenue +120,000' },
    ],
    end: { at: '12-01 06:00', regular: 744_400 },
  },
  {
    id: 'HOLD-LONG',
    gracePeriodMinutes: 1_439,
    title: 'later days wait for the pending charge and are paid after it',
    given: { regular: 1_000_000, running: [{ id: 1, price: 'V2' }] },
    plays: [
      [
        { at: '12-01 00:05', do: 'run' },
        { at: '12-02 00:01', do: 'run' },
        { at: '12-02 00:02', do: 'pay', amount: 5_000_000 },
        { at: '12-02 00:05', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-02 00:02', kind: 'payment', lines: 'payments -5,000,000, regular +5,000,000' },
      { at: '12-01 00:00', kind: 'charge', lines: 'regular -1,764,000, revenue +1,764,000' },
      { at: '12-02 00:00', kind: 'charge', lines: 'regular -1,764,000, revenue +1,764,000' },
    ],
    end: { at: '12-02 06:00', regular: 2_472_000 },
  },
  {
    id: 'HOLD-MISSED',
    gracePeriodMinutes: 60,
    title: 'missed days: the hour starts when the catch-up finds the balance too low',
    given: {
      regular: 2_000_000,
      credits: [{ n: 1, type: 'signup', amount: 2_500_000, until: '12-02 15:00' }],
      running: [{ id: 1, price: 'V2' }],
    },
    plays: [
      [
        { at: '12-04 09:00', do: 'run' },
        { at: '12-04 09:59', do: 'pay', amount: 5_000_000 },
        { at: '12-04 10:01', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-01 00:00', kind: 'charge', lines: 'credit#1 -1,764,000, revenue +1,764,000' },
      { at: '12-02 00:00', kind: 'charge', lines: 'credit#1 -736,000, regular -1,028,000, revenue +1,764,000' },
      { at: '12-04 09:59', kind: 'payment', lines: 'payments -5,000,000, regular +5,000,000' },
      { at: '12-03 00:00', kind: 'charge', lines: 'regular -1,764,000, revenue +1,764,000' },
      { at: '12-04 00:00', kind: 'charge', lines: 'regular -1,764,000, revenue +1,764,000' },
    ],
    end: { at: '12-04 11:00', regular: 2_444_000, credits: { 1: 0 } },
  },
  {
    id: 'HOLD-FIRST-DAY',
    gracePeriodMinutes: 60,
    title: 'the first charge is not covered: the deployment ends an hour later at its start time',
    given: { regular: 100_000 },
    plays: [
      [
        { at: '12-01 10:20', do: 'billable', id: 1, price: 'V2' },
        { at: '12-01 11:19', do: 'run' },
        { at: '12-01 11:19', do: 'interval', id: 1, endsAt: null },
        { at: '12-01 11:20', do: 'run' },
        { at: '12-01 11:20', do: 'interval', id: 1, endsAt: '12-01 10:20' },
      ],
    ],
    rows: [{ at: '12-01 10:20', kind: 'depleted' }],
    end: { at: '12-02 00:00', regular: 100_000 },
  },
  {
    id: 'SERVER-LOST',
    gracePeriodMinutes: 60,
    title: 'a lost server: charged until the end, the remaining hours refunded, even when billing is notified late',
    given: { regular: 5_000_000, running: [{ id: 1, price: 'V2' }] },
    plays: [
      [
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-01 10:20', do: 'lost', id: 1 },
        { at: '12-01 10:21', do: 'run' },
      ],
      [
        { at: '12-01 10:20', do: 'lost', id: 1 },
        { at: '12-03 09:00', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-01 00:00', kind: 'charge', lines: 'regular -1,764,000, revenue +1,764,000' },
      { at: '12-01 10:20', kind: 'refund', lines: 'revenue -955,500, regular +955,500' },
    ],
    end: { at: '12-03 10:00', regular: 4_191_500 },
  },
  {
    id: 'SERVER-LOST-UNPAID',
    gracePeriodMinutes: 60,
    title: 'a lost server whose last day was never paid: nothing is owed for it',
    given: { regular: 1_000_000, running: [{ id: 1, price: 'V2' }] },
    plays: [
      [
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-01 00:20', do: 'lost', id: 1 },
        { at: '12-01 00:21', do: 'run' },
        { at: '12-01 00:21', do: 'interval', id: 1, endsAt: '12-01 00:00' },
        { at: '12-01 02:00', do: 'run' },
      ],
      [
        { at: '12-01 00:20', do: 'lost', id: 1 },
        { at: '12-02 09:00', do: 'run' },
        { at: '12-02 09:00', do: 'interval', id: 1, endsAt: '12-01 00:00' },
      ],
    ],
    rows: [],
    end: { at: '12-03 10:00', regular: 1_000_000 },
  },
  {
    id: 'HOLD-RESIZE',
    gracePeriodMinutes: 60,
    title: 'a larger size is refused, and a smaller one makes the waiting charge affordable',
    given: { regular: 500_000, running: [{ id: 1, price: 'H1' }] },
    plays: [
      [
        { at: '12-01 00:00:05', do: 'run' },
        // 24 h x 61,200
        {
          at: '12-01 00:20',
          do: 'resize',
          id: 1,
          to: 61_200,
          refused: { code: 'BALANCE_TOO_LOW', needed: 1_468_800, available: 500_000 },
        },
        { at: '12-01 00:25', do: 'resize', id: 1, to: 20_000 },
        { at: '12-01 00:30', do: 'resized', id: 1, to: 20_000 },
        { at: '12-01 01:30', do: 'run' },
      ],
    ],
    // 35,600 + 23 h x 20,000
    rows: [{ at: '12-01 00:00', kind: 'charge', lines: 'regular -495,600, revenue +495,600' }],
    end: { at: '12-01 02:00', regular: 4_400 },
  },
];
