import type { Scenario, Step } from './scenarios';

/** Prices of the instance per hour. The deployments start with H1, which costs 35,600. */
const LARGER = 61_200;
const SMALLER = 20_300;

/** 854,400 is paid for 1 December. */
const FIRST_DAY: Step = { at: '12-01 00:00:05', do: 'run' };
const H1_PAID = { at: '12-01 00:00', kind: 'charge', lines: 'regular -854,400, revenue +854,400' } as const;

/**
 * Scenarios of servers that get another size (decision 52). The price begins when the provider confirms the size, and
 * hours that have begun keep the old price. Each confirmation reaches billing twice.
 */
export const RESIZING_SCENARIOS: readonly Scenario[] = [
  {
    id: 'S01',
    title: 'a larger size, another level in the same hour, delete on the next day',
    given: { regular: 20_000_000 },
    plays: [
      [
        { at: '12-01 09:05', do: 'billable', id: 1, price: 'H1' },
        { at: '12-01 14:20', do: 'resize', id: 1, to: LARGER },
        { at: '12-01 14:30', do: 'resized', id: 1, to: LARGER },
        { at: '12-01 14:45', do: 'level', id: 1, to: 2 },
        { at: '12-02 00:00:05', do: 'run' },
        { at: '12-02 00:30', do: 'delete', id: 1 },
      ],
    ],
    rows: [
      // 15 h x 35,600
      { at: '12-01 09:05', kind: 'charge', lines: 'regular -534,000, revenue +534,000' },
      // 9 h x (61,200 - 35,600)
      {
        at: '12-01 14:30',
        kind: 'rerate',
        lines: 'regular -230,400, revenue +230,400',
        says: /the rest of 2026-12-01 at the new size's price/,
      },
      // 9 h x 68,500, on the price of the new size
      {
        at: '12-01 14:45',
        kind: 'rerate',
        lines: 'regular -616,500, revenue +616,500',
        says: /at the new level's price/,
      },
      // 24 h x (61,200 + 68,500), and 23 h of them back
      { at: '12-02 00:00', kind: 'charge', lines: 'regular -3,112,800, revenue +3,112,800' },
      { at: '12-02 00:30', kind: 'refund', lines: 'revenue -2,983,100, regular +2,983,100' },
    ],
    end: { at: '12-02 06:00', regular: 18_489_400 },
  },
  {
    id: 'S02',
    title: 'a smaller size, confirmed at exactly 10:00',
    given: { regular: 5_000_000, running: [{ id: 1, price: 'H1' }] },
    plays: [
      [
        FIRST_DAY,
        { at: '12-01 09:50', do: 'resize', id: 1, to: SMALLER },
        { at: '12-01 10:00', do: 'resized', id: 1, to: SMALLER },
        { at: '12-02 00:00:05', do: 'run' },
      ],
    ],
    rows: [
      H1_PAID,
      // 14 h x (35,600 - 20,300)
      {
        at: '12-01 10:00',
        kind: 'rerate',
        lines: 'revenue -214,200, regular +214,200',
        says: /at the new size's price/,
      },
      // 24 h x 20,300
      { at: '12-02 00:00', kind: 'charge', lines: 'regular -487,200, revenue +487,200' },
    ],
    end: { at: '12-02 06:00', regular: 3_872_600 },
  },
  {
    id: 'S03',
    title: 'a resize that fails changes no price',
    given: { regular: 5_000_000, running: [{ id: 1, price: 'H1' }] },
    plays: [[FIRST_DAY, { at: '12-01 14:20', do: 'resize', id: 1, to: LARGER }, { at: '12-02 00:00:05', do: 'run' }]],
    rows: [H1_PAID, { at: '12-02 00:00', kind: 'charge', lines: 'regular -854,400, revenue +854,400' }],
    end: { at: '12-02 06:00', regular: 3_291_200 },
  },
  {
    id: 'S04',
    title: 'a larger size with too low a balance, and a smaller one',
    given: { regular: 1_854_400, running: [{ id: 1, price: 'H1' }] },
    plays: [
      [
        FIRST_DAY,
        {
          at: '12-01 14:20',
          do: 'resize',
          id: 1,
          to: LARGER,
          // 9 h x 25,600 = 230,400, and 24 h x 61,200 = 1,468,800
          refused: { code: 'BALANCE_TOO_LOW', needed: 1_699_200, available: 1_000_000 },
        },
        { at: '12-01 14:21', do: 'resize', id: 1, to: SMALLER },
      ],
    ],
    rows: [H1_PAID],
    end: { at: '12-01 15:00', regular: 1_000_000 },
  },
  {
    id: 'S05',
    title: 'billing learns of a larger size after midnight: both days are re-rated',
    given: { regular: 5_000_000, running: [{ id: 1, price: 'H1' }] },
    plays: [
      [
        FIRST_DAY,
        { at: '12-01 22:00', do: 'resize', id: 1, to: LARGER },
        { at: '12-02 00:00:05', do: 'run' },
        { at: '12-02 00:10', do: 'resized', id: 1, to: LARGER, since: '12-01 22:10' },
        { at: '12-03 00:00:05', do: 'run' },
      ],
    ],
    rows: [
      H1_PAID,
      { at: '12-02 00:00', kind: 'charge', lines: 'regular -854,400, revenue +854,400' },
      // 1 h and 24 h x 25,600
      { at: '12-01 22:10', kind: 'rerate', on: '2026-12-01', lines: 'regular -25,600, revenue +25,600' },
      { at: '12-01 22:10', kind: 'rerate', on: '2026-12-02', lines: 'regular -614,400, revenue +614,400' },
      // 24 h x 61,200
      { at: '12-03 00:00', kind: 'charge', lines: 'regular -1,468,800, revenue +1,468,800' },
    ],
    end: { at: '12-03 06:00', regular: 1_182_400 },
  },
  {
    id: 'S06',
    title: 'the balance no longer covers the confirmed size: its price begins with the next day',
    given: { regular: 2_700_000, running: [{ id: 1, price: 'H1' }] },
    plays: [
      [
        FIRST_DAY,
        // 1,845,600 covers 1,699,200.
        { at: '12-01 14:20', do: 'resize', id: 1, to: LARGER },
        { at: '12-01 14:25', do: 'adjust', amount: -1_700_000 },
        // 145,600 does not cover 9 h x 25,600 = 230,400.
        { at: '12-01 14:30', do: 'resized', id: 1, to: LARGER },
        { at: '12-01 15:00', do: 'level', id: 1, to: 2, refused: { code: 'RATE_LIMITED' } },
        { at: '12-01 16:00', do: 'runway', endsAt: '12-02 00:00', stopsFirst: 1 },
        { at: '12-01 18:00', do: 'pay', amount: 2_000_000 },
        { at: '12-02 00:00:05', do: 'run' },
        { at: '12-02 00:30', do: 'delete', id: 1 },
      ],
    ],
    rows: [
      H1_PAID,
      { at: '12-01 14:25', kind: 'adjustment', lines: 'adjustments +1,700,000, regular -1,700,000' },
      { at: '12-01 18:00', kind: 'payment', lines: 'payments -2,000,000, regular +2,000,000' },
      { at: '12-02 00:00', kind: 'charge', lines: 'regular -1,468,800, revenue +1,468,800' },
      { at: '12-02 00:30', kind: 'refund', lines: 'revenue -1,407,600, regular +1,407,600' },
    ],
    end: { at: '12-02 06:00', regular: 2_084_400 },
  },
  {
    id: 'S07',
    title: 'delete before billing learns of the larger size: no price begins after the end',
    given: { regular: 5_000_000, running: [{ id: 1, price: 'H1' }] },
    plays: [
      [
        FIRST_DAY,
        { at: '12-01 14:20', do: 'resize', id: 1, to: LARGER },
        { at: '12-01 14:35', do: 'delete', id: 1 },
        { at: '12-01 14:36', do: 'resized', id: 1, to: LARGER, since: '12-01 14:30' },
        { at: '12-02 00:00:05', do: 'run' },
      ],
    ],
    // 9 h x 35,600
    rows: [H1_PAID, { at: '12-01 14:35', kind: 'refund', lines: 'revenue -320,400, regular +320,400' }],
    end: { at: '12-02 06:00', regular: 4_466_000 },
  },
  {
    id: 'S08',
    title: 'delete right after the larger size: its hours are returned',
    given: { regular: 5_000_000, running: [{ id: 1, price: 'H1' }] },
    plays: [
      [
        FIRST_DAY,
        { at: '12-01 14:20', do: 'resize', id: 1, to: LARGER },
        { at: '12-01 14:30', do: 'resized', id: 1, to: LARGER },
        { at: '12-01 14:35', do: 'delete', id: 1 },
      ],
    ],
    rows: [
      H1_PAID,
      { at: '12-01 14:30', kind: 'rerate', lines: 'regular -230,400, revenue +230,400' },
      // 9 h x 61,200
      { at: '12-01 14:35', kind: 'refund', lines: 'revenue -550,800, regular +550,800' },
    ],
    end: { at: '12-02 00:00', regular: 4_466_000 },
  },
  {
    id: 'S09',
    title: 'the balance runs out before the size is confirmed',
    given: { regular: 2_700_000, running: [{ id: 1, price: 'H1' }] },
    plays: [
      [
        FIRST_DAY,
        { at: '12-01 23:50', do: 'resize', id: 1, to: LARGER },
        { at: '12-01 23:55', do: 'adjust', amount: -1_700_000 },
        { at: '12-02 00:00:05', do: 'run' },
        { at: '12-02 00:05', do: 'resized', id: 1, to: LARGER },
        { at: '12-03 00:00:05', do: 'run' },
      ],
    ],
    rows: [
      H1_PAID,
      { at: '12-01 23:55', kind: 'adjustment', lines: 'adjustments +1,700,000, regular -1,700,000' },
      { at: '12-02 00:00', kind: 'depleted' },
    ],
    end: { at: '12-03 06:00', regular: 145_600 },
  },
];
