import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DayCount, pagesOfDays } from './pages-of-days';

const DAYS = ['2026-12-03', '2026-12-02', '2026-12-01'];
const counts = (...of: number[]): DayCount[] => of.map((count, index) => ({ day: DAYS[index] ?? '', count }));

describe('pages of days', () => {
  it('has no page without days', () => {
    expect(pagesOfDays([], { daysPerPage: 30, rowsMax: 10 })).toEqual([]);
  });

  it('ends a page after its number of days', () => {
    expect(pagesOfDays(counts(2, 1, 3), { daysPerPage: 2, rowsMax: 10 })).toMatchObject([
      { newest: '2026-12-03', oldest: '2026-12-02', offset: 0, rows: 3 },
      { newest: '2026-12-01', oldest: '2026-12-01', offset: 0, rows: 3 },
    ]);
  });

  it('continues a large day on the following pages', () => {
    expect(pagesOfDays(counts(4, 25, 1), { daysPerPage: 30, rowsMax: 10 })).toMatchObject([
      { newest: '2026-12-03', oldest: '2026-12-02', offset: 0, rows: 10 },
      { newest: '2026-12-02', oldest: '2026-12-02', offset: 6, rows: 10 },
      { newest: '2026-12-02', oldest: '2026-12-01', offset: 16, rows: 10 },
    ]);
  });

  it('shows every row once, in order, within the bounds', () => {
    const ofAnyDays = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 12 });
    fc.assert(
      fc.property(
        ofAnyDays,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 15 }),
        (of, daysPerPage, rowsMax) => {
          const days = of.map((count, index) => ({ day: `2026-12-${31 - index}`, count }));
          const rows = days.flatMap(({ day, count }) => Array.from({ length: count }, (_, index) => `${day} ${index}`));
          const pages = pagesOfDays(days, { daysPerPage, rowsMax }).map(({ newest, oldest, offset, rows: size }) => {
            const between = rows.filter((row) => row.slice(0, 10) <= newest && row.slice(0, 10) >= oldest);
            return between.slice(offset, offset + size);
          });
          expect(pages.flat()).toEqual(rows);
          for (const page of pages) {
            expect(page.length).toBeLessThanOrEqual(rowsMax);
            expect(new Set(page.map((row) => row.slice(0, 10))).size).toBeLessThanOrEqual(daysPerPage);
          }
        },
      ),
    );
  });
});
