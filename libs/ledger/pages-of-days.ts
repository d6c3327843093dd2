import type { Day } from '@moorage/domain';

/** A day with its number of rows. */
export interface DayCount {
  readonly day: Day;
  readonly count: number;
}

/** Rows of a page: the first `rows` after `offset` of all rows from `newest` down to `oldest`. */
export interface PageOfDays {
  readonly newest: Day;
  readonly oldest: Day;
  readonly offset: number;
  readonly rows: number;
}

/**
 * Divides days, newest first, into pages of at most `daysPerPage` days and `rowsMax` rows. A day that does not fit
 * begins where the page before ends, and continues on as many pages as it needs.
 */
export function pagesOfDays(
  days: readonly DayCount[],
  { daysPerPage, rowsMax }: { daysPerPage: number; rowsMax: number },
): PageOfDays[] {
  const pages: PageOfDays[] = [];
  let page: (PageOfDays & { readonly days: number }) | undefined;
  for (const { day, count } of days) {
    for (let offset = 0; offset < count;) {
      if (page !== undefined && (page.rows === rowsMax || page.days === daysPerPage)) {
        pages.push(page);
        page = undefined;
      }
      const rows = Math.min(count - offset, rowsMax - (page?.rows ?? 0));
      page =
        page === undefined
          ? { newest: day, oldest: day, offset, rows, days: 1 }
          : { ...page, oldest: day, rows: page.rows + rows, days: page.days + 1 };
      offset += rows;
    }
  }
  return page === undefined ? pages : [...pages, page];
}
