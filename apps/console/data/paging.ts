import { CONSTANTS } from '@moorage/domain';

/** What an answer says about the pages beside it (decisions 28): where they begin, and whether the count is exact. */
export interface PageMeta {
  readonly cursors: Readonly<Partial<Record<'next' | 'prev' | 'last', string>>>;
  readonly isEstimated: boolean;
}

/** Behind row 10 000 no number leads: a place there is known by the cursor an answer gave. */
export interface Beyond {
  readonly cursor: string;
  /** The number of its first row. */
  readonly from: number;
  /** Counted from an end that is itself estimated. */
  readonly isGuess: boolean;
}

/** A numbered page; or, with `beyond`, a place that the page numbers do not reach. */
export interface Place {
  readonly page: number;
  readonly beyond: Beyond | null;
}

/** What is shown now. */
export interface Shown extends Place {
  readonly perPage: number;
  readonly total: number;
  /** How many rows this page has. */
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

/** Where a step leads; null: there is nothing. */
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

/** The numbers of the first and the last row that are shown, and of how many; more than a guess said where there are more. */
export function rowsShown({ page, beyond, perPage, total, rows }: Omit<Shown, 'meta'>): {
  from: number;
  to: number;
  count: number;
} {
  const from = rows === 0 ? 0 : (beyond?.from ?? (page - 1) * perPage + 1);
  const to = rows === 0 ? 0 : from + rows - 1;
  return { from, to, count: Math.max(total, to) };
}

/** How many pages numbers reach. */
export function numberedPages(perPage: number): number {
  return Math.floor(CONSTANTS.pagedRowsMax / perPage);
}

const numbered = (page: number): Place => ({ page, beyond: null });

function behind({ page, beyond, meta }: Shown, towards: 'next' | 'last', from: number): Place | null {
  const cursor = meta?.cursors[towards];
  if (cursor === undefined) return null;
  return { page, beyond: { cursor, from, isGuess: towards === 'last' || beyond?.isGuess === true } };
}

/** Back to the numbers where they are reached, unless the way here began at an estimated end. */
function before({ from, isGuess }: Beyond, { page, perPage, meta }: Shown): Place | null {
  if (!isGuess && from - 1 <= CONSTANTS.pagedRowsMax) return numbered(Math.max(1, Math.ceil((from - 1) / perPage)));
  const cursor = meta?.cursors.prev;
  return cursor === undefined ? null : { page, beyond: { cursor, from: Math.max(1, from - perPage), isGuess } };
}
