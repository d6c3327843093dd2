import type { Scenario, Step } from './scenarios';

/**
 * Scenarios of a server that is lost and found again. Nothing is owed in between, and every clock hour in which it runs
 * is owed once.
 */
const UNTIL_LOST: readonly Step[] = [
  { at: '12-01 13:17:05', do: 'billable', id: 1, price: 'H1' },
  { at: '12-01 15:59:30', do: 'lost', id: 1 },
];

export const REOPENING_SCENARIOS: readonly Scenario[] = [
  {
    id: 'L01',
    title: 'found again on the same day: the hours from 18:00 are charged, 16 and 17 are not',
    given: { regular: 10_000_000 },
    plays: [
      // Billing is notified of the loss immediately, or only with the reopening.
      [
        ...UNTIL_LOST,
        { at: '12-01 16:00', do: 'run' },
        { at: '12-01 18:20', do: 'reopen', id: 1 },
        { at: '12-01 18:20', do: 'interval', id: 1, endsAt: null },
        { at: '12-01 18:21', do: 'run' },
        { at: '12-02 00:00:05', do: 'run' },
        { at: '12-02 00:30', do: 'delete', id: 1 },
      ],
      [
        ...UNTIL_LOST,
        { at: '12-01 18:20', do: 'reopen', id: 1 },
        { at: '12-02 00:00:05', do: 'run' },
        { at: '12-02 00:30', do: 'delete', id: 1 },
      ],
    ],
    // Hours 13, 14, 15, 18 to 23 and 0. 10 h x 35,600 = 356,000.
    rows: [
      { at: '12-01 13:17:05', kind: 'charge', lines: 'regular -391,600, revenue +391,600' },
      { at: '12-01 15:59:30', kind: 'refund', lines: 'revenue -284,800, regular +284,800' },
      {
        at: '12-01 18:20',
        kind: 'rerate',
        lines: 'regular -213,600, revenue +213,600',
        says: /the rest of 2026-12-01, its server was found again/,
      },
      { at: '12-02 00:00', kind: 'charge', lines: 'regular -854,400, revenue +854,400' },
      { at: '12-02 00:30', kind: 'refund', lines: 'revenue -818,800, regular +818,800' },
    ],
    end: { at: '12-02 06:00', regular: 9_644_000 },
  },
  {
    id: 'L02',
    title: 'found again two days later: the free day has its row, and the current day is charged for its rest',
    given: { regular: 10_000_000 },
    plays: [
      [
        ...UNTIL_LOST,
        { at: '12-01 16:00', do: 'run' },
        { at: '12-02 00:00:05', do: 'run' },
        { at: '12-03 00:00:05', do: 'run' },
        { at: '12-03 06:40', do: 'reopen', id: 1 },
        { at: '12-03 06:41', do: 'run' },
        { at: '12-04 00:00:05', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-01 13:17:05', kind: 'charge', lines: 'regular -391,600, revenue +391,600' },
      { at: '12-01 15:59:30', kind: 'refund', lines: 'revenue -284,800, regular +284,800' },
      { at: '12-02 00:00', kind: 'charge', lines: 'revenue +0', says: /0 hours on 2026-12-02/ },
      {
        at: '12-03 00:00',
        kind: 'charge',
        lines: 'regular -640,800, revenue +640,800',
        says: /18 hours on 2026-12-03/,
      },
      { at: '12-04 00:00', kind: 'charge', lines: 'regular -854,400, revenue +854,400' },
    ],
    end: { at: '12-04 06:00', regular: 8_398_000 },
  },
  {
    id: 'L03',
    title: 'found again within the hour of the loss: the hour is charged once, and none is free',
    given: { regular: 10_000_000 },
    plays: [
      [
        { at: '12-01 13:17:05', do: 'billable', id: 1, price: 'H1' },
        { at: '12-01 15:10', do: 'lost', id: 1 },
        { at: '12-01 15:50', do: 'reopen', id: 1 },
        { at: '12-01 16:30', do: 'delete', id: 1 },
      ],
    ],
    rows: [
      { at: '12-01 13:17:05', kind: 'charge', lines: 'regular -391,600, revenue +391,600' },
      { at: '12-01 15:10', kind: 'refund', lines: 'revenue -284,800, regular +284,800' },
      { at: '12-01 15:50', kind: 'rerate', lines: 'regular -284,800, revenue +284,800' },
      { at: '12-01 16:30', kind: 'refund', lines: 'revenue -249,200, regular +249,200' },
    ],
    end: { at: '12-01 17:00', regular: 9_857_600 },
  },
  {
    id: 'L04',
    title: 'lost and found at exactly 15:00:00.000: the hour that starts then is charged once',
    given: { regular: 10_000_000 },
    plays: [
      [
        { at: '12-01 13:17:05', do: 'billable', id: 1, price: 'H1' },
        { at: '12-01 15:00', do: 'lost', id: 1 },
        { at: '12-01 15:00', do: 'reopen', id: 1 },
      ],
    ],
    rows: [
      { at: '12-01 13:17:05', kind: 'charge', lines: 'regular -391,600, revenue +391,600' },
      { at: '12-01 15:00', kind: 'refund', lines: 'revenue -320,400, regular +320,400' },
      { at: '12-01 15:00', kind: 'rerate', lines: 'regular -320,400, revenue +320,400' },
    ],
    end: { at: '12-01 17:00', regular: 9_608_400 },
  },
  {
    id: 'L05',
    title: 'balance too low when it is found again: rejected, and reopened after a top-up',
    given: { regular: 391_600 },
    plays: [
      [
        ...UNTIL_LOST,
        { at: '12-01 16:00', do: 'run' },
        { at: '12-01 16:10', do: 'adjust', amount: -284_800 },
        {
          at: '12-01 18:20',
          do: 'reopen',
          id: 1,
          refused: { code: 'BALANCE_TOO_LOW', needed: 213_600, available: 0 },
        },
        { at: '12-01 18:20', do: 'interval', id: 1, endsAt: '12-01 15:59:30' },
        { at: '12-01 19:00', do: 'pay', amount: 1_000_000 },
        { at: '12-01 19:10', do: 'reopen', id: 1 },
      ],
    ],
    rows: [
      { at: '12-01 13:17:05', kind: 'charge', lines: 'regular -391,600, revenue +391,600' },
      { at: '12-01 15:59:30', kind: 'refund', lines: 'revenue -284,800, regular +284,800' },
      { at: '12-01 16:10', kind: 'adjustment', lines: 'adjustments +284,800, regular -284,800' },
      { at: '12-01 19:00', kind: 'payment', lines: 'payments -1,000,000, regular +1,000,000' },
      { at: '12-01 19:10', kind: 'rerate', lines: 'regular -178,000, revenue +178,000' },
    ],
    end: { at: '12-01 20:00', regular: 822_000 },
  },
  {
    id: 'L06',
    title:
      'confirmed by an operator a day late, the level raised on the hour meanwhile: the gap costs nothing at either price',
    given: { regular: 20_000_000, running: [{ id: 1, price: 'H1' }] },
    plays: [
      [
        { at: '12-01 00:00:05', do: 'run' },
        { at: '12-01 13:00', do: 'level', id: 1, to: 2 },
        { at: '12-02 00:00:05', do: 'run' },
        { at: '12-02 08:00', do: 'lost', id: 1, since: '12-01 10:20' },
        { at: '12-02 08:00:05', do: 'run' },
        { at: '12-02 15:30', do: 'reopen', id: 1 },
        { at: '12-03 00:00:05', do: 'run' },
      ],
    ],
    // 1 Dec has hours 0 to 10 at 35,600. 2 Dec has hours 15 to 23 at 104,100.
    rows: [
      { at: '12-01 00:00', kind: 'charge', lines: 'regular -854,400, revenue +854,400' },
      { at: '12-01 13:00', kind: 'rerate', lines: 'regular -753,500, revenue +753,500' },
      { at: '12-02 00:00', kind: 'charge', lines: 'regular -2,498,400, revenue +2,498,400' },
      { at: '12-01 10:20', kind: 'refund', on: '2026-12-02', lines: 'revenue -2,498,400, regular +2,498,400' },
      { at: '12-01 10:20', kind: 'refund', lines: 'revenue -1,216,300, regular +1,216,300' },
      { at: '12-02 15:30', kind: 'rerate', lines: 'regular -936,900, revenue +936,900' },
      { at: '12-03 00:00', kind: 'charge', lines: 'regular -2,498,400, revenue +2,498,400' },
    ],
    end: { at: '12-03 06:00', regular: 16_173_100 },
  },
  {
    id: 'L07',
    title: 'a credit that expired between loss and return pays nothing afterwards',
    given: { regular: 5_000_000, credits: [{ n: 1, type: 'signup', amount: 4_990_000, until: '12-01 17:00' }] },
    plays: [[...UNTIL_LOST, { at: '12-01 16:00', do: 'run' }, { at: '12-01 18:20', do: 'reopen', id: 1 }]],
    rows: [
      { at: '12-01 13:17:05', kind: 'charge', lines: 'credit#1 -391,600, revenue +391,600' },
      { at: '12-01 15:59:30', kind: 'refund', lines: 'revenue -284,800, credit#1 +284,800' },
      { at: '12-01 17:00', kind: 'expiry', lines: 'credit#1 -4,883,200, lapsed +4,883,200' },
      { at: '12-01 18:20', kind: 'rerate', lines: 'regular -213,600, revenue +213,600' },
    ],
    end: { at: '12-01 20:00', regular: 4_786_400, credits: { 1: 0 } },
  },
  {
    id: 'L08',
    title: 'lost and found twice on one day: three intervals, two gaps',
    given: { regular: 10_000_000 },
    plays: [
      [
        { at: '12-01 08:10', do: 'billable', id: 1, price: 'H1' },
        { at: '12-01 09:30', do: 'lost', id: 1 },
        { at: '12-01 12:45', do: 'reopen', id: 1 },
        { at: '12-01 13:05', do: 'lost', id: 1 },
        { at: '12-01 20:00', do: 'reopen', id: 1 },
      ],
    ],
    // Hours 8, 9, 12, 13, 20 to 23. 8 h x 35,600 = 284,800.
    rows: [
      { at: '12-01 08:10', kind: 'charge', lines: 'regular -569,600, revenue +569,600' },
      { at: '12-01 09:30', kind: 'refund', lines: 'revenue -498,400, regular +498,400' },
      { at: '12-01 12:45', kind: 'rerate', lines: 'regular -427,200, revenue +427,200' },
      { at: '12-01 13:05', kind: 'refund', lines: 'revenue -356,000, regular +356,000' },
      { at: '12-01 20:00', kind: 'rerate', lines: 'regular -142,400, revenue +142,400' },
    ],
    end: { at: '12-01 21:00', regular: 9_715_200 },
  },
  {
    id: 'L09',
    title:
      'confirmed lost a day back, when the first of two credits had ended empty: its part lapses, the second returns',
    given: {
      regular: 5_000_000,
      credits: [
        { n: 1, type: 'signup', amount: 335_600, until: '12-02 12:00' },
        { n: 2, type: 'signup', amount: 300_000, until: '12-03 09:00' },
      ],
    },
    plays: [
      [
        { at: '12-01 23:00', do: 'billable', id: 1, price: 'H1' },
        { at: '12-02 00:00:05', do: 'run' },
        { at: '12-02 12:00:05', do: 'expiries' },
        { at: '12-03 00:00:05', do: 'run' },
        { at: '12-03 09:00:30', do: 'lost', id: 1, since: '12-02 06:00' },
        { at: '12-03 09:00:30', do: 'run' },
      ],
    ],
    rows: [
      { at: '12-01 23:00', kind: 'charge', lines: 'credit#1 -35,600, revenue +35,600' },
      {
        at: '12-02 00:00',
        kind: 'charge',
        lines: 'credit#1 -300,000, credit#2 -300,000, regular -254,400, revenue +854,400',
      },
      { at: '12-03 00:00', kind: 'charge', lines: 'regular -854,400, revenue +854,400' },
      { at: '12-02 06:00', kind: 'refund', on: '2026-12-03', lines: 'revenue -854,400, regular +854,400' },
      {
        at: '12-02 06:00',
        kind: 'refund',
        lines: 'revenue -640,800, regular +254,400, credit#2 +300,000, lapsed +86,400',
      },
      { at: '12-03 09:00', kind: 'expiry', lines: 'credit#2 -300,000, lapsed +300,000' },
    ],
    end: { at: '12-03 20:00', regular: 5_000_000, credits: { 1: 0, 2: 0 } },
  },
  {
    id: 'L10',
    title: 'a level change that waited for the reopening starts from the price of the reopening',
    given: { regular: 20_000_000 },
    plays: [
      [
        { at: '12-01 08:00', do: 'billable', id: 1, price: 'H1' },
        { at: '12-01 10:30', do: 'lost', id: 1 },
        { at: '12-01 14:00:00.300', do: 'reopen', id: 1 },
        { at: '12-01 13:59:59.900', do: 'level', id: 1, to: 2 },
        { at: '12-02 00:00:05', do: 'run' },
      ],
    ],
    // Hours 8, 9, 10 at 35,600 and 14 to 23 at 104,100.
    rows: [
      { at: '12-01 08:00', kind: 'charge', lines: 'regular -569,600, revenue +569,600' },
      { at: '12-01 10:30', kind: 'refund', lines: 'revenue -462,800, regular +462,800' },
      { at: '12-01 14:00:00.300', kind: 'rerate', lines: 'regular -356,000, revenue +356,000' },
      { at: '12-01 14:00', kind: 'rerate', lines: 'regular -685,000, revenue +685,000' },
      { at: '12-02 00:00', kind: 'charge', lines: 'regular -2,498,400, revenue +2,498,400' },
    ],
    end: { at: '12-02 06:00', regular: 16_353_800 },
  },
  {
    id: 'L11',
    title: 'deleted, kept and restored: the hours in between are free, on the same day and over midnight',
    given: { regular: 10_000_000 },
    plays: [
      [
        { at: '12-01 08:10', do: 'billable', id: 1, price: 'H1' },
        { at: '12-01 09:30', do: 'delete', id: 1 },
        { at: '12-02 06:40', do: 'restore', id: 1 },
        { at: '12-02 06:40', do: 'interval', id: 1, endsAt: null },
        { at: '12-03 00:00:05', do: 'run' },
      ],
    ],
    // Hours 8 and 9 of 1 Dec, 6 to 23 of 2 Dec.
    rows: [
      { at: '12-01 08:10', kind: 'charge', lines: 'regular -569,600, revenue +569,600' },
      { at: '12-01 09:30', kind: 'refund', lines: 'revenue -498,400, regular +498,400' },
      { at: '12-02 00:00', kind: 'charge', lines: 'regular -640,800, revenue +640,800' },
      { at: '12-03 00:00', kind: 'charge', lines: 'regular -854,400, revenue +854,400' },
    ],
    end: { at: '12-03 06:00', regular: 8_433_600 },
  },
  {
    id: 'L12',
    title: 'restored in the day of its delete: the rest of the day is charged, and the entry states the reason',
    given: { regular: 10_000_000 },
    plays: [
      [
        { at: '12-01 08:10', do: 'billable', id: 1, price: 'H1' },
        { at: '12-01 09:30', do: 'delete', id: 1 },
        { at: '12-01 20:15', do: 'restore', id: 1 },
      ],
    ],
    // Hours 8, 9 and 20 to 23.
    rows: [
      { at: '12-01 08:10', kind: 'charge', lines: 'regular -569,600, revenue +569,600' },
      { at: '12-01 09:30', kind: 'refund', lines: 'revenue -498,400, regular +498,400' },
      {
        at: '12-01 20:15',
        kind: 'rerate',
        lines: 'regular -142,400, revenue +142,400',
        says: /the rest of 2026-12-01, its delete was undone/,
      },
    ],
    end: { at: '12-01 22:00', regular: 9_786_400 },
  },
];
