/**
 * The golden scenarios, with numbers calculated by hand. Each runs on the pure rules, through the ledger on PostgreSQL,
 * and through the daily run. Amounts are micro-units, times are UTC of 2026, and grace periods are 0 minutes.
 */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly given: Given;
  /** Variants of the same scenario in different orders, which must all end in the same rows. */
  readonly plays: readonly (readonly Step[])[];
  readonly rows: readonly Row[];
  readonly end: End;
  /** Further steps after the end was compared. */
  readonly afterwards?: readonly Step[];
}

export interface Given {
  readonly regular: number;
  readonly credits?: readonly GivenCredit[];
  /** Deployments that run and are paid for 30 November. */
  readonly running?: readonly { readonly id: number; readonly price: PriceKey }[];
}

export interface GivenCredit {
  readonly n: number;
  readonly type: 'signup' | 'referrer';
  readonly amount: number;
  readonly until: string;
}

export type Step = { readonly at: string } & (
  | { readonly do: 'pay'; readonly amount: number }
  | { readonly do: 'dispute'; readonly amount: number }
  | { readonly do: 'dispute won' }
  | { readonly do: 'adjust'; readonly amount: number; readonly refused?: 'BALANCE_WOULD_BE_NEGATIVE' }
  | { readonly do: 'grant'; readonly credit: GivenCredit }
  | { readonly do: 'adjust credit'; readonly n: number; readonly to: number; readonly refused?: 'CREDIT_STATE' }
  /** Checks the creation rules and, if allowed, leaves a deployment CREATING. `refused` leaves nothing. */
  | { readonly do: 'create'; readonly id: number; readonly price: PriceKey; readonly refused?: Refused }
  | { readonly do: 'fail'; readonly id: number }
  /** Moves the deployment to ACTIVE or DNS_VALIDATION. Billing is notified immediately. */
  | { readonly do: 'billable'; readonly id: number; readonly price: PriceKey; readonly inFlight?: true }
  | { readonly do: 'level'; readonly id: number; readonly to: 1 | 2 | 3; readonly refused?: Refused }
  /** Requests a size with this price of the instance. Changes no price. */
  | { readonly do: 'resize'; readonly id: number; readonly to: number; readonly refused?: Refused }
  /** Billing is notified that the provider has confirmed the size, with `since` at an earlier time. */
  | { readonly do: 'resized'; readonly id: number; readonly to: number; readonly since?: string }
  | { readonly do: 'delete'; readonly id: number }
  /**
   * The provisioner confirms that the server is gone (with `since`, an operator confirms an earlier time). Billing
   * notices at the next clock tick only.
   */
  | { readonly do: 'lost'; readonly id: number; readonly since?: string }
  /** An administrator restores the deployment after its server was found again. */
  | { readonly do: 'reopen'; readonly id: number; readonly refused?: Refused }
  /** The owner restores the deployment that they deleted, while its server is kept. */
  | { readonly do: 'restore'; readonly id: number }
  /** Compares the end of the billable interval (null: open). */
  | { readonly do: 'interval'; readonly id: number; readonly endsAt: string | null }
  /** The daily run (and every other clock tick) reaches the account. */
  | { readonly do: 'run' }
  /** The timer of credit expiries reaches the account. */
  | { readonly do: 'expiries' }
  | { readonly do: 'runway'; readonly endsAt: string; readonly stopsFirst: number }
  | { readonly do: 'warning'; readonly sent: 7 | 3 | 1 | null }
  | { readonly do: 'look'; readonly total: number; readonly available: number }
);

export interface Refused {
  readonly code: 'BALANCE_TOO_LOW' | 'BALANCE_OWED' | 'CREDIT_ONLY_LIMIT' | 'RATE_LIMITED';
  readonly needed?: number;
  readonly available?: number;
  readonly owed?: number;
}

/**
 * Expected row. `depleted` posts nothing, because the interval ends at this time. `on` is the charged day if it differs
 * from that of the time.
 */
export interface Row {
  readonly at: string;
  readonly kind:
    | 'payment'
    | 'charge'
    | 'rerate'
    | 'refund'
    | 'expiry'
    | 'adjustment'
    | 'dispute'
    | 'dispute_won'
    | 'owed_paid'
    | 'depleted';
  readonly id?: number;
  readonly on?: string;
  /** Lines in the notation of the tables (`credit#1 -391,600, revenue +391,600`). */
  readonly lines?: string;
  readonly says?: RegExp;
}

export interface End {
  readonly at: string;
  readonly regular: number;
  readonly credits?: Readonly<Record<number, number>>;
  readonly owed?: number;
}

/** Base price per hour and level. Own servers pay the management fee. */
export const PRICES = {
  H1: { server: 'new', base: 35_600, level: 1 },
  H2: { server: 'new', base: 35_600, level: 2 },
  H3: { server: 'new', base: 35_600, level: 3 },
  V1: { server: 'vps', base: 5_000, level: 1 },
  V2: { server: 'vps', base: 5_000, level: 2 },
  V3: { server: 'vps', base: 5_000, level: 3 },
} as const;
export type PriceKey = keyof typeof PRICES;

const LATER = '12-25 00:00';

/** Common initial state of G10 to G13. */
const ENDING_AT_20: Given = {
  regular: 5_100_000,
  credits: [{ n: 1, type: 'signup', amount: 4_990_000, until: '12-01 20:00' }],
};
const STARTED: readonly Step[] = [
  { at: '12-01 13:17', do: 'create', id: 1, price: 'H3' },
  { at: '12-01 13:21', do: 'billable', id: 1, price: 'H3' },
];
const STARTED_ROW: Row = { at: '12-01 13:21', kind: 'charge', lines: 'credit#1 -3,405,600, revenue +3,405,600' };

export const SCENARIOS: readonly Scenario[] = [
  {
    id: 'G01',
    title: 'minimum balance to deploy beside running and creating deployments',
    given: { regular: 6_000_000, running: [{ id: 1, price: 'H2' }] },
    plays: [
      [
        { at: '11-30 10:00', do: 'create', id: 2, price: 'V1' },
        {
          at: '11-30 10:01',
          do: 'create',
          id: 3,
          price: 'H3',
          refused: { code: 'BALANCE_TOO_LOW', needed: 10_048_800, available: 6_000_000 },
        },
        // 2,498,400 + 120,000 + 2,498,400 = 5,116,800.
        { at: '11-30 10:02', do: 'create', id: 4, price: 'H2' },
      ],
    ],
    rows: [],
    end: { at: '11-30 10:03', regular: 6_000_000 },
  },
  {
    id: 'G02',
    title: 'top-up, first charge, delete on one day',
    given: { regular: 0 },
    plays: [
      [
        { at: '12-01 09:00', do: 'pay', amount: 10_000_000 },
        { at: '12-01 13:10', do: 'create', id: 1, price: 'H1' },
        { at: '12-01 13:17:05', do: 'billable', id: 1, price: 'H1' },
        { at: '12-01 15:59:30', do: 'delete', id: 1 },
        { at: '12-02 00:00:05', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-01 09:00', kind: 'payment', lines: 'payments -10,000,000, regular +10,000,000' },
      { at: '12-01 13:17:05', kind: 'charge', lines: 'regular -391,600, revenue +391,600' },
      { at: '12-01 15:59:30', kind: 'refund', lines: 'revenue -284,800, regular +284,800' },
    ],
    end: { at: LATER, regular: 9_893_200 },
  },
  {
    id: 'G03',
    title: 'three days with a list price that rises on the second',
    given: { regular: 5_000_000 },
    plays: [
      [
        { at: '11-22 22:40', do: 'billable', id: 1, price: 'H1' },
        { at: '11-23 00:00:05', do: 'run' },
        { at: '11-24 00:00:05', do: 'run' },
        { at: '11-24 00:30', do: 'delete', id: 1 },
      ],
    ],
    rows: [
      { at: '11-22 22:40', kind: 'charge', lines: 'regular -71,200, revenue +71,200' },
      { at: '11-23 00:00', kind: 'charge', lines: 'regular -854,400, revenue +854,400' },
      { at: '11-24 00:00', kind: 'charge', lines: 'regular -854,400, revenue +854,400' },
      { at: '11-24 00:30', kind: 'refund', lines: 'revenue -818,800, regular +818,800' },
    ],
    end: { at: LATER, regular: 4_038_800 },
  },
  {
    id: 'G04',
    title: 'level up, up, down on the hour, delete',
    given: { regular: 20_000_000 },
    plays: [
      [
        { at: '12-01 09:05', do: 'billable', id: 1, price: 'H1' },
        { at: '12-01 14:30', do: 'level', id: 1, to: 2 },
        { at: '12-01 18:05', do: 'level', id: 1, to: 3 },
        { at: '12-01 20:00', do: 'level', id: 1, to: 1 },
        { at: '12-01 22:15', do: 'delete', id: 1 },
      ],
    ],
    rows: [
      { at: '12-01 09:05', kind: 'charge', lines: 'regular -534,000, revenue +534,000' },
      { at: '12-01 14:30', kind: 'rerate', lines: 'regular -616,500, revenue +616,500' },
      { at: '12-01 18:05', kind: 'rerate', lines: 'regular -1,027,500, revenue +1,027,500' },
      { at: '12-01 20:00', kind: 'rerate', lines: 'revenue -1,096,000, regular +1,096,000' },
      { at: '12-01 22:15', kind: 'refund', lines: 'revenue -35,600, regular +35,600' },
    ],
    end: { at: LATER, regular: 18_953_600 },
  },
  {
    id: 'G05',
    title: 'midnight with two deployments, however often the run is repeated',
    given: {
      regular: 5_000_000,
      running: [
        { id: 1, price: 'H1' },
        { id: 2, price: 'V1' },
      ],
    },
    plays: [
      [
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-01 00:00:05', do: 'run' },
        { at: '11-30 23:59:50', do: 'run' },
        { at: '12-01 00:00:00', do: 'run' },
        { at: '12-01 06:00', do: 'runway', endsAt: '12-06 00:00', stopsFirst: 1 },
      ],
    ],
    rows: [
      { at: '12-01 00:00', kind: 'charge', id: 1, lines: 'regular -854,400, revenue +854,400' },
      { at: '12-01 00:00', kind: 'charge', id: 2, lines: 'regular -120,000, revenue +120,000' },
    ],
    end: { at: '12-01 06:00', regular: 4_025_600 },
  },
  {
    id: 'G06',
    title: 'one free credit, delete on the hour, 5.00 required the second time',
    given: { regular: 0, credits: [{ n: 1, type: 'signup', amount: 4_990_000, until: '12-30 00:00' }] },
    plays: [
      [
        { at: '12-01 10:20', do: 'create', id: 1, price: 'H1' },
        { at: '12-01 10:30', do: 'billable', id: 1, price: 'H1' },
        { at: '12-01 11:00', do: 'delete', id: 1 },
        {
          at: '12-01 11:05',
          do: 'create',
          id: 2,
          price: 'H1',
          refused: { code: 'BALANCE_TOO_LOW', needed: 5_000_000, available: 4_954_400 },
        },
      ],
    ],
    rows: [
      { at: '12-01 10:30', kind: 'charge', lines: 'credit#1 -498,400, revenue +498,400' },
      { at: '12-01 11:00', kind: 'refund', lines: 'revenue -462,800, credit#1 +462,800' },
    ],
    end: { at: '12-01 12:00', regular: 0, credits: { 1: 4_954_400 } },
  },
  {
    id: 'G07',
    title: 'a deployment after a failed one still counts as the first',
    given: { regular: 0, credits: [{ n: 1, type: 'signup', amount: 4_990_000, until: '12-30 00:00' }] },
    plays: [
      [
        { at: '12-01 10:00', do: 'create', id: 1, price: 'H1' },
        {
          at: '12-01 10:02',
          do: 'create',
          id: 2,
          price: 'H1',
          refused: { code: 'BALANCE_TOO_LOW', needed: 5_000_000, available: 4_990_000 },
        },
        { at: '12-01 10:05', do: 'fail', id: 1 },
        { at: '12-01 10:10', do: 'create', id: 3, price: 'H1' },
      ],
    ],
    rows: [],
    end: { at: '12-01 12:00', regular: 0, credits: { 1: 4_990_000 } },
  },
  {
    id: 'G08',
    title: 'a referral credit unlocks at exactly 5.00 and is never adjusted below the used amount',
    given: { regular: 4_000_000, credits: [{ n: 1, type: 'referrer', amount: 4_990_000, until: '12-30 00:00' }] },
    plays: [
      [
        { at: '11-30 20:00', do: 'look', total: 8_990_000, available: 4_000_000 },
        {
          at: '11-30 20:00',
          do: 'create',
          id: 1,
          price: 'H1',
          refused: { code: 'BALANCE_TOO_LOW', needed: 4_990_000, available: 4_000_000 },
        },
        { at: '11-30 21:00', do: 'pay', amount: 1_000_000 },
        { at: '11-30 21:00', do: 'look', total: 9_990_000, available: 9_990_000 },
        { at: '11-30 21:01', do: 'create', id: 1, price: 'H1' },
        { at: '12-01 00:00', do: 'billable', id: 1, price: 'H1' },
      ],
    ],
    rows: [
      { at: '11-30 21:00', kind: 'payment', lines: 'payments -1,000,000, regular +1,000,000' },
      { at: '12-01 00:00', kind: 'charge', lines: 'credit#1 -854,400, revenue +854,400' },
    ],
    end: { at: '12-01 06:00', regular: 5_000_000, credits: { 1: 4_135_600 } },
    afterwards: [
      { at: '12-01 07:00', do: 'adjust credit', n: 1, to: 850_000, refused: 'CREDIT_STATE' },
      { at: '12-01 07:01', do: 'adjust credit', n: 1, to: 854_400 },
      { at: '12-01 07:02', do: 'look', total: 5_000_000, available: 5_000_000 },
    ],
  },
  {
    id: 'G09',
    title: 'one charge over four buckets crosses 5.00, and a later credit stays locked',
    given: {
      regular: 5_000_000,
      credits: [
        { n: 1, type: 'signup', amount: 500_000, until: '12-05 09:00' },
        { n: 2, type: 'referrer', amount: 300_000, until: '12-03 09:00' },
        { n: 3, type: 'referrer', amount: 200_000, until: '12-09 09:00' },
      ],
      running: [{ id: 1, price: 'H2' }],
    },
    plays: [
      [
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-01 10:00', do: 'grant', credit: { n: 4, type: 'referrer', amount: 4_990_000, until: '12-31 10:00' } },
        { at: '12-02 00:00:05', do: 'run' },
        { at: '12-02 10:00', do: 'look', total: 5_993_200, available: 1_003_200 },
        { at: '12-03 00:00:05', do: 'run' },
      ],
    ],
    rows: [
      {
        at: '12-01 00:00',
        kind: 'charge',
        lines: 'credit#2 -300,000, credit#1 -500,000, credit#3 -200,000, regular -1,498,400, revenue +2,498,400',
      },
      { at: '12-02 00:00', kind: 'charge', lines: 'regular -2,498,400, revenue +2,498,400' },
      { at: '12-03 00:00', kind: 'depleted' },
    ],
    end: { at: '12-03 08:00', regular: 1_003_200, credits: { 1: 0, 2: 0, 3: 0, 4: 4_990_000 } },
  },
  {
    id: 'G10',
    title: '5.10 and a credit that expires at 20:00, delete at 15:59',
    given: ENDING_AT_20,
    plays: [
      [...STARTED, { at: '12-01 15:59', do: 'delete', id: 1 }, { at: '12-01 20:00:10', do: 'expiries' }],
      [...STARTED, { at: '12-01 15:59', do: 'delete', id: 1 }, { at: '12-02 00:00:05', do: 'run' }],
    ],
    rows: [
      STARTED_ROW,
      { at: '12-01 15:59', kind: 'refund', lines: 'revenue -2,476,800, credit#1 +2,476,800' },
      { at: '12-01 20:00', kind: 'expiry', lines: 'credit#1 -4,061,200, lapsed +4,061,200' },
    ],
    end: { at: LATER, regular: 5_100_000, credits: { 1: 0 } },
  },
  {
    id: 'G11',
    title: 'the same, delete at exactly 21:00: the refund lapses',
    given: ENDING_AT_20,
    plays: [
      [...STARTED, { at: '12-01 21:00', do: 'delete', id: 1 }],
      [...STARTED, { at: '12-01 20:00:10', do: 'expiries' }, { at: '12-01 21:00', do: 'delete', id: 1 }],
    ],
    rows: [
      STARTED_ROW,
      { at: '12-01 20:00', kind: 'expiry', lines: 'credit#1 -1,584,400, lapsed +1,584,400' },
      {
        at: '12-01 21:00',
        kind: 'refund',
        lines: 'revenue -928,800, lapsed +928,800',
        says: /0\.928800 would have gone back to a credit that ended 2026-12-01 20:00 UTC/,
      },
    ],
    end: { at: LATER, regular: 5_100_000, credits: { 1: 0 } },
  },
  {
    id: 'G12',
    title: 'the same, without any action: removed at the first midnight',
    given: ENDING_AT_20,
    plays: [
      [
        ...STARTED,
        { at: '12-01 13:22', do: 'runway', endsAt: '12-02 00:00', stopsFirst: 1 },
        { at: '12-01 13:22', do: 'warning', sent: 1 },
        { at: '12-01 13:23', do: 'warning', sent: null },
        { at: '12-02 00:00:05', do: 'run' },
      ],
    ],
    rows: [
      STARTED_ROW,
      { at: '12-01 20:00', kind: 'expiry', lines: 'credit#1 -1,584,400, lapsed +1,584,400' },
      { at: '12-02 00:00', kind: 'depleted' },
    ],
    end: { at: LATER, regular: 5_100_000, credits: { 1: 0 } },
  },
  {
    id: 'G13',
    title: 'the same, Level 3 to 1 at 14:30 keeps it',
    given: ENDING_AT_20,
    plays: [
      [
        ...STARTED,
        { at: '12-01 14:30', do: 'level', id: 1, to: 1 },
        { at: '12-02 00:00:05', do: 'run' },
        { at: '12-02 06:00', do: 'runway', endsAt: '12-07 00:00', stopsFirst: 1 },
      ],
    ],
    rows: [
      STARTED_ROW,
      { at: '12-01 14:30', kind: 'rerate', lines: 'revenue -2,466,000, credit#1 +2,466,000' },
      { at: '12-01 20:00', kind: 'expiry', lines: 'credit#1 -4,050,400, lapsed +4,050,400' },
      { at: '12-02 00:00', kind: 'charge', lines: 'regular -854,400, revenue +854,400' },
    ],
    end: { at: '12-02 06:00', regular: 4_245_600, credits: { 1: 0 } },
  },
  {
    id: 'G14a',
    title: 'balance for one of two: the expensive one is older',
    given: {
      regular: 2_000_000,
      running: [
        { id: 11, price: 'H2' },
        { id: 12, price: 'V1' },
      ],
    },
    plays: [[{ at: '12-01 00:00:05', do: 'run' }]],
    rows: [
      { at: '12-01 00:00', kind: 'depleted', id: 11 },
      { at: '12-01 00:00', kind: 'charge', id: 12, lines: 'regular -120,000, revenue +120,000' },
    ],
    end: { at: '12-01 06:00', regular: 1_880_000 },
  },
  {
    id: 'G14b',
    title: 'balance for one of two with equal prices',
    given: {
      regular: 1_000_000,
      running: [
        { id: 11, price: 'H1' },
        { id: 12, price: 'H1' },
      ],
    },
    plays: [[{ at: '12-01 00:00:05', do: 'run' }]],
    rows: [
      { at: '12-01 00:00', kind: 'charge', id: 11, lines: 'regular -854,400, revenue +854,400' },
      { at: '12-01 00:00', kind: 'depleted', id: 12 },
    ],
    end: { at: '12-01 06:00', regular: 145_600 },
  },
  {
    id: 'G15',
    title: 'credits that expire at midnight and one millisecond later',
    given: {
      regular: 2_000_000,
      credits: [
        { n: 1, type: 'signup', amount: 1_000_000, until: '12-01 00:00' },
        { n: 2, type: 'signup', amount: 1_000_000, until: '12-01 00:00:00.001' },
      ],
      running: [{ id: 1, price: 'H1' }],
    },
    plays: [
      [{ at: '12-01 00:00:07', do: 'run' }],
      [{ at: '12-01 06:00', do: 'run' }],
      [
        { at: '12-01 00:00:02', do: 'expiries' },
        { at: '12-01 00:00:07', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-01 00:00', kind: 'expiry', lines: 'credit#1 -1,000,000, lapsed +1,000,000' },
      { at: '12-01 00:00', kind: 'charge', lines: 'credit#2 -854,400, revenue +854,400' },
      { at: '12-01 00:00:00.001', kind: 'expiry', lines: 'credit#2 -145,600, lapsed +145,600' },
    ],
    end: { at: '12-01 07:00', regular: 2_000_000, credits: { 1: 0, 2: 0 } },
  },
  {
    id: 'G16a',
    title: 'billable 100 ms before midnight, delete at exactly 00:00',
    given: { regular: 7_000_000 },
    plays: [
      [
        { at: '11-30 23:59:59.900', do: 'billable', id: 1, price: 'V3' },
        { at: '12-01 00:00', do: 'delete', id: 1 },
        { at: '12-01 00:00:07', do: 'run' },
      ],
      [
        { at: '11-30 23:59:59.900', do: 'billable', id: 1, price: 'V3' },
        { at: '12-01 00:00', do: 'run' },
        { at: '12-01 00:00', do: 'delete', id: 1 },
        { at: '12-02 00:00:07', do: 'run' },
      ],
    ],
    rows: [
      { at: '11-30 23:59:59.900', kind: 'charge', lines: 'regular -279,000, revenue +279,000' },
      { at: '12-01 00:00', kind: 'charge', lines: 'regular -6,696,000, revenue +6,696,000' },
      { at: '12-01 00:00', kind: 'refund', lines: 'revenue -6,696,000, regular +6,696,000' },
    ],
    end: { at: LATER, regular: 6_721_000 },
  },
  {
    id: 'G16b',
    title: 'the same, delete at 00:00:03, before and after the run',
    given: { regular: 7_000_000 },
    plays: ['12-01 00:00:01', '12-01 00:00:07', '12-01 06:00'].map((run) => {
      const steps: Step[] = [
        { at: run, do: 'run' },
        { at: '12-01 00:00:03', do: 'delete', id: 1 },
      ];
      return [
        { at: '11-30 23:59:59.900', do: 'billable', id: 1, price: 'V3' },
        ...steps.sort((a, b) => (a.at < b.at ? -1 : 1)),
      ];
    }),
    rows: [
      { at: '11-30 23:59:59.900', kind: 'charge', lines: 'regular -279,000, revenue +279,000' },
      { at: '12-01 00:00', kind: 'charge', lines: 'regular -6,696,000, revenue +6,696,000' },
      { at: '12-01 00:00:03', kind: 'refund', lines: 'revenue -6,417,000, regular +6,417,000' },
    ],
    end: { at: LATER, regular: 6_442_000 },
  },
  {
    id: 'G17',
    title: 'a delete requested before midnight waits for the run',
    given: { regular: 10_000_000, running: [{ id: 1, price: 'H1' }] },
    plays: [
      [
        { at: '12-01 00:00:00.050', do: 'run' },
        { at: '11-30 23:59:59.990', do: 'delete', id: 1 },
        { at: '12-02 00:00:05', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-01 00:00', kind: 'charge', lines: 'regular -854,400, revenue +854,400' },
      { at: '11-30 23:59:59.990', kind: 'refund', on: '2026-12-01', lines: 'revenue -854,400, regular +854,400' },
    ],
    end: { at: LATER, regular: 10_000_000 },
  },
  {
    id: 'G17b',
    title: 'a delete requested before the expiry of an empty credit waits for that expiry',
    given: { regular: 5_000_000, credits: [{ n: 1, type: 'signup', amount: 925_600, until: '12-02 12:00' }] },
    plays: [
      [
        { at: '12-01 23:00', do: 'billable', id: 1, price: 'H1' },
        { at: '12-01 23:30', do: 'billable', id: 2, price: 'H1' },
        { at: '12-02 00:00:05', do: 'run' },
        { at: '12-02 12:00:00.010', do: 'expiries' },
        { at: '12-02 11:59:59.990', do: 'delete', id: 1 },
        { at: '12-02 12:01', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-01 23:00', kind: 'charge', id: 1, lines: 'credit#1 -35,600, revenue +35,600' },
      { at: '12-01 23:30', kind: 'charge', id: 2, lines: 'credit#1 -35,600, revenue +35,600' },
      { at: '12-02 00:00', kind: 'charge', id: 1, lines: 'credit#1 -854,400, revenue +854,400' },
      { at: '12-02 00:00', kind: 'charge', id: 2, lines: 'regular -854,400, revenue +854,400' },
      { at: '12-02 11:59:59.990', kind: 'refund', id: 1, lines: 'revenue -427,200, lapsed +427,200' },
    ],
    end: { at: '12-02 20:00', regular: 4_145_600, credits: { 1: 0 } },
  },
  {
    id: 'G18a',
    title: 'balance for one of two, the younger is deleted at 00:00:03 before the run',
    given: {
      regular: 854_400,
      running: [
        { id: 21, price: 'H1' },
        { id: 22, price: 'H1' },
      ],
    },
    plays: [
      [
        { at: '12-01 00:00:03', do: 'delete', id: 22 },
        { at: '12-01 00:00:07', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-01 00:00', kind: 'charge', id: 21, lines: 'regular -854,400, revenue +854,400' },
      { at: '12-01 00:00', kind: 'depleted', id: 22 },
    ],
    end: { at: '12-01 06:00', regular: 0 },
  },
  {
    id: 'G18b',
    title: 'the same, the older is deleted: both are removed',
    given: {
      regular: 854_400,
      running: [
        { id: 21, price: 'H1' },
        { id: 22, price: 'H1' },
      ],
    },
    plays: [
      [
        { at: '12-01 00:00:03', do: 'delete', id: 21 },
        { at: '12-01 00:00:07', do: 'run' },
      ],
      [
        { at: '12-01 00:00:01', do: 'run' },
        { at: '12-01 00:00:03', do: 'delete', id: 21 },
      ],
    ],
    rows: [
      { at: '12-01 00:00', kind: 'charge', id: 21, lines: 'regular -854,400, revenue +854,400' },
      { at: '12-01 00:00', kind: 'depleted', id: 22 },
      { at: '12-01 00:00:03', kind: 'refund', id: 21, lines: 'revenue -818,800, regular +818,800' },
    ],
    end: { at: LATER, regular: 818_800 },
  },
  {
    id: 'G19a',
    title: 'three missed days, a credit expires in between',
    given: {
      regular: 2_000_000,
      credits: [{ n: 1, type: 'signup', amount: 2_500_000, until: '12-02 15:00' }],
      running: [{ id: 1, price: 'V2' }],
    },
    plays: [
      [{ at: '12-04 09:00', do: 'run' }],
      [
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-02 00:00:05', do: 'run' },
        { at: '12-02 15:00:05', do: 'expiries' },
        { at: '12-03 00:00:05', do: 'run' },
        { at: '12-04 00:00:05', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-01 00:00', kind: 'charge', lines: 'credit#1 -1,764,000, revenue +1,764,000' },
      { at: '12-02 00:00', kind: 'charge', lines: 'credit#1 -736,000, regular -1,028,000, revenue +1,764,000' },
      { at: '12-03 00:00', kind: 'depleted' },
    ],
    end: { at: LATER, regular: 972_000, credits: { 1: 0 } },
  },
  {
    id: 'G19b',
    title: 'the same, a top-up while billing is still down',
    given: {
      regular: 2_000_000,
      credits: [{ n: 1, type: 'signup', amount: 2_500_000, until: '12-02 15:00' }],
      running: [{ id: 1, price: 'V2' }],
    },
    plays: [
      [
        { at: '12-03 12:00', do: 'pay', amount: 5_000_000 },
        { at: '12-04 09:00', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-03 12:00', kind: 'payment', lines: 'payments -5,000,000, regular +5,000,000' },
      { at: '12-01 00:00', kind: 'charge', lines: 'credit#1 -1,764,000, revenue +1,764,000' },
      { at: '12-02 00:00', kind: 'charge', lines: 'credit#1 -736,000, regular -1,028,000, revenue +1,764,000' },
      { at: '12-03 00:00', kind: 'charge', lines: 'regular -1,764,000, revenue +1,764,000' },
      { at: '12-04 00:00', kind: 'charge', lines: 'regular -1,764,000, revenue +1,764,000' },
    ],
    end: { at: '12-04 10:00', regular: 2_444_000, credits: { 1: 0 } },
  },
  {
    id: 'G20',
    title: 'two missed days, two deployments: day by day, not one after the other',
    given: {
      regular: 4_000_000,
      running: [
        { id: 31, price: 'V2' },
        { id: 32, price: 'H1' },
      ],
    },
    plays: [
      [{ at: '12-02 08:00', do: 'run' }],
      [
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-02 00:00:05', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-01 00:00', kind: 'charge', id: 31, lines: 'regular -1,764,000, revenue +1,764,000' },
      { at: '12-01 00:00', kind: 'charge', id: 32, lines: 'regular -854,400, revenue +854,400' },
      { at: '12-02 00:00', kind: 'depleted', id: 31 },
      { at: '12-02 00:00', kind: 'charge', id: 32, lines: 'regular -854,400, revenue +854,400' },
    ],
    end: { at: '12-02 09:00', regular: 527_200 },
  },
  {
    id: 'G21a',
    title: 'a higher level with too low a balance at 14:30',
    given: { regular: 1_454_400, running: [{ id: 1, price: 'H1' }] },
    plays: [
      [
        { at: '12-01 00:00:05', do: 'run' },
        {
          at: '12-01 14:30',
          do: 'level',
          id: 1,
          to: 2,
          refused: { code: 'BALANCE_TOO_LOW', needed: 3_114_900, available: 600_000 },
        },
      ],
    ],
    rows: [{ at: '12-01 00:00', kind: 'charge', lines: 'regular -854,400, revenue +854,400' }],
    end: { at: '12-01 15:00', regular: 600_000 },
  },
  {
    id: 'G21b',
    title: 'a higher level at 23:30 that could not be paid at midnight',
    given: { regular: 2_854_400, running: [{ id: 1, price: 'H1' }] },
    plays: [
      [
        { at: '12-01 00:00:05', do: 'run' },
        {
          at: '12-01 23:30',
          do: 'level',
          id: 1,
          to: 2,
          refused: { code: 'BALANCE_TOO_LOW', needed: 2_498_400, available: 2_000_000 },
        },
      ],
    ],
    rows: [{ at: '12-01 00:00', kind: 'charge', lines: 'regular -854,400, revenue +854,400' }],
    end: { at: '12-01 23:40', regular: 2_000_000 },
  },
  {
    id: 'G21c',
    title: 'a higher level with exactly enough balance',
    given: { regular: 3_969_300, running: [{ id: 1, price: 'H1' }] },
    plays: [
      [
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-01 14:30', do: 'level', id: 1, to: 2 },
        { at: '12-02 00:00:05', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-01 00:00', kind: 'charge', lines: 'regular -854,400, revenue +854,400' },
      { at: '12-01 14:30', kind: 'rerate', lines: 'regular -616,500, revenue +616,500' },
      { at: '12-02 00:00', kind: 'charge', lines: 'regular -2,498,400, revenue +2,498,400' },
    ],
    end: { at: '12-02 06:00', regular: 0 },
  },
  {
    id: 'G22',
    title: 'negative adjustments below zero, at 5.00, under 5.00',
    given: {
      regular: 5_200_000,
      credits: [{ n: 1, type: 'referrer', amount: 4_990_000, until: '12-29 00:00' }],
      running: [{ id: 1, price: 'H2' }],
    },
    plays: [
      [
        { at: '11-30 10:00', do: 'adjust', amount: -10_000_000, refused: 'BALANCE_WOULD_BE_NEGATIVE' },
        { at: '11-30 10:01', do: 'adjust', amount: -200_000 },
        { at: '11-30 10:02', do: 'look', total: 9_990_000, available: 9_990_000 },
        { at: '11-30 10:03', do: 'adjust', amount: -10_000 },
        { at: '11-30 10:04', do: 'look', total: 9_980_000, available: 4_990_000 },
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-02 00:00:05', do: 'run' },
      ],
    ],
    rows: [
      { at: '11-30 10:01', kind: 'adjustment', lines: 'adjustments +200,000, regular -200,000' },
      { at: '11-30 10:03', kind: 'adjustment', lines: 'adjustments +10,000, regular -10,000' },
      { at: '12-01 00:00', kind: 'charge', lines: 'regular -2,498,400, revenue +2,498,400' },
      { at: '12-02 00:00', kind: 'depleted' },
    ],
    end: { at: '12-02 06:00', regular: 2_491_600, credits: { 1: 4_990_000 } },
  },
  {
    id: 'G23',
    title: 'a dispute after the balance is spent, a new top-up, the dispute won',
    given: { regular: 0 },
    plays: [
      [
        { at: '12-01 08:00', do: 'pay', amount: 10_000_000 },
        { at: '12-01 23:10', do: 'billable', id: 1, price: 'V3' },
        { at: '12-02 00:00:05', do: 'run' },
        { at: '12-02 12:00', do: 'dispute', amount: 10_000_000 },
        { at: '12-02 13:00', do: 'create', id: 2, price: 'V1', refused: { code: 'BALANCE_OWED', owed: 6_975_000 } },
        { at: '12-03 00:00:05', do: 'run' },
        { at: '12-03 09:00', do: 'pay', amount: 10_000_000 },
        { at: '12-20 09:00', do: 'dispute won' },
      ],
    ],
    rows: [
      { at: '12-01 08:00', kind: 'payment', lines: 'payments -10,000,000, regular +10,000,000' },
      { at: '12-01 23:10', kind: 'charge', lines: 'regular -279,000, revenue +279,000' },
      { at: '12-02 00:00', kind: 'charge', lines: 'regular -6,696,000, revenue +6,696,000' },
      { at: '12-02 12:00', kind: 'dispute', lines: 'payments +10,000,000, regular -3,025,000, owed -6,975,000' },
      { at: '12-03 00:00', kind: 'depleted' },
      { at: '12-03 09:00', kind: 'payment', lines: 'payments -10,000,000, regular +10,000,000' },
      { at: '12-03 09:00', kind: 'owed_paid', lines: 'regular -6,975,000, owed +6,975,000' },
      { at: '12-20 09:00', kind: 'dispute_won', lines: 'payments -10,000,000, regular +10,000,000' },
    ],
    end: { at: LATER, regular: 13_025_000, owed: 0 },
  },
  {
    id: 'G24',
    title: 'a refund over three buckets, one of them expired',
    given: {
      regular: 10_000_000,
      credits: [
        { n: 1, type: 'signup', amount: 800_000, until: '12-01 16:00' },
        { n: 2, type: 'signup', amount: 100_000, until: '12-30 00:00' },
      ],
    },
    plays: [
      [
        { at: '12-01 10:20', do: 'billable', id: 1, price: 'V2' },
        { at: '12-01 17:10', do: 'delete', id: 1 },
      ],
      [
        { at: '12-01 10:20', do: 'billable', id: 1, price: 'V2' },
        { at: '12-01 16:00:10', do: 'expiries' },
        { at: '12-01 17:10', do: 'delete', id: 1 },
      ],
    ],
    rows: [
      {
        at: '12-01 10:20',
        kind: 'charge',
        lines: 'credit#1 -800,000, credit#2 -100,000, regular -129,000, revenue +1,029,000',
      },
      {
        at: '12-01 17:10',
        kind: 'refund',
        lines: 'revenue -441,000, regular +129,000, credit#2 +100,000, lapsed +212,000',
      },
    ],
    end: { at: '12-02 00:00', regular: 10_000_000, credits: { 1: 0, 2: 100_000 } },
  },
  {
    id: 'G25',
    title: 'balance runs out in DNS_VALIDATION, a top-up two minutes later',
    given: { regular: 1_000_000 },
    plays: [
      [
        { at: '11-30 23:50', do: 'billable', id: 1, price: 'V2', inFlight: true },
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-01 00:02', do: 'pay', amount: 10_000_000 },
        { at: '12-01 00:03', do: 'run' },
        { at: '12-02 00:00:05', do: 'run' },
        { at: '12-03 00:00:05', do: 'run' },
      ],
    ],
    rows: [
      { at: '11-30 23:50', kind: 'charge', lines: 'regular -73,500, revenue +73,500' },
      { at: '12-01 00:00', kind: 'depleted' },
      { at: '12-01 00:02', kind: 'payment', lines: 'payments -10,000,000, regular +10,000,000' },
    ],
    end: { at: LATER, regular: 10_926_500 },
  },
];
