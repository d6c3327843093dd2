import { describe, expect, it } from '@jest/globals';
import { type PageMeta, pageMeta, type Place, rowsShown, type Shown, type Step, stepTo } from './paging';

const ALL: PageMeta = { cursors: { next: 'N', prev: 'P', last: 'L' }, isEstimated: true };
const shown = (over: Partial<Shown>): Shown => ({
  page: 1,
  beyond: null,
  perPage: 20,
  total: 45,
  rows: 20,
  meta: undefined,
  ...over,
});
const words = (place: Place | null): string | null =>
  place === null
    ? null
    : place.beyond === null
      ? `page ${place.page}`
      : `${place.beyond.cursor} from ${place.beyond.isGuess ? 'about ' : ''}${place.beyond.from}`;
const steps = (over: Partial<Shown>) =>
  (['first', 'previous', 'next', 'last'] satisfies Step[]).map((step) => words(stepTo(step, shown(over))));

describe('paging links of a list', () => {
  it.each<[string, Partial<Shown>, (string | null)[]]>([
    ['on its first page', {}, [null, null, 'page 2', 'page 3']],
    ['on a page in between', { page: 2 }, ['page 1', 'page 1', 'page 3', 'page 3']],
    ['on its last page', { page: 3, rows: 5 }, ['page 1', 'page 2', null, null]],
    ['of a single page', { total: 20 }, [null, null, null, null]],
    ['of an empty list', { total: 0, rows: 0 }, [null, null, null, null]],
    [
      'of ten thousand rows, before its last page',
      { page: 499, total: 10_000 },
      ['page 1', 'page 498', 'page 500', 'page 500'],
    ],
    ['of ten thousand rows, on its last page', { page: 500, total: 10_000 }, ['page 1', 'page 499', null, null]],
    ['of more rows, on its first page', { total: 10_650, meta: ALL }, [null, null, 'page 2', 'L from about 10631']],
    [
      'of more rows, on the last numbered page',
      { page: 500, total: 10_650, meta: ALL },
      ['page 1', 'page 499', 'N from 10001', 'L from about 10631'],
    ],
    [
      'just past the numbered pages',
      { page: 500, total: 10_650, beyond: { cursor: 'x', from: 10_001, isGuess: false }, meta: ALL },
      ['page 1', 'page 500', 'N from 10021', 'L from about 10631'],
    ],
    [
      'further past the numbered pages',
      { page: 500, total: 10_650, beyond: { cursor: 'x', from: 10_021, isGuess: false }, meta: ALL },
      ['page 1', 'P from 10001', 'N from 10041', 'L from about 10631'],
    ],
    [
      'at its end past the numbered pages',
      {
        page: 3,
        total: 10_650,
        beyond: { cursor: 'x', from: 10_631, isGuess: true },
        meta: { ...ALL, cursors: { prev: 'P' } },
      },
      ['page 1', 'P from about 10611', null, null],
    ],
    [
      'back from an estimated end',
      { page: 3, total: 10_650, beyond: { cursor: 'x', from: 9_991, isGuess: true }, meta: ALL },
      ['page 1', 'P from about 9971', 'N from about 10011', 'L from about 10631'],
    ],
    [
      'back from an estimated end to the first row',
      {
        page: 3,
        total: 10_650,
        beyond: { cursor: 'x', from: 41, isGuess: true },
        meta: { ...ALL, cursors: { next: 'N', last: 'L' } },
      },
      ['page 1', null, 'N from about 61', 'L from about 10631'],
    ],
    [
      'with an estimate that was too low',
      { page: 500, total: 10_001, beyond: { cursor: 'x', from: 10_021, isGuess: false }, meta: ALL },
      ['page 1', 'P from 10001', 'N from 10041', 'L from about 9982'],
    ],
    ['without the expected links', { page: 500, total: 10_650 }, ['page 1', 'page 499', null, null]],
  ])('%s', (_, over, expected) => {
    expect(steps(over)).toEqual(expected);
  });
});

describe('displayed rows', () => {
  it.each<[Partial<Shown>, ReturnType<typeof rowsShown>]>([
    [{}, { from: 1, to: 20, count: 45 }],
    [
      { page: 3, rows: 5 },
      { from: 41, to: 45, count: 45 },
    ],
    [
      { total: 0, rows: 0 },
      { from: 0, to: 0, count: 0 },
    ],
    [
      { total: 10_010, beyond: { cursor: 'x', from: 10_021, isGuess: false } },
      { from: 10_021, to: 10_040, count: 10_040 },
    ],
  ])('of %j are %j', (over, expected) => {
    expect(rowsShown(shown(over))).toEqual(expected);
  });
});

describe('paging headers of a response', () => {
  it('are read into the links to the neighbouring pages', () => {
    const link =
      '</api/users?per_page=20&cursor=abc-_1>; rel="next", </api/users?cursor=def&per_page=20>; rel="last", </api/users?per_page=20&cursor=ghi>; rel="prev"';
    expect(pageMeta(new Headers({ link, 'x-total-count-estimated': 'true' }))).toEqual({
      cursors: { next: 'abc-_1', last: 'def', prev: 'ghi' },
      isEstimated: true,
    });
    expect(pageMeta(new Headers())).toEqual({ cursors: {}, isEstimated: false });
  });
});
