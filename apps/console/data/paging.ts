import { CONSTANTS } from '@moorage/domain';

/** Paging data of a response (decision 28): cursors of the neighbouring pages, and whether the count is exact. */
export interface PageMeta {
  /** Number of pages, from an API that counts pages instead of records. */
  readonly pages?: number;
  readonly cursors: Readonly<Partial<Record<'next' | 'prev' | 'last', string>>>;
  readonly isEstimated: boolean;
}

/** Position beyond row 10 000, where page numbers end and a cursor from an earlier response is needed. */
export interface Beyond {
  readonly cursor: string;
  /** Number of its first row. */
  readonly from: number;
  /** Counted from an estimated end. */
  readonly isGuess: boolean;
}

/** Numbered page or, with `beyond`, a position that page numbers do not reach. */
export interface Place {
  readonly page: number;
  readonly beyond: Beyond | null;
}

/** The page shown. */
export interface Shown extends Place {
  readonly perPage: number;
  readonly total: number;
  /** Number of rows on this page. */
  readonly rows: number;
  readonly meta: PageMeta | undefined;
}

export type Step = 'first' | 'previous' | 'next' | 'last';

export function pageMeta(headers: Headers): PageMeta {
  const links = [...(headers.get('link') ?? '').matchAll(/<[^>]*[?&]cursor=([\w-]+)[^>]*>; rel="(next|prev|last)"/g)];
  return {
    cursors: Object.fromEntries(links.map(([, cursor = '', rel = '']) => [rel, cursor] as const)),
    isEstimated: headers.get('x-total-count-estimated') === 'true',
  };
}

/** Returns the target of a step, or null if there is none. */
export function stepTo(step: Step, shown: Shown): Place | null {
  const { page, beyond, perPage, total, rows } = shown;
  switch (step) {
    case 'first':
      return page > 1 || beyond !== null ? numbered(1) : null;
    case 'previous':
      if (beyond !== null) return before(beyond, shown);
      return page > 1 ? numbered(page - 1) : null;
    case 'next':
      if (beyond === null && page < numberedPages(perPage)) return page * perPage < total ? numbered(page + 1) : null;
      return behind(shown, 'next', beyond === null ? page * perPage + 1 : beyond.from + rows);
    case 'last':
      if (stepTo('next', shown) === null) return null;
      if (total <= CONSTANTS.pagedRowsMax) return numbered(Math.ceil(total / perPage));
      return behind(shown, 'last', Math.max(1, total - perPage + 1));
  }
}

/** Numbers of the first and last row shown, and the total count. Raises an estimated count if more rows exist. */
export function rowsShown({ page, beyond, perPage, total, rows }: Omit<Shown, 'meta'>): {
  from: number;
  to: number;
  count: number;
} {
  const from = rows === 0 ? 0 : (beyond?.from ?? (page - 1) * perPage + 1);
  const to = rows === 0 ? 0 : from + rows - 1;
  return { from, to, count: Math.max(total, to) };
}

/** Number of pages reachable by page number. */
export function numberedPages(perPage: number): number {
  return Math.floor(CONSTANTS.pagedRowsMax / perPage);
}

const numbered = (page: number): Place => ({ page, beyond: null });

function behind({ page, beyond, meta }: Shown, towards: 'next' | 'last', from: number): Place | null {
  const cursor = meta?.cursors[towards];
  if (cursor === undefined) return null;
  return { page, beyond: { cursor, from, isGuess: towards === 'last' || beyond?.isGuess === true } };
}

/** Returns to numbered pages where they reach, unless the path began at an estimated end. */
function before({ from, isGuess }: Beyond, { page, perPage, meta }: Shown): Place | null {
  if (!isGuess && from - 1 <= CONSTANTS.pagedRowsMax) return numbered(Math.max(1, Math.ceil((from - 1) / perPage)));
  const cursor = meta?.cursors.prev;
  return cursor === undefined ? null : { page, beyond: { cursor, from: Math.max(1, from - perPage), isGuess } };
}
